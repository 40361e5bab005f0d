"""The backward solver of roads: the least number of turns to the goal from every state, section by section.

Little crosses a gate: what each person holds, and events that count behind it. So the values of a section follow from
those behind its gate, and the cost of a road grows with its length only. Within a section all states are an array:
events, three places, and three hands. Events never change back, so the states of some events are solved after those of
more events. A deed is a pair of views of them, the states before and those behind. Values are lowered along all deeds
until nothing changes.

A lost state has a value too: the gates that can no longer be raised, each as `MISSED`, and the turns up to the last one
that can. The value of a state is exact at any length, and so is the *regret* of an action: its turn, and the value
behind it less the value before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from herobench.pddl import GroundAction
from herobench.suites.epoch.making.road import FAR, MISSED, PEOPLE, Deed, Position, Road, Section, Steps

Turns = NDArray[np.int16]
Index = tuple[int | slice, ...]


class Step(NamedTuple):
    """A deed as two parts of the array of a section, the events that it needs and changes, and its turns."""

    before: Index
    after: Index
    needs: Mapping[int, int]
    """The events that the deed needs, by their axis: 1 for one that has happened, 0 for one that has not."""
    happens: frozenset[int]
    """The axes of the events that happen."""
    turns: int


class RoadValues:
    """The values of all states of a road."""

    def __init__(self, road: Road) -> None:
        """Solve the road."""
        self.road = road
        self._turns: dict[int, Turns] = {}
        self._near: dict[int, Turns] = {}
        """The turns to the next gate alone, by section."""
        count = len(road.sections)
        self._steps = [list(_steps(road, section)) for section in road.sections]
        behind, events = np.zeros((1,) * PEOPLE, np.int16), tuple[int, ...]()
        for number in reversed(range(count)):
            section = road.sections[number]
            values = self._solve(number, behind, events, MISSED * (count - number))
            self._turns[number] = values
            starts = (steps[start] for steps, start in zip(section.steps, section.starts, strict=True))
            # everybody walks through the gate, or nobody does any more
            behind = np.minimum(_walk(values, len(section.events), starts) + PEOPLE, MISSED * (count - number))
            events = section.events

    def _solve(self, number: int, behind: Turns, later: Sequence[int], stopping: int) -> Turns:
        """Return the values of a section by those behind its gate with its events, and by that of stopping before."""
        section = self.road.sections[number]
        values = np.full(self.road.shape(section), stopping, np.int16)
        end = tuple(places.index(place) for places, place in zip(section.places, section.ends, strict=True))
        for events in product((1, 0), repeat=len(section.events)):
            layer, steps = values[events], list[tuple[Turns, Turns, int]]()
            happened = dict(zip(section.events, events, strict=True))
            layer[end] = behind[tuple(happened.get(event, 0) for event in later)]
            for before, after, needs, happens, turns in self._steps[number]:
                if all(events[axis] == bit for axis, bit in needs.items()):
                    then = tuple(1 if axis in happens else bit for axis, bit in enumerate(events))
                    steps.append((layer[before], values[then][after], turns))
            _lower(layer, steps)
        return values

    def value(self, state: int) -> int:
        """Return the least turns to the goal, and `MISSED` for each gate that can no longer be raised."""
        if self.road.world.grounded.is_goal(state):
            return 0
        position = self.road.position(state)
        stopping = MISSED * (len(self.road.sections) - position.section)
        # who will not get to the next gate need not walk on
        return min(stopping, _at(self._turns[position.section], position))

    def near(self, state: int) -> int:
        """Return the least turns to the next gate; `MISSED` if it can no longer be raised."""
        position = self.road.position(state)
        number = position.section
        if number not in self._near:
            self._near[number] = self._solve(number, np.zeros(1, np.int16), (), MISSED)
        return min(MISSED, _at(self._near[number], position))

    def best_choice(self, state: int) -> tuple[GroundAction, int]:
        """Return an action without a regret, and the state behind it. What is no step comes before steps."""
        value = self.value(state)
        best = (choice for choice in self.road.world.choices(state) if self.value(choice[1]) + 1 == value)
        return min(best, key=lambda choice: choice[0].name in ("move", "pass"))

    def best_plan(self) -> list[GroundAction]:
        """Return a shortest plan from the start. The goal has to be in reach."""
        plan, state = list[GroundAction](), self.road.world.initial
        while not self.road.world.grounded.is_goal(state):
            action, state = self.best_choice(state)
            plan.append(action)
        return plan


def _at(values: Turns, position: Position) -> int:
    """Return the value of a position: everybody walks to the best of their numbered places."""
    index: Index = (*position.events, *[slice(None)] * PEOPLE, *position.hands)
    first, second, third = (np.array(own, np.int32) for own in position.steps)
    return int((values[index] + first[:, None, None] + second[:, None] + third).min())


def _walk(values: NDArray[Any], axis: int, steps: Iterable[Steps]) -> NDArray[Any]:
    """Return the values of people who walk to the best of their numbered places, whose axes begin with one."""
    for own in steps:
        values = (np.moveaxis(values, axis, -1) + np.array(own, np.int32)).min(axis=-1)
    return values


def _lower(layer: Turns, steps: Sequence[tuple[Turns, Turns, int]]) -> None:
    """Lower values along steps until nothing changes."""
    while True:
        old = layer.copy()
        for before, after, turns in steps:
            np.minimum(before, after + turns, out=before)
        if np.array_equal(old, layer):
            return


def _steps(road: Road, section: Section) -> Iterator[Step]:
    """Yield what walks and deeds do with the states of a section."""
    for person, places in enumerate(section.places):
        for start, place in enumerate(places):
            for end, turns in enumerate(section.steps[person][place]):
                if start != end and turns < FAR:
                    yield Step(_index({person: start}), _index({person: end}), {}, frozenset(), turns)
    axes = {event: axis for axis, event in enumerate(section.events)}
    for deed in section.deeds:
        needs = road.needs_of(deed)
        if deed.action.name == "move" or needs is None:
            continue
        before, after = _numbers(road, section, deed.pre), _numbers(road, section, deed.add)
        happens = frozenset(axes[event] for event in road.change_of(deed))
        own_needs = {axes[event]: bit for event, bit in needs.items()}
        for place_numbers, turns in _ends(road, section, deed):
            yield Step(_index(before), _index(before | after | place_numbers), own_needs, happens, 1 + turns)


def _index(fixed: dict[int, int]) -> Index:
    return tuple(fixed.get(axis, slice(None)) for axis in range(2 * PEOPLE))


def _numbers(road: Road, section: Section, mask: int) -> dict[int, int]:
    """Return the numbers of places and hands that facts tell, by axis."""
    numbers: dict[int, int] = {}
    for atom in road.facts(mask):
        if atom.name in ("at", "has", "free-hands"):
            person = road.people.index(atom.args[0])
            if atom.name != "at":
                numbers[PEOPLE + person] = road.hand(atom.args[1]) if atom.name == "has" else 0
            elif atom.args[1] in section.places[person]:
                numbers[person] = section.places[person].index(atom.args[1])
    return numbers


def _ends(road: Road, section: Section, deed: Deed) -> Iterator[tuple[dict[int, int], int]]:
    """Yield each numbered place to which a deed takes a person, by axis, with the steps to there from its end."""
    place = next((atom.args[1] for atom in road.facts(deed.add) if atom.name == "at"), None)
    if place is None:
        yield {}, 0
        return
    person = road.people.index(deed.action.args[0])
    for end, turns in enumerate(section.steps[person][place]):
        if turns < FAR:
            yield {person: end}, turns
