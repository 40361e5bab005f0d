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
from operator import itemgetter
from typing import Any

from herobench.suites.rpg.game.calls import Call
from herobench.suites.rpg.game.events import Event
from herobench.suites.rpg.game.position import Aspect, Difference, GamePosition
from herobench.suites.rpg.game.world import CONSUMABLE, slot_type

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

    From there on both are one, and this line asks the other. It asks the other as well where they differ in things that
    the calls do not touch."""

    def __init__(
        self,
        position: GamePosition,
        calls: Sequence[Call],
        first: int,
        allowance: Allowance,
        beside: Line | None = None,
    ) -> None:
        self.calls = calls
        self.first = first
        self.allowance = allowance
        """Counts the calls that are played."""
        self.positions = {first: position}
        """The position before each call that is played, and that at the end."""
        self.events: dict[int, Event | None] = {}
        """The result of each call that is played."""
        self._lost: set[tuple[int, frozenset[tuple[Aspect, Any]]]] = set()
        """Differences before a call with which the plan was found to lose."""
        self._kept: list[tuple[int, Difference]] = []
        """The differences from the other line, from calls on that are not played."""
        self._other = beside
        self.met = self.stop = first
        """`met`: the number of the call from which this line equals the other one, or its end. `stop`: the number of
        the call that ended a lost plan, or the one after its last call."""
        self.won = self._is_met = False
        self._play(first)

    def with_allowance(self, allowance: Allowance) -> Line:
        """Return the same line. What is played from here on is counted anew."""
        twin = copy(self)
        twin.allowance, twin._lost = allowance, set()
        return twin

    def again(self, calls: Sequence[Call], number: int) -> Line:
        """Return the line of other calls, which are the same up to a number. That part is not played again."""
        twin = copy(self)
        twin.calls, twin._lost = calls, set()
        twin.positions = {at: self.positions[at] for at in range(self.first, number + 1)}
        twin.events = {at: self.events[at] for at in range(self.first, number)}
        twin.__dict__.pop("_touches", None)
        twin._play(number)
        return twin

    def _play(self, number: int) -> None:
        """Play the calls from a number on."""
        calls, other, position = self.calls, self._other, self.positions[number]
        while number < len(calls) and not position.ended and not is_settled(position, calls, number):
            if other and number <= other.stop:
                difference = position.difference(other.at(number))
                self._is_met = not difference
                then = min(other._next_touch(number, difference), other.stop) if difference else number
                if then > number:
                    self._kept.append((number, difference))
                    number, position = then, other.at(then).patch(difference)
                    self.positions[number] = position
            if self._is_met or number == len(calls):
                break
            self.allowance.take()
            position = position.fork()
            self.events[number] = position.act(calls[number].action)
            number += 1
            self.positions[number] = position
        is_lost = position.ended and not position.won
        self.met, self.won = number, position.won
        self.stop = number - 1 if is_lost else number
        if self._is_met and other:
            self.stop = other.stop

    def at(self, number: int) -> GamePosition:
        """Return the position before a call. It must not be changed."""
        position = self.positions.get(number)
        if position:
            return position
        assert self._other, "all calls of a line by itself are played"
        patch = self._kept_at(number)
        return self._other.at(number).patch(patch) if patch else self._other.at(number)

    def _kept_at(self, number: int) -> Difference:
        """Return in what this line differs from the other one before a call that is not played."""
        return {} if number > self.met else self._kept[bisect_left(self._kept, number, key=itemgetter(0)) - 1][1]

    def event(self, number: int) -> Event | None:
        """Return the result of a call; None if it was not reached."""
        if self._other and number not in self.events and (self._is_met or number < self.met):
            return self._other.event(number)
        return self.events.get(number)

    def wins(self, number: int, position: GamePosition) -> bool:
        """Return whether the calls from a number on win from a position that may differ from this lost line."""
        attempts: list[tuple[int, frozenset[tuple[Aspect, Any]]]] = []
        while number <= self.stop and not position.ended and not is_settled(position, self.calls, number):
            difference = position.difference(self.at(number))
            then = self._next_touch(number, difference) if difference else NEVER
            attempts.append((then, frozenset(difference.items())))
            if then >= len(self.calls) or attempts[-1] in self._lost:
                self._lost.update(attempts)
                return False
            if then > number:
                position = self.at(then).patch(difference)
            self.allowance.take()
            position = position.fork()
            position.act(self.calls[then].action)
            number = then + 1
        is_won = plays_out(position, self.calls, number, self.allowance)
        self._lost.update(() if is_won else attempts)
        return is_won

    # -- touches ----------------------------------------------------------------------------------------------------

    def _next_touch(self, number: int, difference: Difference) -> int:
        """Return the number of the first call, from one on, that depends on a thing or replaces it."""
        if not self.positions[self.first].is_plain:
            return number
        touch = NEVER
        for aspect, value in difference.items():
            for name in _touched_by(aspect, value):
                numbers = self._touches.get(name, ())
                index = bisect_left(numbers, number)
                if index < len(numbers):
                    touch = min(touch, numbers[index])
        if self._other:
            touch = min(touch, self._other._next_touch(max(number, self.first), difference))
        return touch if touch <= self.stop else NEVER

    @cached_property
    def _touches(self) -> Mapping[Aspect, Sequence[int]]:
        touches: dict[Aspect, list[int]] = defaultdict(list)
        for number, event in self.events.items():
            for aspect in set(_aspects(self.calls[number], self.positions[number], event)):
                touches[aspect].append(number)
        return touches


_BODY = "body"
"""Stands for all that a fight depends on: gear, food and combat experience."""


def _touched_by(aspect: Aspect, value: Any) -> tuple[Aspect, ...]:
    """Return what a call has to touch for which a difference matters: more of an item only helps where it lacks."""
    if aspect == "combat" or aspect[0] in ("worn", "food"):
        return aspect, _BODY
    return (("lack", aspect[1]),) if aspect[0] == "have" and value > 0 else (aspect,)


def _aspects(call: Call, position: GamePosition, event: Event | None) -> Iterable[Aspect]:
    """Yield the things that a call depends on or replaces. What it adds to the bag is neither."""
    if call.values is None:
        return
    world, place = position.game.world, position.game.hero.place
    tile = world.tiles.get(place)
    content = tile.content if tile else None
    have = "have" if event and event.ok else "lack"
    match call.name, call.values[1:]:
        case "move", _:
            yield "place"
        case "equip", (slot, code, _):
            yield from (("worn", str(slot)), ("food", str(slot)), (have, str(code)), "combat")
            if slot_type(str(slot)) == CONSUMABLE:
                yield "lack", str(code)  # more in the bag, more is taken
        case "unequip", (slot, _):
            yield from (("worn", str(slot)), ("food", str(slot)))
        case "fight", _:
            yield from ("place", "goal", _BODY)
        case "gather", _:
            yield "place"
            if content and content.type == "resource":
                yield "skill", world.resources[content.code].skill
        case "craft", (code, _):
            yield from ("place", "goal")
            recipe = world.recipe_of(str(code))
            if recipe:
                yield "skill", recipe.skill
                yield from ((have, part) for part in recipe.ingredients)
        case _:
            yield "place"


def is_settled(position: GamePosition, calls: Sequence[Call], number: int) -> bool:
    """Return whether a plan has won whatever its calls from a number on do."""
    if not position.won:
        return False
    forfeitable = position.game.rules.failed_craft_is_logged and position.task.kind == "craft"
    return not forfeitable and not any(call.is_broken for call in calls[number:])


def plays_out(position: GamePosition, calls: Sequence[Call], number: int, allowance: Allowance) -> bool:
    """Return whether the calls from a number on win from a position."""
    if number < len(calls) and not position.ended:
        position = position.fork()
    while number < len(calls) and not position.ended and not is_settled(position, calls, number):
        allowance.take()
        position.act(calls[number].action)
        number += 1
    return position.won
