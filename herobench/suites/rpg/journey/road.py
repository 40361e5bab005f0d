"""A road of regions, as data: what stands in each region, what gear can be made, and what the hero can carry.

A road is a world of its own. Each region is a map whose sites lie apart, or has all its sites at hand: then no place is
told, and no way costs time. A gate closes behind the hero, so what crosses it is all that the regions before decide.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

Code = str
Place = tuple[int, int]
HERE: Place = (0, 0)
"""The place of everything in a region that has all at hand."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What the hero can carry, how long it lasts, and what the actions cost that cost the same everywhere."""

    bag: int
    """The most units of material."""
    places: int
    """The most pieces of gear."""
    hearts: int
    """The most hearts, which he has at the start."""
    uses: int
    """The fights that a new piece of gear lasts; 1 with chance, where nothing wears off."""
    crafting: int
    """The time to craft a piece."""
    rest: int
    """The time that an inn takes for all hearts."""
    camp: int
    """The time of a camp, which gives one heart."""
    breaks: int = 0
    """With chance, a piece breaks in one of so many fights, in place of `uses`; 0 without chance."""


@dataclass(frozen=True, slots=True)
class GearKind:
    """A kind of gear."""

    power: int
    element: str
    recipe: tuple[Code, ...]
    """The units of material that it is made of, sorted."""


@dataclass(frozen=True, slots=True)
class Node:
    """A node of a region that gives one material."""

    material: Code
    units: int
    time: int
    """The time to gather one unit."""
    place: Place


@dataclass(frozen=True, slots=True)
class Monster:
    """A monster that has to be beaten before the gate opens."""

    code: Code
    hp: int
    pace: int
    """The rounds in which it takes one heart."""
    weakness: str
    """The element that doubles the power of gear."""
    place: Place


@dataclass(frozen=True, slots=True)
class Workshop:
    """A workshop and the kinds of gear that can be crafted in it."""

    makes: tuple[Code, ...]
    place: Place


@dataclass(frozen=True, slots=True)
class Region:
    """One region."""

    enter: Place
    leave: Place
    """The place of the gate out."""
    nodes: tuple[Node, ...]
    monsters: tuple[Monster, ...]
    workshop: Workshop | None
    inn: Place | None


@dataclass(frozen=True, eq=False)
class Road:
    """A whole road. It is equal to itself only, so that its solver can be kept."""

    limits: Limits
    gear: Mapping[Code, GearKind]
    regions: tuple[Region, ...]
    side: int | None
    """The places on a side of each map; None if all sites are at hand."""

    @cached_property
    def materials(self) -> tuple[Code, ...]:
        """The materials of the recipes, sorted."""
        return tuple(sorted({code for kind in self.gear.values() for code in kind.recipe}))

    def fight(self, monster: Monster, kind: Code | None) -> tuple[int, int]:
        """Return the time and the hearts that a fight costs, with a kind of gear or without."""
        power = 1
        if kind is not None:
            gear = self.gear[kind]
            power = gear.power * (1 + (gear.element == monster.weakness))
        rounds = -(-monster.hp // power)
        return rounds, rounds // monster.pace

    @property
    def has_chance(self) -> bool:
        """True if chance breaks gear and adds wounds."""
        return self.limits.breaks > 0

    def wound_chance(self, monster: Monster, kind: Code | None) -> float:
        """Return the chance that a fight costs one heart more: the part of a heart that is rounded off."""
        rounds, _ = self.fight(monster, kind)
        return rounds % monster.pace / monster.pace if self.has_chance else 0

    def most_wounds(self, monster: Monster, kind: Code | None) -> int:
        """Return the most hearts that a fight can cost."""
        return self.fight(monster, kind)[1] + (self.wound_chance(monster, kind) > 0)

    def as_row(self) -> dict[str, Any]:
        """Return the road as plain data."""
        limits = {name: getattr(self.limits, name) for name in Limits.__slots__ if name != "breaks" or self.has_chance}
        gear = {
            code: {"power": kind.power, "element": kind.element, "recipe": list(kind.recipe)}
            for code, kind in self.gear.items()
        }
        regions = [dict(_region_fields(region, self.side is not None)) for region in self.regions]
        return {"side": self.side, "limits": limits, "gear": gear, "regions": regions}

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> Road:
        """Read a road from data that fits its schema."""
        gear = {
            code: GearKind(kind["power"], kind["element"], tuple(sorted(kind["recipe"])))
            for code, kind in row["gear"].items()
        }
        regions = tuple(_region(region) for region in row["regions"])
        return cls(Limits(**row["limits"]), gear, regions, row["side"])


def distance(start: Place, end: Place) -> int:
    """Return the time of a way."""
    return abs(start[0] - end[0]) + abs(start[1] - end[1])


def _region_fields(region: Region, has_map: bool) -> Iterator[tuple[str, Any]]:
    def at(place: Place) -> dict[str, Any]:
        return {"at": list(place)} if has_map else {}

    if has_map:
        yield "enter", list(region.enter)
        yield "leave", list(region.leave)
    yield (
        "nodes",
        [
            {"material": node.material, "units": node.units, "time": node.time, **at(node.place)}
            for node in region.nodes
        ],
    )
    yield (
        "monsters",
        [
            {"code": foe.code, "hp": foe.hp, "pace": foe.pace, "weakness": foe.weakness, **at(foe.place)}
            for foe in region.monsters
        ],
    )
    if region.workshop:
        yield "workshop", {"makes": list(region.workshop.makes), **at(region.workshop.place)}
    if region.inn is not None:
        yield "inn", at(region.inn)


def _region(row: Mapping[str, Any]) -> Region:
    def place(part: Mapping[str, Any], name: str = "at") -> Place:
        at: Sequence[int] = part.get(name, HERE)
        return at[0], at[1]

    workshop = row.get("workshop")
    return Region(
        place(row, "enter"),
        place(row, "leave"),
        tuple(Node(node["material"], node["units"], node["time"], place(node)) for node in row["nodes"]),
        tuple(Monster(foe["code"], foe["hp"], foe["pace"], foe["weakness"], place(foe)) for foe in row["monsters"]),
        Workshop(tuple(workshop["makes"]), place(workshop)) if workshop else None,
        place(row["inn"]) if "inn" in row else None,
    )
