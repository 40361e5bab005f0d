"""Replays a stored trace with the game itself, and returns what each step changed in the hero.

The page knows no rules: it gets the hero's state at the start and a change for each entry of the trace. Each played
event is compared with the stored one. The replay ends at the first difference, because the rules or the world are not
those of the run. A change is a JSON object with the new values only; in maps, null stands for a key that is gone.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from herobench.analysis.suites.rpg.account import events_in
from herobench.suites.rpg.game.arguments import SIGNATURES, CallError
from herobench.suites.rpg.game.events import Crafted, Detail, Equipped, Event, Fought, Gathered, Moved, Unequipped
from herobench.suites.rpg.game.game import Game, GameOver
from herobench.suites.rpg.game.hero import Hero
from herobench.suites.rpg.game.milestones import reaches
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import World

State = Mapping[str, Any]
Change = dict[str, Any]

_PARTS: Mapping[str, Callable[[Hero], Any]] = MappingProxyType(
    {
        "place": lambda hero: hero.place,
        "combat": lambda hero: hero.combat.as_tuple(),
        "stats": lambda hero: (hero.hp, hero.attack, hero.damage, hero.resistance, hero.round_effects),
        "skills": lambda hero: {skill: progress.as_tuple() for skill, progress in hero.skills.items()},
        "stacks": lambda hero: {slot: (stack.item, stack.quantity) for slot, stack in hero.consumables.items()},
    }
)
"""The parts of a hero's state without what he wears and carries."""
CHANGED_BY: Mapping[type[Detail | None], tuple[str, ...]] = MappingProxyType(
    {
        Moved: ("place",),
        Fought: ("place", "combat", "stats", "stacks"),
        Gathered: ("skills",),
        Crafted: ("skills",),
        Equipped: ("stats", "stacks"),
        Unequipped: ("stats", "stacks"),
    }
)
"""The parts that each kind of action can change. A refused action changes nothing."""


@dataclass(frozen=True, slots=True)
class Replay:
    """One change for each entry of a trace, up to the first entry that did not come out as stored, if there is one."""

    changes: tuple[Change, ...]
    differs_at: int | None


def replay(world: World, task: Task, edition: Rules, trace: Mapping[str, Any]) -> Replay:
    """Play a stored trace again."""
    game = Game(world, task.rules(edition), task.hero, task.seed)
    watched, changes = _Watched(game.hero), list[Change]()
    for number, (event, times) in enumerate(events_in(trace)):
        # an entry stands for equal actions in a row, and each must come out as stored: the state goes on changing
        for _ in range(times):
            if not _comes_out(game, event):
                return Replay(tuple(changes), number)
        changes.append(watched.change(event))
        game.events.clear()  # long plans have a million events, and none is needed again
    return Replay(tuple(changes), None)


def goals_at(task: Task, trace: Mapping[str, Any]) -> list[int]:
    """Return the steps of the replay, from 1, at which the goals of a task are reached."""
    found: list[int] = []
    goals = deque(task.goals)
    for number, (event, times) in enumerate(events_in(trace), 1):
        # an entry stands for equal actions in a row, and each of them reaches one goal at most
        while goals and times and reaches(goals[0], event):
            goals.popleft()
            found.append(number)
            times -= 1
    return found


def start_of(world: World, task: Task) -> State:
    """Return the state in which a task begins."""
    return state_of(Hero(world, task.hero))


def state_of(hero: Hero) -> State:
    """Return all of a hero that an action can change."""
    return {**_parts(hero, _PARTS), "worn": dict(hero.worn), "bag": dict(hero.inventory)}


def change(before: State, after: State) -> Change:
    """Return the values in which one state differs from the one before."""
    return {name: _difference(before[name], value) for name, value in after.items() if value != before[name]}


class _Watched:
    """A hero whose changes are told one after the other. To compare his whole state takes longer than to play."""

    def __init__(self, hero: Hero) -> None:
        self._hero = hero
        self._parts = _parts(hero, _PARTS)
        hero.worn = worn = _Noted(hero.worn)
        hero.inventory = bag = _Noted(hero.inventory)
        self._noted = {"worn": worn, "bag": bag}

    def change(self, event: Event) -> Change:
        """Return what an event changed, or several equal ones since the last call."""
        found: Change = {}
        for name in CHANGED_BY.get(type(event.detail), ()):
            old, value = self._parts[name], _PARTS[name](self._hero)
            if value != old:
                self._parts[name] = value
                found[name] = _difference(old, value)
        for name, noted in self._noted.items():
            if noted.touched and (changed := noted.changed()):
                found[name] = changed
        return found


class _Noted(dict[str, Any]):
    """A map that notes what each of its keys that is set or removed was before; None is a key that was not there."""

    def __init__(self, content: Mapping[str, Any]) -> None:
        super().__init__(content)
        self.touched: dict[str, Any] = {}
        """The old values of keys that were set or removed since the last call of `changed`."""

    def changed(self) -> dict[str, Any]:
        """Return the keys with another value than at the last call, with this value; None is a key that is gone."""
        before, self.touched = self.touched, {}
        return {key: self.get(key) for key, old in before.items() if self.get(key) != old}

    def __setitem__(self, key: str, value: Any) -> None:
        self.touched.setdefault(key, self.get(key))
        super().__setitem__(key, value)

    def __delitem__(self, key: str) -> None:
        self.touched.setdefault(key, self.get(key))
        super().__delitem__(key)

    def pop(self, key: str, *default: Any) -> Any:
        self.touched.setdefault(key, self.get(key))
        return super().pop(key, *default)


def _parts(hero: Hero, names: Iterable[str]) -> dict[str, Any]:
    return {name: _PARTS[name](hero) for name in names}


def _difference(before: Any, after: Any) -> Any:
    """Return the new value of a part of the state; of a map, its keys that changed."""
    if not isinstance(after, dict):
        return after
    gone = {key: None for key in before if key not in after}
    return {**gone, **{key: value for key, value in after.items() if before.get(key) != value}}


def _comes_out(game: Game, stored: Event) -> bool:
    if stored.action.name not in SIGNATURES:
        return False
    try:
        return game.act(stored.action) == stored
    except (CallError, GameOver):  # such a call leaves no event, so a trace that has one is not of this game
        return False
