"""The backward solver of roads: the least number of turns to the goal from every state, section by section.

Little crosses a gate: what each person holds, and events that count behind it. So the values of a section follow from
those behind its gate, and the cost of a road grows with its length only. Within a section all states are an array:
three places, three hands, and events. A deed is a pair of views of it, the states before and those behind. Values are
lowered along all deeds until nothing changes.

A lost state has a value too: the gates that can no longer be raised, each as `MISSED`, and the turns up to the last one
that can. The value of a state is exact at any length, and so is the *regret* of an action: its turn, and the value
behind it less the value before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from herobench.pddl import GroundAction
from herobench.suites.epoch.game.level import Level
from herobench.suites.epoch.game.world import ROAD, domain_name, level_world
from herobench.suites.epoch.making.road import PEOPLE, WALKS, Deed, NotRoad, Road, Section

MISSED = 100_000
"""The value of a gate that can no longer be raised: more than any number of turns."""
MOST_STATES = 4_000_000
"""The most states of a section."""
Turns = NDArray[np.int32]
Index = tuple[int | slice, ...]


class Step(NamedTuple):
    """A deed as two parts of the array of a section, and its turns."""

    before: Index
    after: Index
    turns: int


class RoadValues:
    """The values of all states of a road."""

    def __init__(self, road: Road) -> None:
        """Solve the road. Raise NotRoad if a section has too many states."""
        self.road = road
        self._turns: dict[int, Turns] = {}
        self._near: dict[int, Turns] = {}
        """The turns to the next gate alone, by section."""
        count = len(road.sections)
        self._steps = [list(_steps(road, section)) for section in road.sections]
        behind, events = np.zeros((1,) * PEOPLE, np.int32), tuple[int, ...]()
        for number in reversed(range(count)):
            section = road.sections[number]
            values = self._solve(number, _at_gate(behind, events, section), MISSED * (count - number))
            self._turns[number] = values
            arrival = tuple(places[start] for places, start in zip(section.places, section.starts, strict=True))
            # everybody walks through the gate, or nobody does any more
            behind, events = np.minimum(values[arrival] + PEOPLE, MISSED * (count - number)), section.events

    def _solve(self, number: int, at_gate: Turns, stopping: int) -> Turns:
        """Return the values of a section by those at its gate, and by that of stopping before it."""
        section = self.road.sections[number]
        values = np.full(_shape(self.road, section), stopping, np.int32)
        end = tuple(places[place] for places, place in zip(section.places, section.ends, strict=True))
        values[end] = at_gate
        views = [(values[before], values[after], turns) for before, after, turns in self._steps[number]]
        changed = True
        while changed:
            changed = False
            for before, after, turns in views:
                lower = after + turns
                if (lower < before).any():
                    changed = True
                    np.minimum(before, lower, out=before)
        return values

    def value(self, state: int) -> int:
        """Return the least turns to the goal, and `MISSED` for each gate that can no longer be raised."""
        if self.road.world.grounded.is_goal(state):
            return 0
        number, places, hands, events, steps = self.road.position(state)
        value = int(self._turns[number][places + hands + events])
        # who will not get to the next gate need not walk on
        return value + steps if value < MISSED * (len(self.road.sections) - number) else value

    def near(self, state: int) -> int:
        """Return the least turns to the next gate; `MISSED` if it can no longer be raised."""
        number, places, hands, events, steps = self.road.position(state)
        if number not in self._near:
            self._near[number] = self._solve(number, np.zeros(1, np.int32), MISSED)
        return min(MISSED, int(self._near[number][places + hands + events]) + steps)

    def best_choice(self, state: int) -> tuple[GroundAction, int]:
        """Return an action without a regret, and the state behind it. What is no step comes before steps."""
        value = self.value(state)
        best = (choice for choice in self.road.world.choices(state) if self.value(choice[1]) + 1 == value)
        return min(best, key=lambda choice: choice[0].name in WALKS)

    def best_plan(self) -> list[GroundAction]:
        """Return a shortest plan from the start. The goal has to be in reach."""
        plan, state = list[GroundAction](), self.road.world.initial
        while not self.road.world.grounded.is_goal(state):
            action, state = self.best_choice(state)
            plan.append(action)
        return plan


@lru_cache(4)
def level_values(level: Level) -> RoadValues | None:
    """Return the values of a level; None if it is no road."""
    if domain_name(level.problem) != ROAD:
        return None
    try:
        return RoadValues(Road(level_world(level)))
    except NotRoad:
        return None


def _shape(road: Road, section: Section) -> tuple[int, ...]:
    shape = (*map(len, section.places), *[1 + len(road.kinds)] * PEOPLE, *[2] * len(section.events))
    if (states := int(np.prod(shape, dtype=object))) > MOST_STATES:
        raise NotRoad(f"a section has {states:,} states, more than {MOST_STATES:,}")
    return shape


def _at_gate(behind: Turns, events: Sequence[int], section: Section) -> Turns:
    """Return the values behind a gate by the events of the section before it."""
    first: list[int | slice] = [slice(None)] * PEOPLE
    values = behind[(*first, *(slice(None) if event in section.events else 0 for event in events))]
    axes = [2 if event in events else 1 for event in section.events]
    return values.reshape(values.shape[:PEOPLE] + tuple(axes))


def _steps(road: Road, section: Section) -> Iterator[Step]:
    """Yield what each deed does with the states of a section."""
    shape = _shape(road, section)
    for deed in section.deeds:
        before, turns = _needs(road, section, deed), 1
        if before is None:
            continue
        after = dict(before)
        if deed.action.name in WALKS:
            person = road.people.index(deed.action.args[0])
            after[person], lane = section.where(person, deed.action.args[2])
            turns += lane
        after |= _changes(road, section, deed)
        open_axes = [axis for axis in after if axis not in before]
        for numbers in product(*(range(shape[axis]) for axis in open_axes)):
            start = before | dict(zip(open_axes, numbers, strict=True))
            end = start | after
            if start != end:
                yield Step(_index(start, len(shape)), _index(end, len(shape)), turns)


def _index(fixed: dict[int, int], axes: int) -> Index:
    return tuple(fixed.get(axis, slice(None)) for axis in range(axes))


def _needs(road: Road, section: Section, deed: Deed) -> dict[int, int] | None:
    """Return the number that a deed needs on each axis; None if it is never possible, or a step within a lane."""
    needs = road.needs_of(deed)
    if needs is None:
        return None
    numbers = {2 * PEOPLE + section.events.index(event): happened for event, happened in needs.items()}
    for atom in road.facts(deed.pre):
        person = road.people.index(atom.args[0]) if atom.args[0] in road.people else 0
        if atom.name == "at":
            if atom.args[1] in section.lanes[person]:
                return None
            numbers[person] = section.places[person][atom.args[1]]
        elif atom.name == "has":
            numbers[PEOPLE + person] = road.hand(atom.args[1])
        elif atom.name == "free-hands":
            numbers[PEOPLE + person] = 0
    return numbers


def _changes(road: Road, section: Section, deed: Deed) -> dict[int, int]:
    """Return the number that hands and events have behind a deed, by axis."""
    numbers = {2 * PEOPLE + section.events.index(event): 1 for event in road.change_of(deed)}
    for atom in road.facts(deed.add):
        if atom.name == "has":
            numbers[PEOPLE + road.people.index(atom.args[0])] = road.hand(atom.args[1])
        elif atom.name == "free-hands":
            numbers[PEOPLE + road.people.index(atom.args[0])] = 0
    return numbers
