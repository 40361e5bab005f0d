"""The backward solver of roads: the least hours to the goal from every state, section by section.

The hours of a plan are those of its actions, so the order of two people's actions counts only where they meet: at
booths, and at the gate. So the least hours of a section are those of each person alone, to each state before the gate
or at a booth, joined by the values of the pairs of states there. A join is a product of matrices in which a sum takes
the place of a product, and the least of a sum. Little crosses a gate, so the cost of a road grows with its length only.

The value of a state is exact at any length, and so is the *regret* of an action: its hours, and the value behind it
less the value before.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from herobench.pddl import GroundAction
from herobench.suites.epoch.making.road import NotRoad, Road, Section

Hours = NDArray[np.int16]
FAR = 10_000
"""The hours to what is out of reach. Three of them can be added up."""
MOST_GATES, MOST_HOURS_TO_GATE = 32, 150
"""The most gates, and the most hours of a person to the next one: so the hours to the goal are below `FAR`."""


class RoadValues:
    """The values of all states of a road."""

    def __init__(self, road: Road) -> None:
        """Solve the road. Raise NotRoad if it is too long, or somebody can get stuck."""
        self.road = road
        self._sections: dict[tuple[int, int], SectionValues] = {}
        """The values of each section with the lasting facts of earlier ones."""
        self._near: dict[tuple[int, int], SectionValues] = {}
        """Those of the way to the next gate alone."""
        self._walks: dict[tuple[int, int, int], PartWalks] = {}
        """The walks of each person in each section, with the lasting facts that they need."""
        if len(road.sections) > MOST_GATES:
            raise NotRoad(f"there are more than {MOST_GATES} gates")
        self.value(road.world.initial)

    def value(self, state: int) -> int:
        """Return the least hours to the goal."""
        number = self.road.gate(state)
        if number == len(self.road.sections):
            return 0
        return self._section(number, state).value(state)

    def near(self, state: int) -> int:
        """Return the least hours to the next gate."""
        number = self.road.gate(state)
        section = self.road.sections[number]
        key = number, state & section.lasting
        if key not in self._near:
            walks = self._section(number, state).walks
            ends = np.zeros([len(part.ends) for part in section.parts], np.int16)
            self._near[key] = SectionValues(section, walks, ends)
        return self._near[key].value(state)

    def best_choice(self, state: int) -> tuple[GroundAction, int]:
        """Return an action without a regret, and the state behind it. What is no step comes before steps."""
        world, value = self.road.world, self.value(state)
        best = (choice for choice in world.choices(state) if self.value(choice[1]) + world.hours(choice[0]) == value)
        return min(best, key=lambda choice: choice[0].name in ("move", "pass"))

    def best_plan(self) -> list[GroundAction]:
        """Return a plan of the least hours from the start."""
        plan, state = list[GroundAction](), self.road.world.initial
        while not self.road.world.grounded.is_goal(state):
            action, state = self.best_choice(state)
            plan.append(action)
        return plan

    def _section(self, number: int, state: int) -> SectionValues:
        """Return the values of a section in which a state is, or which it gets to."""
        section = self.road.sections[number]
        key = number, state & section.lasting
        if key not in self._sections:
            walks = tuple(self._part_walks(number, person, key[1]) for person in range(len(section.parts)))
            self._sections[key] = SectionValues(section, walks, self._behind(number, state))
        return self._sections[key]

    def _part_walks(self, number: int, person: int, lasting: int) -> PartWalks:
        section = self.road.sections[number]
        key = number, person, lasting & section.parts[person].needs
        if key not in self._walks:
            self._walks[key] = PartWalks(section, person, lasting)
        return self._walks[key]

    def _behind(self, number: int, state: int) -> Hours:
        """Return the values of all pairs of states before the gate of a section."""
        parts = self.road.sections[number].parts
        ends = [[part.states[end] for end in part.ends] for part in parts]
        hours = np.zeros([*map(len, ends)], np.int16)
        if number + 1 == len(self.road.sections):
            return hours
        later = self.road.sections[number + 1]
        rows = [
            np.array([next_part.entry(end) for end in own]) for own, next_part in zip(ends, later.parts, strict=True)
        ]
        changes = [np.array([end & part.makes for end in own], object) for own, part in zip(ends, parts, strict=True)]
        changing = parts[0].makes | parts[1].makes
        for first in {*changes[0]}:
            for second in {*changes[1]}:
                block = np.ix_(changes[0] == first, changes[1] == second)
                entries = self._section(number + 1, state & ~changing | first | second).entries
                hours[block] = entries[np.ix_(rows[0][changes[0] == first], rows[1][changes[1] == second])]
        return hours


class PartWalks:
    """The least hours of a person alone, from each state of a part to those at the gate and at booths."""

    def __init__(self, section: Section, person: int, lasting: int) -> None:
        """Find them for some lasting facts. Raise NotRoad if the gate is too far from some state, or out of reach."""
        part = section.parts[person]
        sides = [side[person] for gift in section.gifts for side in (gift.before, gift.after)]
        self.booths = sorted({*chain(*sides)})
        """The numbers of the states in which something can be given or is received."""
        targets = [*part.ends, *self.booths]
        hours = np.full((len(part.states), len(targets)), FAR, np.int16)
        hours[targets, np.arange(len(targets))] = 0
        rounds = list[list[Any]]()
        """The strides in rounds, in which no two begin in the same state."""
        counts = [0] * len(part.states)
        for stride in part.strides:
            if not stride.needs & ~lasting:
                if counts[stride.before] == len(rounds):
                    rounds.append([])
                rounds[counts[stride.before]].append(stride[:3])
                counts[stride.before] += 1
        columns = [np.array(own, np.int16).T for own in rounds]
        while True:
            old = hours.copy()
            for before, after, own in columns:
                hours[before] = np.minimum(hours[before], hours[after] + own[:, None])
            if np.array_equal(old, hours):
                break
        self.to_ends, self.to_booths = hours[:, : len(part.ends)], hours[:, len(part.ends) :]
        if (self.to_ends.min(axis=1) > MOST_HOURS_TO_GATE).any():
            raise NotRoad(f"somebody can be more than {MOST_HOURS_TO_GATE} hours from {section.gate}")


class SectionValues:
    """The values of all states of a section, by those of the pairs of states before its gate."""

    def __init__(self, section: Section, walks: tuple[PartWalks, ...], ends: Hours) -> None:
        self.walks = walks
        self._parts, self._ends = section.parts, ends
        self._booths: Hours | None = None
        """The values of the pairs of states at booths; None if nothing can be given."""
        self._booths = self._meet(section)

    def value(self, state: int) -> int:
        """Return the value of a state of the section."""
        rows = [[part.number(state)] for part in self._parts]
        return int(self._join(rows[0], rows[1])[0, 0])

    @cached_property
    def entries(self) -> Hours:
        """The values of all pairs of states in which people arrive."""
        return self._join(self._parts[0].entries, self._parts[1].entries)

    def _join(self, first: Sequence[int], second: Sequence[int]) -> Hours:
        """Return the values of all pairs of some states of both people."""
        one, other = self.walks
        hours = least_sums(one.to_ends[first], least_sums(self._ends, other.to_ends[second].T))
        if self._booths is not None:
            met = least_sums(one.to_booths[first], least_sums(self._booths, other.to_booths[second].T))
            hours = np.minimum(hours, met)
        return hours

    def _meet(self, section: Section) -> Hours | None:
        """Return the values of the pairs of states at booths, at first as if nothing could be given."""
        one, other = self.walks
        if not (one.booths and other.booths):
            return None
        hours = self._join(one.booths, other.booths)
        places = [{booth: place for place, booth in enumerate(walks.booths)} for walks in self.walks]
        gifts = [
            [
                np.ix_(*([place[each] for each in own] for place, own in zip(places, side, strict=True)))
                for side in (gift.before, gift.after)
            ]
            for gift in section.gifts
        ]
        while True:
            old = hours.copy()
            for (before, after), gift in zip(gifts, section.gifts, strict=True):
                hours[before] = np.minimum(hours[before], hours[after] + np.int16(gift.hours))
            again = least_sums(one.to_booths[one.booths], least_sums(hours, other.to_booths[other.booths].T))
            hours = np.minimum(hours, again)
            if np.array_equal(old, hours):
                return hours


def least_sums(left: Hours, right: Hours) -> Hours:
    """Return for each row of the left and each column of the right the least sum of their numbers in turn."""
    if not left.shape[1]:
        return np.full((left.shape[0], right.shape[1]), FAR, np.int16)
    if right.shape[1] < left.shape[0]:
        return least_sums(right.T, left.T).T
    return np.stack([(row[:, None] + right).min(axis=0, initial=FAR) for row in left])
