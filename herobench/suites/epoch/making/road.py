"""Reads a level of the edition `epochs-road` as a road: sections between gates, and the little that crosses them.

Everybody has to stand at a gate before it is raised, and nobody comes back. So a state is a section, where each person
stands in it, what each holds, and which *events* happened: a thing was taken, a lock opened, a tree planted. An event
is a set of facts that change once, and together. It counts in the sections from the first to the last that can change
or need it: a tree may open or close a way many sections on.

Two kinds of places need no number. Who stands before a raised gate, or in a lane from which one path leads on, can only
walk on: that takes one turn for each step, and changes nothing for the others.

All of this is read off the grounded level and checked. `NotRoad` says in which way a level is no road.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from herobench.pddl import Atom, GroundAction
from herobench.pddl.task import bits
from herobench.suites.epoch.game.world import EpochWorld

PEOPLE = 3
WALKS = ("move", "pass")
_ONCE = ("lies", "open", "soil")
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
    places: tuple[int, ...]
    hands: tuple[int, ...]
    """The number of what each person holds; 0 for nothing."""
    events: tuple[int, ...]
    """1 for each event of the section that happened, else 0."""
    steps: int
    """The steps that people have to walk on anyway, beside the turns from these places."""


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
    places: tuple[Mapping[str, int], ...]
    """The number of each place of a person, without lanes."""
    lanes: tuple[Mapping[str, tuple[str, int]], ...]
    """For each lane of a person the place at its end, and the steps to there."""

    def where(self, person: int, place: str) -> tuple[int, int]:
        """Return the number of a person's place, or of that at the end of the lane, and the steps to there."""
        end, steps = self.lanes[person].get(place, (place, 0))
        return self.places[person][end], steps


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
    def _ways(self) -> Mapping[tuple[str, str], Sequence[tuple[str, str]]]:
        """For each person and place the places that ways lead to, each with the tool."""
        ways: dict[tuple[str, str], list[tuple[str, str]]] = {}
        for action in self.world.tool_actions:
            if action.name in WALKS:
                who, start, end = action.args
                ways.setdefault((who, start), []).append((end, action.name))
        return ways

    def _walk_gates(self) -> Iterator[tuple[str, tuple[str, ...], tuple[str, ...]]]:
        """Yield each gate with where people arrive and where they have to stand. Keep the homes of places."""
        at = {
            atom.args[0]: atom.args[1] for atom in self.world.grounded.atoms_of(self.world.initial) if atom.name == "at"
        }
        if at.keys() != {*self.people} or len(at) != PEOPLE:
            raise NotRoad(f"there are not {PEOPLE} people, each at a place")
        starts = tuple(at[person] for person in self.people)
        for section in range(len(self._meetings)):
            reach = [self._reach(person, start) for person, start in zip(self.people, starts, strict=True)]
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

    def _reach(self, person: str, start: str) -> set[str]:
        """Return where a person can walk from a place up to the next gate."""
        ends = {place for places in self._meetings.values() for place in places}
        reach, line = {start}, [start]
        for place in line:  # grows while it is read
            if place not in ends:
                new = [end for end, _ in self._ways.get((person, place), ()) if end not in reach]
                reach.update(new)
                line += new
        return reach

    def _sorted_deeds(self, count: int) -> list[list[Deed]]:
        """Return the deeds of each section; those that need no place are in all."""
        deeds: list[list[Deed]] = [[] for _ in range(count)]
        for action in self.world.tool_actions:
            places = self._places_in(action.pre)
            homes = {self._home[place][1] for place in places if place in self._home}
            if action.name in WALKS and action.args[1:] in self._beyond:
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
        return [atom.args[1] for atom in self.facts(mask) if atom.name == "at"]

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
        busy = {place for deed in deeds if deed.action.name not in WALKS for place in self._places_in(deed.pre)}
        if busy & {*ends}:
            raise NotRoad("something can be done before a gate")
        lanes, places = list[Mapping[str, tuple[str, int]]](), list[Mapping[str, int]]()
        for person, name in enumerate(self.people):
            own = sorted(place for place, home in self._home.items() if home == (person, number))
            onward = {
                place: ways[0][0]
                for place in own
                if place not in busy | {starts[person], ends[person]}
                and len(ways := self._ways.get((name, place), ())) == 1
                and ways[0][1] == "move"
            }
            lanes.append({place: _follow(onward, place) for place in onward})
            places.append({place: index for index, place in enumerate(sorted({*own} - onward.keys()))})
        events = tuple(sorted(event for event, (first, last) in spans.items() if first <= number <= last))
        return Section(starts, ends, tuple(deeds), events, tuple(places), tuple(lanes))

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
        section, steps, numbers = self.sections[number], 0, list[int]()
        for person, place in enumerate(places):
            behind = self._home[place][1] < number
            index, lane = section.where(person, section.starts[person] if behind else place)
            numbers.append(index)
            steps += lane + behind
        changed = state ^ self.world.initial
        events = tuple(changed >> event & 1 for event in section.events)
        return Position(number, tuple(numbers), tuple(hands), events, steps)

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


def _follow(onward: Mapping[str, str], place: str) -> tuple[str, int]:
    """Return the place at the end of a lane, and the steps to there."""
    steps = 0
    while place in onward:
        place, steps = onward[place], steps + 1
        if steps > len(onward):
            raise NotRoad(f"the lane of {place} leads back into itself")
    return place, steps
