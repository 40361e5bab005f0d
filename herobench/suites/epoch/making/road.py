"""Reads a level of the edition `epochs-road` as a road: sections between gates, and the part of each person in them.

Both people have to stand at a gate before it is raised, and nobody comes back. Within a section the two meet at booths
only. So a section is a part for each person: the states in which that person can be, and the *strides* between them.
A state is a mask of the facts about the person, and of those that the person changes there for good, such as a tree
that is planted. Other people meet such a change in later sections only, so it crosses gates as one of the few *lasting*
facts.

All of this is read off the grounded level and checked. `NotRoad` says in which way a level is no road.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from herobench.pddl.task import bits
from herobench.suites.epoch.game.level import Level
from herobench.suites.epoch.game.world import ROAD, EpochWorld, domain_name, level_world

if TYPE_CHECKING:
    from herobench.suites.epoch.making.values import RoadValues

PEOPLE = 2
MOST_HOURS = 100
"""The most hours of an action."""
MOST_STATES = 4_000
"""The most states of a person in a section."""


class NotRoad(Exception):
    """A level is no road. The text says why."""


class Deed(NamedTuple):
    """An action within a section. What follows from it by itself is among the facts that it adds."""

    pre: int
    add: int
    delete: int
    hours: int


class Stride(NamedTuple):
    """A deed of one person leads from one state of that person to another."""

    before: int
    after: int
    """The numbers of the two states."""
    hours: int
    needs: int
    """The lasting facts of earlier sections that it needs."""


class Gift(NamedTuple):
    """One person sends the other a thing. For each of them, state n of `before` becomes state n of `after`."""

    before: tuple[Sequence[int], ...]
    after: tuple[Sequence[int], ...]
    hours: int


class Hands(NamedTuple):
    """The facts about the two hands of a person. Hands are alike, so of two states that differ in which hand holds what
    only one is kept.
    """

    left: int
    right: int
    mirror: Mapping[int, int]
    """For each fact about one hand the same about the other."""

    def sort(self, state: int) -> int:
        """Return the state that is kept."""
        left, right = state & self.left, state & self.right
        swapped = self.mirror.get(left, 0) | self.mirror.get(right, 0)
        return min(state, state & ~(left | right) | swapped)


@dataclass(frozen=True)
class Part:
    """The part of one person in a section."""

    hands: Hands
    own: int
    """The facts that make up a state."""
    makes: int
    """Those of them that the person changes here for good."""
    fresh: int
    """Those of these that are true at the start."""
    numbers: Mapping[int, int]
    """The number of each state."""
    strides: Sequence[Stride]
    entries: Sequence[int]
    """The numbers of the states in which the person can arrive: those before the gate of the section before."""
    ends: Sequence[int]
    """The numbers of the states in which the person stands at the gate."""

    @cached_property
    def states(self) -> Sequence[int]:
        """The states in the order of their numbers."""
        return [*self.numbers]

    def number(self, state: int) -> int:
        """Return the number of the person's part of a state."""
        return self.numbers[self.hands.sort(state & self.own)]

    def entry(self, state: int) -> int:
        """Return the number of the state of a person who stands before the gate of the section before."""
        return self.numbers[state & self.own & ~self.makes | self.fresh]

    @cached_property
    def needs(self) -> int:
        """The lasting facts of earlier sections that count in this part."""
        return _union(stride.needs for stride in self.strides)


@dataclass(frozen=True)
class Section:
    """The part of a road up to one gate."""

    gate: str
    parts: tuple[Part, ...]
    gifts: Sequence[Gift]
    lasting: int
    """The facts of earlier sections that can have changed and count from here on."""


class _Border(NamedTuple):
    """A gate with the places of each person: where they come from, and where they have to stand."""

    gate: str
    starts: tuple[str, ...]
    ends: tuple[str, ...]
    reach: tuple[frozenset[str], ...]
    """All places that each person can get to."""


class Road:
    """A level as a road."""

    def __init__(self, world: EpochWorld) -> None:
        """Read the level. Raise NotRoad."""
        if domain_name(world.level.problem) != ROAD:
            raise NotRoad(f"the level is not of the domain {ROAD}")
        self.world = world
        self._atoms = world.grounded.atoms
        self.people = tuple(world.task.objects["character"])
        if len(self.people) != PEOPLE:
            raise NotRoad(f"there are not {PEOPLE} people")
        if world.unstable:
            raise NotRoad("facts fade")
        self._about = tuple(
            sum(1 << bit for bit, atom in enumerate(self._atoms) if atom.args[:1] == (person,))
            for person in self.people
        )
        """The facts about each person."""
        self._hands = tuple(map(self._read_hands, self.people))
        self._refuse_odd_starts()
        borders = list(self._walk_gates())
        self.gates = tuple(border.gate for border in borders)
        if not self.gates or world.facts(world.grounded.goal) != [f"(raised {self.gates[-1]})"]:
            raise NotRoad("the goal is not that the last gate is raised")
        self._refuse_odd_actions()
        deeds = [[*self._deeds_of(border)] for border in borders]
        makes = [tuple(self._lasting_changes(own, person) for person in range(PEOPLE)) for own in deeds]
        self.sections = tuple(self._read_sections(borders, deeds, makes))

    def _refuse_odd_starts(self) -> None:
        """Refuse what no action of a road leads to."""
        initial = self.world.initial
        for person, about, hands in zip(self.people, self._about, self._hands, strict=True):
            if any((initial & hand).bit_count() != 1 for hand in (hands.left, hands.right)):
                raise NotRoad(f"a hand of {person} is not either empty or with one thing")
            if (initial & about & self._at).bit_count() != 1:
                raise NotRoad(f"{person} is not at one place")
        if any(self._atoms[bit].name == "raised" for bit in bits(initial)):
            raise NotRoad("a gate is raised at the start")
        if initial & self._onward:
            raise NotRoad("a way beyond a gate is open at the start")
        if len({args[0] for args in self.world.task.static["meeting"]}) < len(self.world.task.static["meeting"]):
            raise NotRoad("a gate has two meetings")

    def _refuse_odd_actions(self) -> None:
        """Refuse actions whose hours are none or too many, and ways past a gate that is not raised."""
        beyond = {args[1:] for args in self.world.task.static["beyond"]}
        for action in self.world.tool_actions:
            if not 0 < self.world.hours(action) <= MOST_HOURS:
                raise NotRoad(f"{action} takes {self.world.hours(action)} hours, not 1 to {MOST_HOURS}")
            if action.args[-2:] in beyond and action.name != "pass":
                raise NotRoad(f"{action} leads beyond a gate")

    def gate(self, state: int) -> int:
        """Return how many gates are raised, which is the number of the section, from 0."""
        return (state & self._raised).bit_count()

    def _read_hands(self, person: str) -> Hands:
        """Return the hands of a person. Raise NotRoad if there are not two alike."""
        names = self.world.task.objects["hand"]
        facts = [
            {atom._replace(args=(*atom.args[:1], *atom.args[2:])): 1 << bit for bit, atom in own.items()}
            for own in (
                {bit: atom for bit, atom in enumerate(self._atoms) if atom.args[:2] == (person, name)} for name in names
            )
        ]
        if len(facts) != 2 or facts[0].keys() != facts[1].keys():
            raise NotRoad(f"{person} does not have two hands that are alike")
        mirror = {own[fact]: other[fact] for own, other in (facts, reversed(facts)) for fact in own}
        return Hands(sum(facts[0].values()), sum(facts[1].values()), mirror)

    @cached_property
    def _raised(self) -> int:
        return sum(self.world.mask(f"(raised {gate})") for gate in self.gates)

    @cached_property
    def _onward(self) -> int:
        """The facts that the ways beyond gates are open."""
        beyond = self.world.task.static["beyond"]
        return sum(self.world.mask(f"(open {start} {end})") for _, start, end in beyond)

    # -- gates --------------------------------------------------------------------------------------------------------

    def _walk_gates(self) -> Iterator[_Border]:
        """Yield the gates in their order."""
        facts = self.world.grounded.atoms_of(self.world.initial)
        at = {atom.args[0]: atom.args[1] for atom in facts if atom.name == "at"}
        meetings = {args[0]: args[1:] for args in self.world.task.static["meeting"]}
        onward = {start: end for _, start, end in self.world.task.static["beyond"]}
        starts, seen = tuple(at[person] for person in self.people), set[str]()
        for _ in meetings:
            reach = tuple(self._reach(start, {*onward}) for start in starts)
            new = [own - {start} for own, start in zip(reach, starts, strict=True)]
            places = [place for own in new for place in own]
            if len({*places}) < len(places) or seen & {*places}:
                raise NotRoad("a place is in two sections, or both people walk there")
            seen |= {*places}
            near = [gate for gate, ends in meetings.items() if all(own & {*ends} for own in new)]
            if len(near) != 1:
                raise NotRoad(f"{len(near)} gates can be reached from {' '.join(starts)}")
            ends = tuple(next(place for place in meetings[near[0]] if place in own) for own in new)
            yield _Border(near[0], starts, ends, reach)
            if not all(end in onward for end in ends):
                return
            starts = ends

    def _reach(self, start: str, stops: set[str]) -> frozenset[str]:
        """Return the places that can be reached from a place up to the next gate."""
        reach, line = {start}, [start]
        for place in line:  # grows while it is read
            if place == start or place not in stops:
                new = [end for end in self._ways.get(place, ()) if end not in reach]
                reach.update(new)
                line += new
        return frozenset(reach)

    @cached_property
    def _ways(self) -> Mapping[str, Sequence[str]]:
        """For each place the places that actions lead to; both people have places of their own."""
        ways: dict[str, list[str]] = {}
        for action in self.world.tool_actions:
            for end in self._places_in(action.add):
                ways.setdefault(self._places_in(action.pre)[0], []).append(end)
        return ways

    def _places_in(self, mask: int) -> list[str]:
        """Return the places where facts say that people are."""
        return [self._atoms[bit].args[1] for bit in bits(mask & self._at)]

    @cached_property
    def _at(self) -> int:
        """The facts that say where people are."""
        return sum(1 << bit for bit, atom in enumerate(self._atoms) if atom.name == "at")

    # -- deeds --------------------------------------------------------------------------------------------------------

    def _deeds_of(self, border: _Border) -> Iterator[Deed]:
        """Yield the deeds of a section: those at its places, and those that need no place."""
        behind = {(end, onward) for _, end, onward in self.world.task.static["beyond"] if end in border.ends}
        places = frozenset().union(*border.reach)
        for action in self.world.tool_actions:
            if {*self._places_in(action.pre)} <= places and action.args[-2:] not in behind:
                add = self.world.rules.closure(action.add)
                hours = self.world.hours(action)
                yield Deed(action.pre, add & ~self._raised, action.delete & ~add, hours)

    def _lasting_changes(self, deeds: Sequence[Deed], person: int) -> int:
        """Return the facts about nobody that deeds of a person change."""
        changed = 0
        for deed in deeds:
            if deed.pre & self._about[person]:
                changed |= deed.add | deed.delete
        return changed & ~sum(self._about)

    def _read_sections(
        self, borders: Sequence[_Border], deeds: Sequence[Sequence[Deed]], makes: Sequence[tuple[int, ...]]
    ) -> Iterator[Section]:
        entries: list[set[int]] = [
            {hands.sort(self.world.initial & about)} for about, hands in zip(self._about, self._hands, strict=True)
        ]
        needed = [0]
        for own in reversed(deeds):
            needed.append(needed[-1] | _union(deed.pre for deed in own) & ~sum(self._about))
        earlier = 0
        for number, border in enumerate(borders):
            if _union(makes[number]) & (earlier | self._onward):
                raise NotRoad(f"what is changed before {border.gate} is changed by other deeds too")
            if any(own & other for own, other in zip(makes[number], reversed(makes[number]), strict=True)) or any(
                deed.pre & made & ~self._about[person] and not deed.pre & self._about[person]
                for deed in deeds[number]
                for person, made in enumerate(makes[number])
            ):
                raise NotRoad(f"what somebody changes before {border.gate} counts there for another person")
            parts, gifts = self._read_parts(border, deeds[number], makes[number], entries, earlier)
            yield Section(border.gate, parts, gifts, earlier & needed[len(borders) - number])
            entries = [
                {part.states[end] & about for end in part.ends} for part, about in zip(parts, self._about, strict=True)
            ]
            earlier |= _union(makes[number])

    # -- parts --------------------------------------------------------------------------------------------------------

    def _read_parts(
        self,
        border: _Border,
        deeds: Sequence[Deed],
        makes: Sequence[int],
        entries: Sequence[set[int]],
        earlier: int,
    ) -> tuple[tuple[Part, ...], Sequence[Gift]]:
        """Return the parts of both people in a section, and what they can give each other."""
        never = ~(self.world.initial | self._onward | earlier)
        owns = [about | made for about, made in zip(self._about, makes, strict=True)]
        possible = [deed for deed in deeds if not deed.pre & never & ~_union(owns)]
        both = [deed for deed in possible if all(deed.pre & about for about in self._about)]
        parts = list[Part]()
        for person, own in enumerate(owns):
            alone = [deed for deed in possible if deed.pre & self._about[person] and deed not in both]
            fresh = self.world.initial & makes[person]
            begin = [entry | fresh for entry in sorted(entries[person])]
            numbers, strides = self._explore(begin, alone, both, own, earlier, self._hands[person])
            end = self.world.mask(f"(at {self.people[person]} {border.ends[person]})")
            ends = [number for state, number in numbers.items() if state & end]
            part = Part(self._hands[person], own, makes[person], fresh, numbers, strides, range(len(begin)), ends)
            parts.append(part)
        return tuple(parts), tuple(_gift(deed, parts) for deed in both)

    def _explore(
        self, begin: Sequence[int], alone: Sequence[Deed], both: Sequence[Deed], own: int, earlier: int, hands: Hands
    ) -> tuple[dict[int, int], list[Stride]]:
        """Return the states of a person, as if the other person gave all that can be given, and the strides."""
        numbers, strides = {state: number for number, state in enumerate(begin)}, list[Stride]()
        by_place, gifts = dict[int, list[tuple[Deed, bool]]](), {*both}
        for deed in (*alone, *both):
            by_place.setdefault(deed.pre & own & self._at, []).append((deed, deed in gifts))
        for state in (line := [*begin]):  # grows while it is read
            for deed, is_gift in (*by_place.get(state & self._at, ()), *by_place.get(0, ())):
                if deed.pre & own & ~state:
                    continue
                after = hands.sort(state & ~deed.delete | deed.add & own)
                if after not in numbers:
                    numbers[after] = len(line)
                    line.append(after)
                if not is_gift:
                    strides.append(Stride(numbers[state], numbers[after], deed.hours, deed.pre & ~own & earlier))
            if len(line) > MOST_STATES:
                raise NotRoad(f"a person has more than {MOST_STATES:,} states in a section")
        return numbers, strides


def _gift(deed: Deed, parts: Sequence[Part]) -> Gift:
    pairs = [
        [
            (number, part.number(state & ~deed.delete | deed.add))
            for number, state in enumerate(part.states)
            if not deed.pre & part.own & ~state
        ]
        for part in parts
    ]
    before, after = (tuple(tuple(pair[side] for pair in own) for own in pairs) for side in (0, 1))
    return Gift(before, after, deed.hours)


def _union(masks: Iterable[int]) -> int:
    union = 0
    for mask in masks:
        union |= mask
    return union


@lru_cache(4)
def level_values(level: Level) -> RoadValues | None:
    """Return the values of a level; None if it is no road, or states no least hours."""
    if level.least is None:
        return None
    from herobench.suites.epoch.making.values import RoadValues  # scoring a best plan does not wait for numpy

    try:
        return RoadValues(Road(level_world(level)))
    except NotRoad:
        return None
