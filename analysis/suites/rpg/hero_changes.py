"""Replays a stored trace with the game itself, and returns what each step changed in the hero.

The page knows no rules: it gets the hero's state at the start and a change for each entry of the trace. Each played
event is compared with the stored one. The replay ends at the first difference, because the rules or the world are not
those of the run. A change is a JSON object with the new values only; in maps, null stands for a key that is gone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from herobench.rpg.arguments import SIGNATURES, CallError
from herobench.rpg.events import Event
from herobench.rpg.game import Game, GameOver
from herobench.rpg.goals import goals_reached
from herobench.rpg.hero import Hero, Progress
from herobench.rpg.rules import Rules
from herobench.rpg.task import Task
from herobench.rpg.trace import events_of, repeats_of
from herobench.rpg.world import World

State = Mapping[str, Any]
Change = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Replay:
    """One change for each entry of a trace, up to the first entry that did not come out as stored, if there is one."""

    changes: tuple[Change, ...]
    differs_at: int | None


def replay(world: World, task: Task, edition: Rules, trace: Mapping[str, Any]) -> Replay:
    """Play a stored trace again."""
    game = Game(world, task.rules(edition), task.hero, task.seed)
    before, changes = state_of(game.hero), list[Change]()
    for number, (event, times) in enumerate(repeats_of(trace)):
        # an entry stands for equal actions in a row, and each must come out as stored: the state goes on
        # changing
        if not all(_comes_out(game, event) for _ in range(times)):
            return Replay(tuple(changes), number)
        after = state_of(game.hero)
        changes.append(change(before, after))
        before = after
        game.events.clear()  # long plans have a million events, and none is needed again
    return Replay(tuple(changes), None)


def goals_at(task: Task, trace: Mapping[str, Any]) -> list[int]:
    """Return the steps of the replay, from 1, at which the goals of a task are reached."""
    entry_of = [number for number, (_, times) in enumerate(repeats_of(trace), 1) for _ in range(times)]
    return [entry_of[event] for event in goals_reached(task, list(events_of(trace)))]


def start_of(world: World, task: Task) -> State:
    """Return the state in which a task begins."""
    return state_of(Hero(world, task.hero))


def state_of(hero: Hero) -> State:
    """Return all of a hero that an action can change."""
    return {
        "place": list(hero.place),
        "combat": _progress(hero.combat),
        "stats": [list(part) if isinstance(part, tuple) else part for part in hero.stats],
        "skills": {skill: _progress(progress) for skill, progress in hero.skills.items()},
        "worn": dict(hero.worn),
        "stacks": {slot: [stack.item, stack.quantity] for slot, stack in hero.consumables.items()},
        "bag": dict(hero.inventory),
    }


def change(before: State, after: State) -> Change:
    """Return the values in which one state differs from the one before."""
    found: Change = {}
    for name, value in after.items():
        old = before[name]
        if value != old:
            found[name] = _changed_keys(old, value) if isinstance(value, dict) else value
    return found


def _changed_keys(before: Mapping[str, Any], after: Mapping[str, Any]) -> Change:
    gone = dict.fromkeys(key for key in before if key not in after)
    return {**gone, **{key: value for key, value in after.items() if before.get(key) != value}}


def _comes_out(game: Game, stored: Event) -> bool:
    if stored.action.name not in SIGNATURES:
        return False
    try:
        return game.act(stored.action) == stored
    except (CallError, GameOver):  # such a call leaves no event, so a trace that has one is not of this game
        return False


def _progress(progress: Progress) -> list[int]:
    return [progress.level, progress.xp, progress.next_level_xp]
