"""Draws the problem of a road: its sections with a small map for each person, and the things that lie there.

Each map has a long way from its entry to its arch. Doors and trees open short ways from a few *sites*, and branches
lead to other sites, where things lie, trees grow and booths stand. Nothing is needed, and all of it saves a few turns.
So many ways through a section take nearly as long, and what is picked up or spent on one of them is at hand, or
missing, behind the next gates. All names and choices come from one seeded source.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, permutations
from random import Random

EPOCHS = ("past", "present", "future")
PEOPLE = tuple("ada bruno celia edith felix greta hester hugo iris jonas klara milo mina nestor olive quill".split())
METALS = tuple("brass bronze copper iron jade lead pewter silver steel tin zinc".split())
TREES = tuple("alder ash beech birch elm larch linden maple oak rowan willow".split())
METAL_COUNT, USES = 3, 3
"""The metals of keys, and the uses of a new key."""

_STEPS = (4, 7)
"""The least and the most steps of a long way."""
_BRANCHES = 2
"""The branches of a map."""
_LINKED = 0.6
"""The chance that one booth is linked to another."""
_DOOR, _SIDE_DOOR = 0.6, 0.3
"""The chances that a site of the way, and the end of a branch, has a door of a metal."""
_NEW = 0.75
"""The chance that a key that lies somewhere has all its uses."""
_KEYS = (3, 4)
"""The least and the most keys that lie in a section."""
_MOST_TREES = 2
"""The most trees that count in a section."""
Spot = tuple[int, str]
"""A section, from 1, and an epoch."""


@dataclass
class Map:
    """The places of one person in one section."""

    spot: Spot
    way: Sequence[str]
    """The long way, from the entry to the arch."""
    sites: dict[str, int]
    """The places where something can be done, each with the index of the place on the way that it is next to."""
    hub: int
    """The index of the site on the way."""


@dataclass
class RoadDraft:
    """A road while it is drawn."""

    chance: Random
    gates: int
    reach: int
    """The most gates between a tree and the way that it overgrows."""
    people: list[str] = field(init=False)
    metals: list[str] = field(init=False)
    sapling: str = field(init=False)
    facts: dict[str, None] = field(default_factory=dict)
    places: list[str] = field(default_factory=list)
    maps: dict[Spot, Map] = field(default_factory=dict)
    trees: dict[int, int] = field(default_factory=dict)
    """The trees that count in each section."""
    opened: set[tuple[str, str]] = field(default_factory=set)
    """The ways that trees lift or overgrow."""
    taken: set[str] = field(default_factory=set)
    """The sites with a thing or soil."""

    def __post_init__(self) -> None:
        chance = self.chance
        self.people = chance.sample(PEOPLE, 3)
        self.metals = chance.sample(METALS, METAL_COUNT)
        self.sapling = f"{chance.choice(TREES)}-sapling"

    def draw(self) -> str:
        """Return the problem in PDDL."""
        sections = range(1, self.gates + 1)
        for section in sections:
            for epoch in EPOCHS:
                self._draw_map(section, epoch)
            self._link(section)
        for spot in self.maps:
            self._draw_ways(self.maps[spot])
        first = self.chance.randint(1, self.gates - self.reach)
        self._plant(first, self.reach)
        for section in range(1, self.gates - self.reach + 1):
            self._plant(section, self.chance.randint(1, self.reach))
        for section in sections:
            self._lay_keys(section)
        for person, epoch in zip(self.people, EPOCHS, strict=True):
            self._add("at", person, self.maps[1, epoch].way[0])
            self._add("free-hands", person)
        return self._problem()

    def _add(self, *words: str) -> None:
        self.facts[" ".join(words)] = None

    def _draw_map(self, section: int, epoch: str) -> None:
        chance = self.chance
        names = iter(f"s{section}{letter}-{epoch}" for letter in "abcdefghijklmnop")
        way = [next(names) for _ in range(chance.randint(*_STEPS) + 1)]
        hub = chance.randint(2, len(way) - 3)
        sites = {way[0]: 0, way[hub]: hub}
        branches = []
        for length in (1, chance.choice((1, 2)))[:_BRANCHES]:
            joint = chance.randint(1, len(way) - 3)
            branch = [way[joint], *(next(names) for _ in range(length))]
            branches.append(branch)
            sites[branch[-1]] = joint
        self.maps[section, epoch] = Map((section, epoch), way, sites, hub)
        self.places += way
        for branch in branches:
            self.places += branch[1:]
            for one, other in pairwise(branch):
                self._add("path", one, other)
                self._add("path", other, one)

    def _link(self, section: int) -> None:
        """Draw the gate of a section, and its booths."""
        maps = [self.maps[section, epoch] for epoch in EPOCHS]
        arches = [own.way[-1] for own in maps]
        self._add("meeting", f"gate-{section}", *arches)
        if section > 1:
            for epoch, own in zip(EPOCHS, maps, strict=True):
                self._add("beyond", f"gate-{section - 1}", self.maps[section - 1, epoch].way[-1], own.way[0])
        booths = {epoch: self.chance.choice([*own.sites][:3]) for epoch, own in zip(EPOCHS, maps, strict=True)}
        for booth in booths.values():
            self._add("booth", booth)
        for one, other in permutations(EPOCHS, 2):
            if self.chance.random() < _LINKED:
                self._add("linked", booths[one], booths[other])

    # -- ways ---------------------------------------------------------------------------------------------------------

    def _draw_ways(self, own: Map) -> None:
        """Draw the long way and the doors of a map."""
        for one, other in pairwise(own.way):
            self._add("path", one, other)
            if other != own.way[-1]:
                self._add("path", other, one)
        for number, (site, joint) in enumerate(own.sites.items()):
            for metal in self.metals:
                if joint + 2 < len(own.way) and self.chance.random() < (_DOOR if number < 2 else _SIDE_DOOR):
                    self._add("door", metal, site, own.way[self.chance.randint(joint + 2, len(own.way) - 1)])

    # -- trees --------------------------------------------------------------------------------------------------------

    def _plant(self, section: int, reach: int) -> None:
        """Draw a soil of a section. Its tree lifts two ways, and overgrows one so many gates later."""
        lifting = min(self.gates, section + self.chance.randint(0, 2))
        overgrown = self.maps[section + reach, self.chance.choice(EPOCHS[1:])]
        span = range(section, max(lifting, section + reach) + 1)
        sites = [site for site in self.maps[section, EPOCHS[0]].sites if site not in self.taken][1:]
        ways = [self._short_way(own) for own in (*(self.maps[lifting, epoch] for epoch in EPOCHS[1:]), overgrown)]
        if (
            not sites
            or self.opened & {*ways}
            or len({*ways}) < len(ways)
            or any(self.trees.get(each, 0) == _MOST_TREES for each in span)
        ):
            return
        soil = self.chance.choice(sites)
        self.taken.add(soil)
        self.opened |= {*ways}
        self.trees |= {each: self.trees.get(each, 0) + 1 for each in span}
        self._lay(self.sapling, max(1, section - self.chance.randint(0, 1)), self.chance.choice(EPOCHS))
        self._add("soil", soil)
        for way in ways[:2]:
            self._add("lifts", soil, *way)
        self._add("open", *ways[2])
        self._add("overgrows", soil, *ways[2])

    def _short_way(self, own: Map) -> tuple[str, str]:
        start = self.chance.choice((0, own.hub))
        return own.way[start], self.chance.choice(own.way[-2:])

    # -- things -------------------------------------------------------------------------------------------------------

    def _lay_keys(self, section: int) -> None:
        """Lay keys in a section."""
        for _ in range(self.chance.randint(*_KEYS)):
            uses = USES if self.chance.random() < _NEW else self.chance.randint(1, USES)
            self._lay(f"{self.chance.choice(self.metals)}-key-{uses}", section, self.chance.choice(EPOCHS))

    def _lay(self, thing: str, section: int, epoch: str) -> str | None:
        """Lay a thing at a free site, and return it; None if there is none."""
        free = [site for site in self.maps[section, epoch].sites if site not in self.taken][1:]
        if not free:
            return None
        site = self.chance.choice(free)
        self.taken.add(site)
        self._add("stored", thing, site)
        return site

    # -- text ---------------------------------------------------------------------------------------------------------

    def _problem(self) -> str:
        keys = []
        for metal in self.metals:
            self._add("last", f"{metal}-key-1")
            own = [f"{metal}-key-{left}" for left in range(1, USES + 1)]
            keys += own
            for key in own:
                self._add("made-of", key, metal)
            for left, key in pairwise(own):
                self._add("wears", key, left)
        kinds: Mapping[str, list[str]] = {
            "character": self.people,
            "place": self.places,
            "key": keys,
            "sapling": [self.sapling],
            "metal": self.metals,
            "gate": [f"gate-{section}" for section in range(1, self.gates + 1)],
        }
        objects = "\n".join(f"    {' '.join(things)} - {kind}" for kind, things in kinds.items() if things)
        facts = "\n".join(f"    ({fact})" for fact in self.facts)
        return (
            f"(define (problem road-of-{self.gates}-gates)\n  (:domain epochs-road)\n  (:objects\n{objects})\n"
            f"  (:init\n{facts})\n  (:goal (and (raised gate-{self.gates}))))\n"
        )
