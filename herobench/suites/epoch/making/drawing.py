"""Draws the problem of a road: its sections with a small map for each person, and the things that lie there.

Each map has a long way from its entry over a hub to its arch. Doors, steep ways and trees shorten it, and branches lead
to other sites, where things are stored and springs rise. Trees grow and booths stand at entries and hubs. Of the two
maps of a section one has most doors and the other most keys, so keys are carried on, or sent. Nothing is needed, and
much of it saves hours: what is picked up, spent or worn out in one section is at hand, or missing, behind the next
gates. All names and choices come from one seeded source.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from random import Random

EPOCHS = ("past", "future")
PEOPLE = tuple("ada bruno celia edith felix greta hester hugo iris jonas klara milo mina nestor olive quill".split())
METALS = tuple("brass bronze copper iron jade lead pewter silver steel tin zinc".split())
TREES = tuple("alder ash beech birch elm larch linden maple oak rowan willow".split())
HANDS = ("left-hand", "right-hand")
METAL_COUNT, USES, VIGOR = 2, 2, 3
"""The metals of keys, the uses of a new key, and the most vigor."""

_FIRST_HALF, _SECOND_HALF, _BRANCH, _CONNECTION = (8, 14), (10, 18), (1, 4), (3, 7)
"""The least and the most hours of the two halves of a long way, of a branch, and of a path between two of its ends."""
_DOOR_HOURS, _STEEP_HOURS, _OPEN_HOURS = (1, 3), (2, 5), (2, 5)
_BRANCHES = 3
_CONNECTED = 0.5
"""The chance that a branch has a second path."""
_DOORS, _FEW_DOORS = (0.9, 0.5), (0.4, 0.2)
"""The chances that a site of the long way, and the end of a branch, has a door: where keys are wanted, and not."""
_STEEP, _SPRING = 0.7, 0.55
_MOST_EFFORT = 3
_KEYS, _FEW_KEYS = (2, 2), (0, 1)
"""The least and the most keys that are stored in a map: where they are not wanted, and elsewhere."""
_NEW = 2 / 3
"""The chance that a key that is stored somewhere is new."""
_BOOTH_AT_ENTRY = 0.8
"""The chance that a booth stands at the entry, and not at the hub."""
_TREE = 0.75
"""The chance that a section has soil."""
_MOST_TREES = 2
"""The most trees that count at a gate."""
Spot = tuple[int, str]
"""A section, from 1, and an epoch."""


@dataclass
class Map:
    """The places of one person in one section."""

    sites: list[str]
    """The entry, the hub, and the ends of branches."""
    arch: str
    free: list[str]
    """The ends of branches where nothing is stored."""

    def goal_of(self, site: str, chance: Random) -> str:
        """Return where a short way from a site leads: to the arch, or to the hub."""
        return self.arch if site == self.sites[1] else chance.choice((self.sites[1], self.arch, self.arch))


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
    hours: dict[tuple[str, str, str], int] = field(default_factory=dict)
    """The hours of each way, by its kind and its ends."""
    places: list[str] = field(default_factory=list)
    maps: dict[Spot, Map] = field(default_factory=dict)
    trees: dict[int, int] = field(default_factory=dict)
    """The trees that count at each gate."""

    def __post_init__(self) -> None:
        chance = self.chance
        self.people = chance.sample(PEOPLE, len(EPOCHS))
        self.metals = chance.sample(METALS, METAL_COUNT)
        self.sapling = f"{chance.choice(TREES)}-sapling"

    def draw(self) -> str:
        """Return the problem in PDDL."""
        sections = range(1, self.gates + 1)
        for section in sections:
            wanting = self.chance.choice(EPOCHS)
            for epoch in EPOCHS:
                self._draw_map(section, epoch, wants_keys=epoch == wanting)
            self._link(section)
        first = self.chance.randint(1, self.gates - self.reach)
        for section in sections[:-1]:
            if section == first or self.chance.random() < _TREE:
                most = min(self.reach, self.gates - section)
                self._plant(section, self.reach if section == first else self.chance.randint(1, most))
        for person, epoch in zip(self.people, EPOCHS, strict=True):
            self._add("at", person, self.maps[1, epoch].sites[0])
            self._add("vigor", person, f"vigor-{VIGOR}")
            for hand in HANDS:
                self._add("empty", person, hand)
        return self._problem()

    def _add(self, *words: str) -> None:
        self.facts[" ".join(words)] = None

    def _way(self, kind: str, fact: str, way: tuple[str, str], hours: int) -> None:
        """Add a way of a kind with its hours, and a fact about it."""
        self.hours[kind, *way] = hours
        self._add(*fact.split(), *way)

    # -- maps ---------------------------------------------------------------------------------------------------------

    def _draw_map(self, section: int, epoch: str, *, wants_keys: bool) -> None:
        chance, doors, keys = self.chance, _FEW_DOORS, _KEYS
        if wants_keys:
            doors, keys = _DOORS, _FEW_KEYS
        *sites, arch = (f"s{section}{letter}-{epoch}" for letter in "abcdefgh"[: _BRANCHES + 3])
        entry, hub, *branches = sites
        own = self.maps[section, epoch] = Map(sites, arch, chance.sample(branches, len(branches)))
        self.places += [*sites, arch]
        self._path(entry, hub, _FIRST_HALF)
        self._way("path", "path", (hub, arch), chance.randint(*_SECOND_HALF))
        for branch in branches:
            joint = chance.choice((entry, hub))
            self._path(joint, branch, _BRANCH)
            if chance.random() < _CONNECTED:
                self._path(branch, chance.choice([site for site in sites if site not in (joint, branch)]), _CONNECTION)
        for site in sites:
            if chance.random() < doors[site in branches]:
                way = site, own.goal_of(site, chance)
                self._way("door", f"door {chance.choice(self.metals)}", way, chance.randint(*_DOOR_HOURS))
        for site in (entry, hub, chance.choice(branches)):
            if chance.random() < _STEEP:
                effort = chance.randint(1, _MOST_EFFORT)
                hours = chance.randint(*_STEEP_HOURS) + 2 * (effort == 1)
                self._way("steep", f"steep effort-{effort}", (site, own.goal_of(site, chance)), hours)
        for _ in range(chance.randint(*keys)):
            uses = USES if chance.random() < _NEW else chance.randint(1, USES - 1)
            self._add("stored", f"{chance.choice(self.metals)}-key-{uses}", own.free.pop())
        if chance.random() < _SPRING:
            self._add("spring", chance.choice(sites[1:]))

    def _path(self, one: str, other: str, hours: tuple[int, int]) -> None:
        """Draw a path in both directions."""
        own = self.chance.randint(*hours)
        self._way("path", "path", (one, other), own)
        self._way("path", "path", (other, one), own)

    def _link(self, section: int) -> None:
        """Draw the gate of a section, and its booths."""
        maps = [self.maps[section, epoch] for epoch in EPOCHS]
        self._add("meeting", f"gate-{section}", *(own.arch for own in maps))
        if section > 1:
            for epoch, own in zip(EPOCHS, maps, strict=True):
                onward = self.maps[section - 1, epoch].arch, own.sites[0]
                self._way("open", f"beyond gate-{section - 1}", onward, 1)
        booths = [own.sites[self.chance.random() > _BOOTH_AT_ENTRY] for own in maps]
        for one, other in zip(booths, reversed(booths), strict=True):
            self._add("booth", one)
            self._add("linked", one, other)

    # -- trees --------------------------------------------------------------------------------------------------------

    def _plant(self, section: int, reach: int) -> None:
        """Draw a soil of a section. Its tree lifts a way of a later section, and overgrows one so many gates later."""
        soil = self.chance.choice(self.maps[section, EPOCHS[0]].sites[:2])
        lifting = min(self.gates, section + self.chance.randint(1, 2))
        lifted = self._free_way(self.maps[lifting, EPOCHS[1]])
        overgrown = self._free_way(self.maps[section + reach, self.chance.choice(EPOCHS)])
        span = range(section, max(lifting, section + reach))
        if not lifted or not overgrown or lifted == overgrown:
            return
        if any(self.trees.get(gate) == _MOST_TREES for gate in span):
            return
        self.trees |= {gate: self.trees.get(gate, 0) + 1 for gate in span}
        shed = self.maps[max(1, section - self.chance.randint(0, 1)), self.chance.choice(EPOCHS)]
        self._add("stored", self.sapling, shed.free.pop() if shed.free else self.chance.choice(shed.sites[2:]))
        self._add("soil", soil)
        self._way("open", f"lifts {soil}", lifted, self.chance.randint(*_OPEN_HOURS))
        self._way("open", f"overgrows {soil}", overgrown, self.chance.randint(*_OPEN_HOURS))
        self._add("open", *overgrown)

    def _free_way(self, own: Map) -> tuple[str, str] | None:
        """Draw a way that no other tree lifts or overgrows; None if there is none."""
        entry, hub = own.sites[:2]
        ways = [way for way in ((entry, own.arch), (hub, own.arch), (entry, hub)) if ("open", *way) not in self.hours]
        return self.chance.choice(ways) if ways else None

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
        levels = [f"vigor-{level}" for level in range(VIGOR + 1)]
        self._add("full", levels[-1])
        for less, more in pairwise(levels):
            self._add("less", less, more)
        efforts = [f"effort-{effort}" for effort in range(1, _MOST_EFFORT + 1)]
        for effort, name in enumerate(efforts, 1):
            for after, before in zip(levels, levels[effort:], strict=False):
                self._add("tires", name, before, after)
        kinds: Mapping[str, list[str]] = {
            "character": self.people,
            "hand": [*HANDS],
            "place": self.places,
            "key": keys,
            "sapling": [self.sapling],
            "metal": self.metals,
            "gate": [f"gate-{section}" for section in range(1, self.gates + 1)],
            "vigor": levels,
            "effort": efforts,
        }
        objects = "\n".join(f"    {' '.join(things)} - {kind}" for kind, things in kinds.items())
        facts = "\n".join(f"    ({fact})" for fact in self.facts)
        hours = "\n".join(
            f"    (= ({kind}-hours {start} {end}) {hours})" for (kind, start, end), hours in self.hours.items()
        )
        return (
            f"(define (problem road-of-{self.gates}-gates)\n  (:domain epochs-road)\n  (:objects\n{objects})\n"
            f"  (:init\n{facts}\n{hours})\n  (:goal (and (raised gate-{self.gates})))\n"
            "  (:metric minimize (total-cost)))\n"
        )
