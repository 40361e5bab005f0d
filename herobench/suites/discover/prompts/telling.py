"""Renders what a model is told of a mystery: the opening, the tools, the question for the plan, and the lane `told`.

Nothing here looks at the secrets but `told_plan`, the prompt of the lane that tells them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from herobench.conversation import Tool
from herobench.prompts.words import load_words
from herobench.suites.discover.game.day import (
    ACTIONS,
    LORD,
    MOST_ACTIONS,
    NEW_DAY,
    NEXT_LAND,
    PARTS,
    STRENGTH,
    parameters,
)
from herobench.suites.discover.game.land import BENCH, CLAY, FORGE, SLOTS, HiddenLand, Land
from herobench.suites.discover.game.laws import Laws
from herobench.suites.discover.game.mystery import Mystery

WORDS = load_words("prompts", "herobench.suites.discover")
DONE = "done"
_MEDIA = ("beasts", "wares", "rings")
_INTEGERS = frozenset({"x", "y"})


def opening(mystery: Mystery) -> str:
    """Return the opening of the exploration."""
    after_it = "after it" if len(mystery.lands) == 1 else "and lands after it"
    return "\n\n".join([*_frame(mystery), WORDS.fill("explore", after_it=after_it), _answer(mystery)])


def told_plan(mystery: Mystery) -> str:
    """Return the prompt of the lane `told`: all that is hidden is told, and a plan is asked at once."""
    titles = _titles(mystery)
    sections = [
        WORDS.fill("told", land=f": {title}" * (len(titles) > 1), **_secrets(hidden))
        for title, hidden in zip(titles, mystery.lands, strict=True)
    ]
    return "\n\n".join([*_frame(mystery), *sections, _answer(mystery)])


def plan_question(mystery: Mystery) -> str:
    """Return what asks for the plan after the exploration."""
    return WORDS.fill("plan", answer=_answer(mystery))


def _answer(mystery: Mystery) -> str:
    if len(mystery.lands) == 1:
        return WORDS.fill("answer", plan_days="one day", more="")
    return WORDS.fill("answer", plan_days=WORDS.fill("plan_days"), more="\nnext_land()\nmove(0, 2)")


def _frame(mystery: Mystery) -> Iterator[str]:
    """Yield what both lanes tell: the goal, what a day is, and each land with its laws."""
    if len(mystery.lands) == 1:
        yield WORDS.fill("one", days=mystery.days, lord=mystery.lands[0].land.lord)
    else:
        yield WORDS.fill("several", days=mystery.days, count=len(mystery.lands))
    slots = f"`{SLOTS[1]}` to `{SLOTS[-1]}`"
    yield WORDS.fill("frame", strength=STRENGTH, lord_strength=LORD, most_actions=MOST_ACTIONS, ring_slots=slots)
    for title, hidden in zip(_titles(mystery), mystery.lands, strict=True):
        yield WORDS.fill("land", title=title, **_facts(hidden.land, hidden.laws))


def _titles(mystery: Mystery) -> Sequence[str]:
    count = len(mystery.lands)
    return ["The land"] if count == 1 else [f"Land {number} of {count}" for number in range(1, count + 1)]


def _facts(land: Land, laws: Laws) -> dict[str, Any]:
    return {
        **{name: getattr(land, name) for name in ("lord", "slag", "ore", "clay", "blade")},
        **{name: _codes(getattr(land, name)) for name in _MEDIA},
        **_laws_told(land, laws),
        "clay_count": CLAY,
        "places": _places(land),
        "parts": PARTS[land.parts],
        "keen": land.blades[-1],
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
        texts[f"{name}_law"] = text + (WORDS.fill(f"exception_{name}") if law.exception else "")
    return texts


def _places(land: Land) -> str:
    kinds = {land.lode: "the lode", BENCH: "the bench", FORGE: "the forge"}
    rows = [f"- {kinds.get(code, f'`{code}`')}: ({x}, {y})" for code, (x, y) in land.place_of.items()]
    return "\n".join(rows)


def _codes(codes: Sequence[str]) -> str:
    return ", ".join(f"`{code}`" for code in codes)


def _secrets(hidden: HiddenLand) -> dict[str, str]:
    """Return in words what the secret of each law means."""
    texts = {}
    for name, medium, secret in zip(hidden.laws._fields, _MEDIA, hidden.truth, strict=True):
        things = getattr(hidden.land, medium)
        text = " and ".join(f"`{things[number]}`" for number in secret.wanted)
        if secret.spoiler is not None:
            text = WORDS.fill("spoiled", pair=text, spoiler=f"`{things[secret.spoiler]}`")
        texts[name] = text
    return texts


def secret_sentences(mystery: Mystery) -> list[str]:
    """Return a sentence for each law that says what was hidden."""
    return [
        f"{f'{title}, ' if len(mystery.lands) > 1 else ''}{name}: {text.replace('`', '')}"
        for title, hidden in zip(_titles(mystery), mystery.lands, strict=True)
        for name, text in _secrets(hidden).items()
    ]


def tools(mystery: Mystery) -> tuple[Tool, ...]:
    """Return the tools of the exploration."""
    leaving = (NEXT_LAND,) if len(mystery.lands) > 1 else ()
    return tuple(_tool(name) for name in (*ACTIONS, NEW_DAY, *leaving, DONE))


def _tool(name: str) -> Tool:
    names = parameters(name)
    properties: Mapping[str, Any] = {each: {"type": "integer" if each in _INTEGERS else "string"} for each in names}
    schema = {"type": "object", "properties": properties, "required": list(names), "additionalProperties": False}
    return Tool(name, WORDS.fill(name), schema)
