"""Renders what a model is told of a mystery: the opening, the tools, the question for the plan, and the lane `told`.

Nothing here looks at the secrets but `told_plan`, the prompt of the lane that tells them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from herobench.conversation import Tool
from herobench.prompts.words import load_words
from herobench.suites.discover.game.day import ACTIONS, LORD, MOST_ACTIONS, NEW_DAY, PARTS, STRENGTH, parameters
from herobench.suites.discover.game.land import BENCH, CLAY, FORGE, SLOTS, Land
from herobench.suites.discover.game.laws import Laws
from herobench.suites.discover.game.mystery import Mystery

WORDS = load_words("prompts", "herobench.suites.discover")
DONE = "done"
_MEDIA = ("beasts", "wares", "rings")
_INTEGERS = frozenset({"x", "y"})


def opening(mystery: Mystery) -> str:
    """Return the opening of the exploration."""
    explore = WORDS.fill("explore", lord=mystery.land.lord)
    return "\n\n".join([WORDS.fill("frame", **_facts(mystery)), explore, WORDS.fill("answer")])


def told_plan(mystery: Mystery) -> str:
    """Return the prompt of the lane `told`: all that is hidden is told, and a plan is asked at once."""
    facts = _facts(mystery)
    return "\n\n".join([WORDS.fill("frame", **facts), WORDS.fill("told", **_secrets(mystery)), WORDS.fill("answer")])


def plan_question(mystery: Mystery) -> str:
    """Return what asks for the plan after the exploration."""
    return WORDS.fill("plan", lord=mystery.land.lord, answer=WORDS.fill("answer"))


def _facts(mystery: Mystery) -> dict[str, Any]:
    land = mystery.land
    dull, plain, keen = land.blades
    single = {name: getattr(land, name) for name in ("lord", "slag", "ore", "clay", "blade")}
    return {
        **single,
        **{name: _codes(getattr(land, name)) for name in _MEDIA},
        **_laws_told(land, mystery.laws),
        "days": mystery.days,
        "strength": STRENGTH,
        "lord_strength": LORD,
        "most_actions": MOST_ACTIONS,
        "clay_count": CLAY,
        "ring_slots": f"`{SLOTS[1]}` to `{SLOTS[-1]}`",
        "places": _places(land),
        "dull": dull,
        "plain": plain,
        "parts": PARTS[land.parts],
        "keen": keen,
    }


def _laws_told(land: Land, laws: Laws) -> dict[str, str]:
    dull, plain, keen = land.blades
    names = {"ore": land.ore, "slag": land.slag, "lord": land.lord, "dull": dull, "plain": plain, "keen": keen}
    texts = {}
    for name, law in laws._asdict().items():
        form = law.form
        if laws.forge.hidden and name != "lode":
            form = "hidden" if name == "forge" else "joint"
        text = WORDS.fill(f"{name}_{form}", count=law.things, **names)
        texts[name if name != "rings" else "rings_law"] = text + (
            WORDS.fill(f"exception_{name}") if law.exception else ""
        )
    return texts


def _places(land: Land) -> str:
    kinds = {land.lode: "the lode", BENCH: "the bench", FORGE: "the forge"}
    rows = [f"- {kinds.get(code, f'`{code}`')}: ({x}, {y})" for code, (x, y) in land.place_of.items()]
    return "\n".join(rows)


def _codes(codes: Sequence[str]) -> str:
    return ", ".join(f"`{code}`" for code in codes)


def _secrets(mystery: Mystery) -> dict[str, str]:
    """Return in words what the secret of each law means."""
    texts = {}
    for name, medium, secret in zip(mystery.laws._fields, _MEDIA, mystery.truth, strict=True):
        things = getattr(mystery.land, medium)
        text = " and ".join(f"`{things[number]}`" for number in secret.wanted)
        if secret.spoiler is not None:
            text = WORDS.fill("spoiled", pair=text, spoiler=f"`{things[secret.spoiler]}`")
        texts[name] = text
    return texts


def secret_sentences(mystery: Mystery) -> list[str]:
    """Return a sentence for each law that says what was hidden."""
    return [f"{name}: {text.replace('`', '')}" for name, text in _secrets(mystery).items()]


def tools() -> tuple[Tool, ...]:
    """Return the tools of the exploration."""
    return tuple(_tool(name) for name in (*ACTIONS, NEW_DAY, DONE))


def _tool(name: str) -> Tool:
    names = parameters(name)
    properties: Mapping[str, Any] = {each: {"type": "integer" if each in _INTEGERS else "string"} for each in names}
    schema = {"type": "object", "properties": properties, "required": list(names), "additionalProperties": False}
    return Tool(name, WORDS.fill(name), schema)
