"""Render what a model is told in the modes of the RPG with feedback: plans in parts, and tools.

The openings share their facts and most of their words with the prompt of a whole plan (`render`). The feedback between
parts comes only from events and the present hero, which the game itself shows.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from herobench.conversation import Tool
from herobench.prompts.rpg.render import fill_section, frame_facts, plan_form, shared_sections
from herobench.prompts.words import load_words
from herobench.suites.rpg.game.episode import Ended, Episode
from herobench.suites.rpg.game.events import Action, Event, Fought
from herobench.suites.rpg.game.game import Game
from herobench.suites.rpg.game.responses import character, failure_message
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import World

FEEDBACK, TOOLS = "rpg/feedback", "rpg/tools"
_NOT_RUN: tuple[Ended, ...] = ("no_code", "rejected", "gave_up")
"""The ends of parts that did not run at all."""
_MOST_TOLD = 20
"""The most refusals, and the most lost fights, that are told after one part."""


def mode_digest(mode: str) -> str:
    """Return the digest of the words that only this mode has."""
    return load_words(f"rpg/{mode}").digest()


# -- plans in parts ---------------------------------------------------------------------------------------------------


def render_feedback(world: World, task: Task, edition: Rules, parts: int, actions: int) -> str:
    """Return the opening of an attempt whose plan comes in parts."""
    facts = frame_facts(world, task, task.rules(edition))
    if task.mechanics.plan == "program":
        returns = fill_section("frame", "What actions return", **facts)
    else:
        returns = fill_section("straight_frame", "Refused actions", **facts)
    form = plan_form(task.mechanics)
    own = {"parts": f"{parts:,}", "actions_limit": f"{actions:,}", "returns": returns, "form": form}
    text = load_words(FEEDBACK).fill("frame", **{**facts, **shared_sections(facts), **own})
    return f"{text}\n\n{load_words(FEEDBACK).fill('closed')}" if task.mechanics.closed else text


def told_after_part(game: Game, part: Episode, parts: int, actions: int) -> str:
    """Return what is told after the last part of a game. `parts` and `actions` are still left."""
    lines = [*told_of_part(game, part)]
    lines.append(load_words(FEEDBACK).fill("state", character=json.dumps(character(game.world, game.hero))))
    lines.append(load_words(FEEDBACK).fill("left", parts=f"{parts:,}", actions=f"{actions:,}"))
    return "\n\n".join(lines)


def told_of_part(game: Game, part: Episode) -> Iterator[str]:
    """Yield how a part ended, which of its actions were refused, and which fights were lost."""
    words, count = load_words(FEEDBACK), f"{len(part.events):,}"
    if part.finished:
        yield words.fill("ran", actions=count)
    elif part.ending.how not in _NOT_RUN:
        yield words.fill("ended", line=part.ending.line or "?", reason=part.ending.reason, actions=count)
    elif part.ending.line is not None:
        yield words.fill("rejected", line=part.ending.line, reason=part.ending.reason)
    else:
        yield words.fill("did_nothing", reason=part.ending.reason)
    if refusals := _cut_lines(_refusals(part.events)):
        yield words.fill("refused", refusals="\n".join(refusals))
    if lost_fights := _cut_lines(_fights_lost(game, part.events)):
        yield words.fill("fights_lost", fights="\n".join(lost_fights))


def _cut_lines(lines: Iterable[str]) -> list[str]:
    lines = list(lines)
    more = len(lines) - _MOST_TOLD
    return [*lines[:_MOST_TOLD], load_words(FEEDBACK).fill("more_refused", count=more)] if more > 0 else lines


def _refusals(events: Sequence[Event]) -> Iterator[str]:
    """Yield a line for each refused action; equal ones in a row share it."""
    facts_of_refusals = ((event.action, event.status, failure_message(event)) for event in events if not event.ok)
    for (action, status, reason), equal in groupby(facts_of_refusals):
        count = sum(1 for _ in equal)
        times = load_words(FEEDBACK).fill("times", count=count) if count > 1 else ""
        facts = {"line": action.line, "action": call_text(action), "status": status, "reason": reason}
        yield load_words(FEEDBACK).fill("refusal", **facts, times=times)


def _fights_lost(game: Game, events: Sequence[Event]) -> Iterator[str]:
    for event in events:
        if isinstance(fight := event.detail, Fought) and not fight.won:
            yield load_words(FEEDBACK).fill(
                "lost",
                line=event.action.line,
                monster=game.world.monsters[fight.monster].name,
                hero_hp=f"{fight.hero_hp:g}",
                monster_hp=f"{fight.monster_hp:g}",
            )


def call_text(action: Action) -> str:
    """Return an action as a call in a plan."""
    keyword_texts = (f"{name}={json.dumps(value)}" for name, value in action.keywords)
    return f"{action.name}({', '.join([*map(json.dumps, action.args), *keyword_texts])})"


# -- tools ------------------------------------------------------------------------------------------------------------

_WHOLE = {"type": "integer"}
_TEXT = {"type": "string"}
_PARAMETERS: Mapping[str, Mapping[str, Mapping[str, str]]] = {
    "move": {"x": _WHOLE, "y": _WHOLE},
    "fight": {"times": _WHOLE},
    "gather": {"quantity": _WHOLE},
    "craft": {"code": _TEXT, "quantity": _WHOLE},
    "equip": {"slot": _TEXT, "code": _TEXT, "quantity": _WHOLE},
    "unequip": {"slot": _TEXT, "quantity": _WHOLE},
    "buy": {"code": _TEXT, "quantity": _WHOLE},
    "look": {},
}
_GIVE_UP: Mapping[str, Mapping[str, str]] = {"reason": _TEXT, "p": {"type": "number"}}
_MAY_BE_LEFT_OUT = {("fight", "times"), ("gather", "quantity"), ("equip", "quantity"), ("unequip", "quantity"),
                    ("buy", "quantity"), ("give_up", "p")}  # fmt: skip


def render_tools(world: World, task: Task, edition: Rules, actions: int) -> str:
    """Return the opening of an attempt that is played with tools."""
    facts = frame_facts(world, task, task.rules(edition))
    refusal_rules = fill_section("straight_frame", "Refused actions", **facts)
    own = {"actions_limit": f"{actions:,}", "refused": refusal_rules}
    text = load_words(TOOLS).fill("frame", **{**facts, **shared_sections(facts), **own})
    return f"{text}\n\n{load_words(TOOLS).fill('closed')}" if task.mechanics.closed else text


def task_tools(task: Task) -> tuple[Tool, ...]:
    """Return the tools of a task: one for each action, one to look, and one to give up where that may be right."""
    by_name = {**_PARAMETERS, "give_up": _GIVE_UP} if task.mechanics.closed else _PARAMETERS
    return tuple(_tool(name, parameters) for name, parameters in by_name.items())


def _tool(name: str, parameters: Mapping[str, Mapping[str, str]]) -> Tool:
    required = [parameter for parameter in parameters if (name, parameter) not in _MAY_BE_LEFT_OUT]
    schema = {
        "type": "object",
        "properties": dict(parameters),
        "required": required,
        "additionalProperties": False,
    }
    return Tool(name, load_words(TOOLS).fill(name), schema)


def go_on() -> str:
    """Return what is told after a reply without a call."""
    return load_words(TOOLS).fill("go_on")
