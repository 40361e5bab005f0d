"""A line of play: the calls of a plan from a position on, with every position on the way.

`Line.wins` says whether the rest of the plan wins from another position. It plays only the calls that touch a thing in
which that position differs from the line, and stops where nothing differs any more: for most edits that is after a few
calls.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from functools import cached_property
from typing import Any

from herobench.suites.rpg.game.calls import Call
from herobench.suites.rpg.game.events import Action, Event
from herobench.suites.rpg.game.position import Aspect, Position

NEVER = 1 << 60


class Exhausted(Exception):
    """Raised when more calls were played than a search may play."""


class Allowance:
    """The calls that a search may still play. It bounds the search in the same way on every machine."""

    def __init__(self, most: int) -> None:
        self.left = most

    def take(self) -> None:
        """Count a call. Raises Exhausted if there are too many."""
        self.left -= 1
        if self.left < 0:
            raise Exhausted


class Line:
    """The calls of a plan from a position on, until the plan ends or wins, or until it comes to where another line is.

    From there on both are one, and this line asks the other."""

    def __init__(
        self, position: Position, calls: Sequence[Call], first: int, allowance: Allowance, beside: Line | None = None
    ) -> None:
        self.calls = calls
        self.first = first
        self.allowance = allowance
        """Counts the calls that are played."""
        self.positions = [position]
        """The position before each call, from the first on."""
        self.events: list[Event | None] = []
        self._lost: set[tuple[int, frozenset[tuple[Aspect, Any]]]] = set()
        """Differences before a call with which the plan was found to lose."""
        self._other: Line | None = None
        self.met = self.stop = first
        """The number of the call from which on this line is the other one, or its end; and that of the call which ended
        a lost plan, or of its last call and one more."""
        self.won = False
        self._play(first, beside)

    def counted(self, allowance: Allowance) -> Line:
        """Return the same line. What is played from here on is counted anew."""
        twin = copy(self)
        twin.allowance, twin._lost = allowance, set()
        return twin

    def again(self, calls: Sequence[Call], number: int) -> Line:
        """Return the line of other calls, which are the same up to a number. That part is not played again."""
        twin = copy(self)
        twin.calls, twin._lost = calls, set()
        twin.positions = self.positions[: number - self.first + 1]
        twin.events = self.events[: number - self.first]
        twin.__dict__.pop("_touches", None)
        twin._play(number, None)
        return twin

    def _play(self, number: int, beside: Line | None) -> None:
        calls, position = self.calls, self.positions[-1]
        self._other = None
        while number < len(calls) and not position.ended and not is_settled(position, calls, number):
            if beside and number <= beside.stop and not position.difference(beside.at(number)):
                self._other = beside
                break
            self.allowance.take()
            position = position.fork()
            self.events.append(position.act(calls[number].action))
            self.positions.append(position)
            number += 1
        is_lost = position.ended and not position.won
        self.met, self.won = number, position.won
        self.stop = self._other.stop if self._other else number - 1 if is_lost else number

    def at(self, number: int) -> Position:
        """Return the position before a call. It must not be changed."""
        return self._other.at(number) if self._other and number > self.met else self.positions[number - self.first]

    def event(self, number: int) -> Event | None:
        """Return what came of a call; None if it was not reached."""
        if self._other and number >= self.met:
            return self._other.event(number)
        return self.events[number - self.first] if number - self.first < len(self.events) else None

    def wins(self, number: int, position: Position) -> bool:
        """Return whether the calls from a number on win from a position that may differ from this lost line."""
        tried: list[tuple[int, frozenset[tuple[Aspect, Any]]]] = []
        while number <= self.stop and not position.ended and not is_settled(position, self.calls, number):
            difference = position.difference(self.at(number))
            then = self._next_touch(number, difference) if difference else NEVER
            tried.append((then, frozenset(difference.items())))
            if then >= len(self.calls) or tried[-1] in self._lost:
                self._lost.update(tried)
                return False
            if then > number:
                position = self.at(then).patched(difference)
            self.allowance.take()
            position = position.fork()
            position.act(self.calls[then].action)
            number = then + 1
        won = plays_out(position, self.calls, number, self.allowance)
        self._lost.update(() if won else tried)
        return won

    # -- touches ----------------------------------------------------------------------------------------------------

    def _next_touch(self, number: int, difference: Iterable[Aspect]) -> int:
        """Return the number of the first call, from one on, that depends on a thing or replaces it."""
        if not self.positions[0].is_plain:
            return number
        found = NEVER
        for aspect in difference:
            for name in (aspect, _BODY) if aspect == "combat" or aspect[0] in ("worn", "food") else (aspect,):
                numbers = self._touches.get(name, ())
                index = bisect_left(numbers, number)
                if index < len(numbers):
                    found = min(found, numbers[index])
        if found == NEVER and self._other:
            return self._other._next_touch(max(number, self.met), difference)
        return found

    @cached_property
    def _touches(self) -> Mapping[Aspect, Sequence[int]]:
        found: dict[Aspect, list[int]] = defaultdict(list)
        for index in range(len(self.events)):
            number = self.first + index
            for aspect in set(_touched(self.calls[number], self.positions[index])):
                found[aspect].append(number)
        return found


_BODY = "body"
"""Stands for all that a fight depends on: gear, food and combat experience."""


def _touched(call: Call, position: Position) -> Iterable[Aspect]:
    """Yield the things that a call depends on or replaces. What it adds to the bag is neither."""
    if call.values is None:
        return
    world, place = position.game.world, position.game.hero.place
    tile = world.tiles.get(place)
    content = tile.content if tile else None
    match call.name, call.values[1:]:
        case "move", _:
            yield "place"
        case "equip", (slot, code, _):
            yield from (("worn", str(slot)), ("food", str(slot)), ("have", str(code)), "combat")
        case "unequip", (slot, _):
            yield from (("worn", str(slot)), ("food", str(slot)))
        case "fight", _:
            yield from ("place", "goals", _BODY)
        case "gather", _:
            yield "place"
            if content and content.type == "resource":
                yield "skill", world.resources[content.code].skill
        case "craft", (code, _):
            yield from ("place", "goals")
            recipe = world.recipe_of(str(code))
            if recipe:
                yield "skill", recipe.skill
                yield from (("have", part) for part in recipe.ingredients)
        case _:
            yield "place"


def is_settled(position: Position, calls: Sequence[Call], number: int) -> bool:
    """Return whether a plan has won whatever its calls from a number on do."""
    if not position.won:
        return False
    forfeitable = position.game.rules.failed_craft_is_logged and position.task.kind == "craft"
    return not forfeitable and not any(call.is_broken for call in calls[number:])


def plays_out(position: Position, calls: Sequence[Call], number: int, allowance: Allowance) -> bool:
    """Return whether the calls from a number on win from a position."""
    if number < len(calls) and not position.ended:
        position = position.fork()
    while number < len(calls) and not position.ended and not is_settled(position, calls, number):
        allowance.take()
        position.act(calls[number].action)
        number += 1
    return position.won


def read_calls(actions: Iterable[Action]) -> list[Call]:
    """Read the calls of a plan."""
    return [Call.of(action) for action in actions]
