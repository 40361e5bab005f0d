"""Draws the problem of a road: its sections, ways, locks and trees, and the things that lie there.

Each section has a court, a yard and an arch for each person. The short way from court to arch is mostly shut: by
a lock, or until a tree of the past lifts it. A lane leads around, and costs a turn for each of its steps. *Knots* have
no lane. They come in pairs, with just two keys, so that who thinks that a key can be used twice sees too late that it
is missing. One of the keys lies in a yard that a tree of an earlier section would close; or both lie so many gates
before the knots, beside other locks that they open. All names and choices come from one seeded source.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import permutations
from random import Random

EPOCHS = ("past", "present", "future")
PEOPLE = tuple("ada bruno celia edith felix greta hester hugo iris jonas klara milo mina nestor olive quill".split())
METALS = tuple("brass bronze copper iron jade lead pewter silver steel tin zinc".split())
TREES = tuple("alder ash beech birch elm larch linden maple oak rowan willow".split())

_FREE, _LOCKED = 0.05, 0.7
"""How often a short way is open, and how often it is locked; else a tree has to lift its gate."""
_LANE = (2, 6)
"""The least and the most steps of a lane."""
_BOOTH_AT_COURT, _LINKED = 0.4, 0.6
"""How often a booth is at the court and not in the yard, and how often one booth is linked to another."""
_MOST_LYING = 5
"""The most things that lie in a section."""
_FAR = 2
"""The most gates over which a key has to be kept for a way without a lane, and which most trees span."""
_TWO_FIT = 0.5
"""How often keys of another kind open a lock with a lane, too."""
_MORE_KEYS, _SAPLINGS = 0.8, 0.9
"""How often there is a second key for a lock, and a sapling for a gate."""
Spot = tuple[int, str]
"""A section, from 1, and an epoch."""


@dataclass
class RoadDraft:
    """A road while it is drawn."""

    chance: Random
    gates: int
    reach: int
    """The gates between a key and the knot that it is for."""
    kinds: int
    people: list[str] = field(init=False)
    keys: list[str] = field(init=False)
    """The kinds of keys."""
    sapling: str = field(init=False)
    facts: dict[str, None] = field(default_factory=dict)
    places: list[str] = field(default_factory=list)
    locks: dict[Spot, str] = field(default_factory=dict)
    """The key of each lock."""
    knots: set[Spot] = field(default_factory=set)
    """The short ways without a lane."""
    links: dict[tuple[int, str, str], bool] = field(default_factory=dict)
    """Of a section, whether its first booth is linked to the second one, where that is not drawn."""
    scarce: dict[str, list[range]] = field(default_factory=dict)
    """For each kind of key the sections in which no more of it may lie."""
    soils: dict[str, tuple[Spot, Spot]] = field(default_factory=dict)
    """For each soil the short way that its tree lifts, and the yard to which it closes the way."""
    lifted: list[Spot] = field(default_factory=list)
    """The short ways that a tree has to lift."""
    lying: dict[tuple[str, str], int] = field(default_factory=dict)
    """The section of each thing that lies at a place."""

    def __post_init__(self) -> None:
        chance = self.chance
        self.people = chance.sample(PEOPLE, 3)
        self.keys = [f"{metal}-key" for metal in chance.sample(METALS, self.kinds)]
        self.sapling = f"{chance.choice(TREES)}-sapling"

    def draw(self) -> str:
        """Return the problem in PDDL."""
        self._tie_knots()
        for spot in self._spots():
            self._shut(*spot)
        for section in range(1, self.gates + 1):
            self._link(section)
        self._plant()
        self._lay_things()
        for person, epoch in zip(self.people, EPOCHS, strict=True):
            self._add("at", person, _court(1, epoch))
            self._add("free-hands", person)
        return self._problem()

    def _spots(self) -> Iterator[Spot]:
        return ((section, epoch) for section in range(1, self.gates + 1) for epoch in EPOCHS)

    def _add(self, *words: str) -> None:
        self.facts[" ".join(words)] = None

    # -- ways ---------------------------------------------------------------------------------------------------------

    def _tie_knots(self) -> None:
        """Choose sections without lanes, of which the first has the reach that is asked for, and lay their keys."""
        last = self.chance.randint(self.reach + 1, self.gates)
        others = [section for section in range(2, self.gates + 1) if section != last]
        for section in [last, *self.chance.sample(others, self.gates // 3)]:
            reach = self.reach if section == last else self.chance.randint(1, min(section - 1, self.reach, _FAR))
            alone = self.chance.choice(EPOCHS[1:])
            pair = self.chance.sample([epoch for epoch in EPOCHS if epoch != alone], 2)
            if any((section, epoch) in self.locks or (section, epoch) in self.lifted for epoch in EPOCHS):
                continue
            self.knots.update((section, epoch) for epoch in EPOCHS)
            self._bait(section, pair, section - min(reach, _FAR))
            self._hide_in_yard(section, alone, section - reach)

    def _free_key(self, section: int) -> str:
        """Return a kind of key that is not scarce in a section, if there is one."""
        free = [key for key in self.keys if not any(section in own for own in self.scarce.get(key, ()))]
        return self.chance.choice(free or self.keys)

    def _hide_in_yard(self, section: int, epoch: str, source: int) -> None:
        """Lay the key of a knot in a yard that a tree of an earlier section would close. The tree lifts a way there."""
        key = self.locks[section, epoch] = self._free_key(section)
        bait, soil = (source, self.chance.choice(EPOCHS[1:])), _court(source, EPOCHS[0])
        self._lay_at(key, section, _yard(section, epoch))
        if soil not in self.soils and bait not in self.locks and bait not in self.lifted:
            self.soils[soil] = bait, (section, epoch)
            self.lifted.append(bait)
            self._lay_at(self.sapling, source, soil)
            self._offer_soil(source)
        self.scarce.setdefault(key, []).append(range(source, section + 1))

    def _offer_soil(self, section: int) -> None:
        """Draw another soil for the sapling of a court, in the yard: its tree closes a way to no other section."""
        soil, (epoch, other) = _yard(section, EPOCHS[0]), self.chance.sample(EPOCHS[1:], 2)
        spot, victim = (section, epoch), (section, other)
        if soil in self.soils or spot in self.locks or spot in self.lifted:
            return
        self.soils[soil] = spot, victim
        self.lifted.append(spot)

    def _bait(self, section: int, pair: Sequence[str], source: int) -> None:
        """Lay two keys for two knots beside other locks that they open. One is for another epoch than it lies in.

        It can be sent there only in its own section.
        """
        key, (home, other) = self._free_key(section), pair
        self.locks |= {(section, epoch): key for epoch in pair}
        abroad = self.chance.choice([epoch for epoch in EPOCHS if epoch != other])
        for here in (home, abroad):
            if (source, here) not in self.locks and (source, here) not in self.lifted:
                self.locks[source, here] = key
            self._lay(key, source, [here])
        self.links[source, abroad, other] = True
        self.links |= {(each, epoch, other): False for each in range(source + 1, section + 1) for epoch in EPOCHS}
        self.scarce.setdefault(key, []).append(range(source, section + 1))

    def _shut(self, section: int, epoch: str) -> None:
        """Draw the ways from a court."""
        court, yard, arch = _court(section, epoch), _yard(section, epoch), _arch(section, epoch)
        self.places += [court, yard, arch]
        self._add("path", yard, court)
        draw = self.chance.random()
        spot = section, epoch
        if spot not in self.knots:
            if draw < _FREE and spot not in self.locks and spot not in self.lifted:
                self._add("path", court, arch)
                return
            self._lane(section, epoch)
        if spot in self.locks or (spot not in self.lifted and (draw < _LOCKED or epoch == EPOCHS[0])):
            key = self.locks.setdefault(spot, self._free_key(section))
            lock = _lock(section, epoch)
            for fact in (("stands", lock, court), ("bars", lock, court, arch), ("fits", key, lock)):
                self._add(*fact)
            other = self.chance.choice(self.keys)
            if spot not in self.knots and other != key and self.chance.random() < _TWO_FIT:
                self._add("fits", other, lock)
        elif spot not in self.lifted:
            self.lifted.append(spot)

    def _lane(self, section: int, epoch: str) -> None:
        spot = section, epoch
        before = _court(section, epoch)
        is_bait = spot in {lifted for lifted, _ in self.soils.values()}
        for letter in "abcdefgh"[: _LANE[1] if is_bait else self.chance.randint(*_LANE)]:
            place = f"lane-{section}{letter}-{epoch}"
            self.places.append(place)
            self._add("path", before, place)
            before = place
        self._add("path", before, _arch(section, epoch))

    def _link(self, section: int) -> None:
        """Draw the booths of a section, and its gate."""
        courts, arches = ([name(section, epoch) for epoch in EPOCHS] for name in (_court, _arch))
        gate = f"gate-{section}"
        self._add("meeting", gate, *arches)
        if section < self.gates:
            for epoch, arch in zip(EPOCHS, arches, strict=True):
                self._add("beyond", gate, arch, _court(section + 1, epoch))
        booths = {
            epoch: court if self.chance.random() < _BOOTH_AT_COURT else _yard(section, epoch)
            for court, epoch in zip(courts, EPOCHS, strict=True)
        }
        for booth in booths.values():
            self._add("booth", booth)
        for one, other in permutations(EPOCHS, 2):
            if self.links.get((section, one, other), self.chance.random() < _LINKED):
                self._add("linked", booths[one], booths[other])

    # -- trees --------------------------------------------------------------------------------------------------------

    def _plant(self) -> None:
        """Draw for each way that a tree has to lift its soil, and the yard to which the tree closes the way."""
        overgrown = {victim for _, victim in self.soils.values()}
        for spot in self.lifted:
            section = max(1, spot[0] - self.chance.randint(0, min(self.reach, _FAR)))
            near = [name(section, EPOCHS[0]) for name in (_court, _yard)]
            here = next((place for place in self.chance.sample(near, 2) if place not in self.soils), None)
            later = range(section, min(self.gates, section + self.reach, section + _FAR) + 1)
            yards = [(each, epoch) for each in later for epoch in EPOCHS[1:] if (each, epoch) not in overgrown]
            if here and yards and all(spot != lifted for lifted, _ in self.soils.values()):
                overgrown.add(victim := self.chance.choice(yards))
                self.soils[here] = spot, victim
        for soil, (lifted, victim) in self.soils.items():
            self._add("soil", soil)
            self._add("lifts", soil, _court(*lifted), _arch(*lifted))
            self._add("overgrows", soil, _court(*victim), _yard(*victim))
        for spot in self._spots():
            self._add("open" if spot in overgrown else "path", _court(*spot), _yard(*spot))

    # -- things -------------------------------------------------------------------------------------------------------

    def _lay_things(self) -> None:
        """Lay keys for locks with a lane, and saplings."""
        for spot, key in self.locks.items():
            if spot not in self.knots:
                for _ in range(1 + (self.chance.random() < _MORE_KEYS)):
                    self._lay(key, max(1, spot[0] - self.chance.randint(0, self.reach)))
        for section, _ in self.lifted:
            if self.chance.random() < _SAPLINGS:
                self._lay(self.sapling, max(1, section - self.chance.randint(0, self.reach)))

    def _lay(self, thing: str, section: int, epochs: Sequence[str] = EPOCHS) -> None:
        """Lay a thing somewhere in a section, unless it has to be scarce there, or enough lies there."""
        is_scarce = any(section in own for own in self.scarce.get(thing, ()))
        if is_scarce or list(self.lying.values()).count(section) >= _MOST_LYING:
            return
        spots = [name(section, epoch) for epoch in epochs for name in (_court, _yard, _yard)]
        self._lay_at(thing, section, self.chance.choice([place for place in spots if (thing, place) not in self.lying]))

    def _lay_at(self, thing: str, section: int, place: str) -> None:
        self.lying[thing, place] = section
        self._add("lies", thing, place)

    # -- text ---------------------------------------------------------------------------------------------------------

    def _problem(self) -> str:
        grows = any(thing == self.sapling for thing, _ in self.lying)
        if not grows:
            self.facts = {fact: None for fact in self.facts if fact.split()[0] not in ("soil", "lifts", "overgrows")}
        kinds: Mapping[str, list[str]] = {
            "character": self.people,
            "place": self.places,
            "key": self.keys,
            "sapling": [self.sapling] if grows else [],
            "lock": [_lock(*spot) for spot in self.locks],
            "gate": [f"gate-{section}" for section in range(1, self.gates + 1)],
        }
        objects = "\n".join(f"    {' '.join(things)} - {kind}" for kind, things in kinds.items() if things)
        facts = "\n".join(f"    ({fact})" for fact in self.facts)
        return (
            f"(define (problem road-of-{self.gates}-gates)\n  (:domain epochs-road)\n  (:objects\n{objects})\n"
            f"  (:init\n{facts})\n  (:goal (and (raised gate-{self.gates}))))\n"
        )


def _court(section: int, epoch: str) -> str:
    return f"court-{section}-{epoch}"


def _yard(section: int, epoch: str) -> str:
    return f"yard-{section}-{epoch}"


def _arch(section: int, epoch: str) -> str:
    return f"arch-{section}-{epoch}"


def _lock(section: int, epoch: str) -> str:
    return f"lock-{section}-{epoch}"
