"""Reads a level of the edition `epochs-road` as a road: sections between gates, and the little that crosses them.

Everybody has to stand at a gate before it is raised, and nobody comes back. So a state is a section, where each person
stands in it, what each holds, and which *events* happened: a thing was taken, a lock opened, a tree planted. An event
is a set of facts that change once, and together. It counts in the sections from the first to the last that can change
or need it: a tree may open or close a way many sections on.

Only places where something else than a move along a path can be done have a number. Who stands elsewhere can only walk
on: that takes one turn for each step, and changes nothing for the others. So a position has for each person the steps
to all numbered places.

All of this is read off the grounded level and checked. `NotRoad` says in which way a level is no road.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import prod
from typing import TYPE_CHECKING, NamedTuple

from herobench.pddl import Atom, GroundAction
from herobench.pddl.task import bits
from herobench.suites.epoch.game.level import Level
from herobench.suites.epoch.game.world import ROAD, EpochWorld, domain_name, level_world

if TYPE_CHECKING:
    from herobench.suites.epoch.making.values import RoadValues

PEOPLE = 3
FAR = 100_000
"""The steps to a place that cannot be reached along paths."""
MISSED = 2_000
"""The value of a gate that can no longer be raised: more than any number of turns."""
MOST_STATES = 12_000_000
"""The most states of a section."""
Steps = tuple[int, ...]
_ONCE = ("open", "soil")
"""The predicates of the facts that make up events."""


class NotRoad(Exception):
    """A level is no road. The text says why."""


class Deed(NamedTuple):
    """An action within a section, with the facts that it needs and changes. What follows by itself is among them."""

    action: GroundAction
    pre: int
    add: int
    delete: int


class Position(NamedTuple):
    """A state in the numbers of its section."""

    section: int
    steps: tuple[Steps, ...]
    """The steps of each person to each of their numbered places."""
    hands: tuple[int, ...]
    """The number of what each person holds; 0 for nothing."""
    events: tuple[int, ...]
    """1 for each event of the section that happened, else 0."""


@dataclass(frozen=True)
class Section:
    """The part of a road up to one gate."""

    starts: tuple[str, ...]
    """Where each person arrives."""
    ends: tuple[str, ...]
    """Where each person has to stand for the gate."""
    deeds: tuple[Deed, ...]
    events: tuple[int, ...]
    """The events that count here, each by its number, which is the lowest bit of its facts."""
    places: tuple[tuple[str, ...], ...]
    """The numbered places of each person."""
    steps: tuple[Mapping[str, Steps], ...]
    """The steps from each place of a person along paths to the numbered ones; `FAR` if no paths lead there."""


class Road:
    """A level as a road."""

    def __init__(self, world: EpochWorld) -> None:
        """Read the level. Raise NotRoad."""
        self.world = world
        self._atoms = world.grounded.atoms
        self.people = tuple(world.task.objects["character"])
        self.kinds = tuple(world.task.objects["item"])
        self._meetings = {args[0]: args[1:] for args in world.task.static["meeting"]}
        self._beyond = {(start, end) for _, start, end in world.task.static["beyond"]}
        self._home: dict[str, tuple[int, int]] = {}
        """The person and the section of each place."""
        borders = list(self._walk_gates())
        self.gates = tuple(gate for gate, _, _ in borders)
        if world.facts(world.grounded.goal) != [f"(raised {self.gates[-1]})"]:
            raise NotRoad("the goal is not that the last gate is raised")
        deeds = self._sorted_deeds(len(borders))
        self._event = dict(self._find_events(deeds))
        """The event of each bit that changes once."""
        spans = self._spans(deeds)
        self.sections = tuple(
            self._section(number, starts, ends, deeds[number], spans)
            for number, (_, starts, ends) in enumerate(borders)
        )

    @cached_property
    def _ways(self) -> Mapping[str, Sequence[str]]:
        """For each place the places that actions lead to; all people have places of their own."""
        ways: dict[str, list[str]] = {}
        for action in self.world.tool_actions:
            for end in self._places_in(action.add):
                ways.setdefault(self._places_in(action.delete)[0], []).append(end)
        return ways

    @cached_property
    def _paths(self) -> Mapping[str, Sequence[str]]:
        """For each place the places that paths lead to."""
        paths: dict[str, list[str]] = {}
        for start, end in self.world.task.static["path"]:
            paths.setdefault(start, []).append(end)
        return paths

    def _walk_gates(self) -> Iterator[tuple[str, tuple[str, ...], tuple[str, ...]]]:
        """Yield each gate with where people arrive and where they have to stand. Keep the homes of places."""
        at = {
            atom.args[0]: atom.args[1] for atom in self.world.grounded.atoms_of(self.world.initial) if atom.name == "at"
        }
        if at.keys() != {*self.people} or len(at) != PEOPLE:
            raise NotRoad(f"there are not {PEOPLE} people, each at a place")
        starts = tuple(at[person] for person in self.people)
        for section in range(len(self._meetings)):
            reach = [self._reach(start) for start in starts]
            for person, places in enumerate(reach):
                for place in sorted(places):
                    if self._home.setdefault(place, (person, section)) != (person, section):
                        raise NotRoad(f"{place} is in two sections, or two people walk there")
            near = [gate for gate, places in self._meetings.items() if all(own & {*places} for own in reach)]
            if len(near) != 1:
                raise NotRoad(f"{len(near)} gates can be reached from {' '.join(starts)}")
            ends = tuple(next(place for place in self._meetings[near[0]] if place in own) for own in reach)
            yield near[0], starts, ends
            onward = {start: end for start, end in self._beyond if start in ends}
            if len(onward) < PEOPLE:
                return
            starts = tuple(onward[end] for end in ends)

    def _reach(self, start: str) -> set[str]:
        """Return the places that can be reached from a place up to the next gate."""
        ends = {place for places in self._meetings.values() for place in places}
        reach, line = {start}, [start]
        for place in line:  # grows while it is read
            if place not in ends:
                new = [end for end in self._ways.get(place, ()) if end not in reach]
                reach.update(new)
                line += new
        return reach

    def _sorted_deeds(self, count: int) -> list[list[Deed]]:
        """Return the deeds of each section; those that need no place are in all."""
        deeds: list[list[Deed]] = [[] for _ in range(count)]
        for action in self.world.tool_actions:
            places = self._places_in(action.pre)
            homes = {self._home[place][1] for place in places if place in self._home}
            if action.name == "pass" and action.args[1:] in self._beyond:
                continue
            if len(homes) > 1:
                raise NotRoad(f"{action} joins two sections")
            add = self.world.rules.closure(action.add)
            for number in homes if places else range(count):
                deeds[number].append(Deed(action, action.pre, add, action.delete & ~add))
        return deeds

    def facts(self, mask: int) -> list[Atom]:
        """Return the facts of a mask."""
        return [self._atoms[bit] for bit in bits(mask)]

    def _places_in(self, mask: int) -> list[str]:
        """Return the places where facts say that people are."""
        return [self._atoms[bit].args[1] for bit in bits(mask & self._places_mask)]

    # -- events -------------------------------------------------------------------------------------------------------

    def _find_events(self, deeds: Sequence[Sequence[Deed]]) -> Iterator[tuple[int, int]]:
        """Yield each bit that changes once, with its event: bits that the same deeds change make up one."""
        changing: dict[int, set[GroundAction]] = {}
        for deed in (deed for own in deeds for deed in own):
            for bit in bits(deed.add | deed.delete):
                if self._atoms[bit].name in _ONCE:
                    changing.setdefault(bit, set()).add(deed.action)
                    if bool(self.world.initial >> bit & 1) == bool(deed.add >> bit & 1):
                        raise NotRoad(f"{self._atoms[bit]} can change back")
        numbers: dict[frozenset[GroundAction], int] = {}
        for bit in sorted(changing):
            yield bit, numbers.setdefault(frozenset(changing[bit]), bit)

    def _spans(self, deeds: Sequence[Sequence[Deed]]) -> Mapping[int, tuple[int, int]]:
        """Return the first and the last section in which each event counts."""
        spans: dict[int, tuple[int, int]] = {}
        for number, own in enumerate(deeds):
            for deed in own:
                for event in self._events_in(deed.pre | deed.add | deed.delete):
                    spans[event] = spans.get(event, (number, number))[0], number
        return spans

    def _events_in(self, mask: int) -> set[int]:
        return {self._event[bit] for bit in bits(mask) if bit in self._event}

    def change_of(self, deed: Deed) -> set[int]:
        """Return the events that happen by a deed."""
        return self._events_in(deed.add | deed.delete)

    def needs_of(self, deed: Deed) -> Mapping[int, int] | None:
        """Return for each event that a deed needs whether it has to have happened; None if it is never possible."""
        needs: dict[int, int] = {}
        for bit in bits(deed.pre):
            if self._atoms[bit].name in _ONCE:
                holds = self.world.initial >> bit & 1
                if bit in self._event:
                    needs[self._event[bit]] = 1 - holds
                elif not holds:
                    return None
        return needs

    # -- sections -----------------------------------------------------------------------------------------------------

    def _section(
        self,
        number: int,
        starts: tuple[str, ...],
        ends: tuple[str, ...],
        deeds: Sequence[Deed],
        spans: Mapping[int, tuple[int, int]],
    ) -> Section:
        busy = {place for deed in deeds if deed.action.name != "move" for place in self._places_in(deed.pre)}
        if busy & {*ends}:
            raise NotRoad("something can be done before a gate")
        places, steps = list[tuple[str, ...]](), list[Mapping[str, Steps]]()
        for person, end in enumerate(ends):
            own = sorted(place for place, home in self._home.items() if home == (person, number))
            places.append(tuple(place for place in own if place in busy or place == end))
            steps.append({place: self._steps(place, places[-1]) for place in own})
        events = tuple(sorted(event for event, (first, last) in spans.items() if first <= number <= last))
        section = Section(starts, ends, tuple(deeds), events, tuple(places), tuple(steps))
        if (states := prod(self.shape(section))) > MOST_STATES:
            raise NotRoad(f"a section has {states:,} states, more than {MOST_STATES:,}")
        return section

    def shape(self, section: Section) -> tuple[int, ...]:
        """Return how many events can have happened or not, and how many places and things in hands people can have."""
        return (*[2] * len(section.events), *map(len, section.places), *[1 + len(self.kinds)] * PEOPLE)

    def _steps(self, start: str, ends: Sequence[str]) -> Steps:
        """Return the steps from a place along paths to others."""
        steps, line = {start: 0}, [start]
        for place in line:  # grows while it is read
            for end in self._paths.get(place, ()):
                if end not in steps:
                    steps[end] = steps[place] + 1
                    line.append(end)
        return tuple(steps.get(end, FAR) for end in ends)

    # -- states -------------------------------------------------------------------------------------------------------

    def position(self, state: int) -> Position:
        """Return a state before the goal in the numbers of its section."""
        places, hands = [""] * PEOPLE, [0] * PEOPLE
        for bit in bits(state & self._telling):
            name, args = self._atoms[bit]
            if name == "at":
                places[self.people.index(args[0])] = args[1]
            elif name == "has":
                hands[self.people.index(args[0])] = self.hand(args[1])
        number = self.gate(state)
        section, steps = self.sections[number], list[Steps]()
        for person, place in enumerate(places):
            is_behind = self._home[place][1] < number
            own = section.steps[person][section.starts[person] if is_behind else place]
            steps.append(tuple(turns + is_behind for turns in own))
        changed = state ^ self.world.initial
        events = tuple(changed >> event & 1 for event in section.events)
        return Position(number, tuple(steps), tuple(hands), events)

    @cached_property
    def _places_mask(self) -> int:
        """The mask of the facts that say where people are."""
        return sum(1 << bit for bit, atom in enumerate(self._atoms) if atom.name == "at")

    @cached_property
    def _telling(self) -> int:
        """The mask of the facts that say where people are and what they have."""
        return sum(1 << bit for bit, atom in enumerate(self._atoms) if atom.name in ("at", "has"))

    def gate(self, state: int) -> int:
        """Return how many gates are raised, which is the number of the section, from 0."""
        return (state & self._raised).bit_count()

    @cached_property
    def _raised(self) -> int:
        return sum(self.world.mask(f"(raised {gate})") for gate in self.gates)

    def hand(self, thing: str) -> int:
        """Return the number of a thing in a hand."""
        return 1 + self.kinds.index(thing)


@lru_cache(4)
def level_road(level: Level) -> Road | None:
    """Return a level as a road; None if it is none."""
    if domain_name(level.problem) != ROAD:
        return None
    try:
        return Road(level_world(level))
    except NotRoad:
        return None


@lru_cache(4)
def level_values(level: Level) -> RoadValues | None:
    """Return the values of a level; None if it is no road."""
    from herobench.suites.epoch.making.values import RoadValues  # scoring a best plan does not wait for numpy

    road = level_road(level)
    return None if road is None else RoadValues(road)
