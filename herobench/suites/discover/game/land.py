"""A land as it is told: its places and things as the documents of a world of the role-playing game.

Everything that the laws do not touch is plain, so that a day asks for no arithmetic: a beast falls at the first hit,
and of the lord a bare hero takes next to nothing, the keen blade one part, and each pair of rings that counts another.
The told world has the laws left out: its lode gives slag, its forge a dull blade, and no ring counts. `day` adds them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import Any, NamedTuple

from herobench.suites.discover.game.laws import Laws, Truth
from herobench.suites.rpg.game.hero import HeroStart
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.world import Code, Place, World
from herobench.suites.rpg.worlds.content import load_rules

FIRE, EARTH = "fire", "earth"
MINING, BENCH, FORGE = "mining", "carpentry", "smithing"
RING_SLOTS = 4
SLOTS = ("weapon", *(f"ring{number}" for number in range(1, RING_SLOTS + 1)))
BLADES = ("dull", "plain", "keen")
"""The blades that the forge may give, by the level of its law."""
CLAY = 40
"""The pieces of the material of wares in the bag. No day can use more."""
_HERO = {"hp": 250, f"attack_{FIRE}": 2}
_PART = 200
"""The health of the lord for each of its parts. It strikes ten times before the hero falls: in these
rounds the keen blade takes one part."""
_BLADES, _RING = (0, 0, 18), 50
"""The attacks of the blades, and the percent that a ring adds if it counts."""


@dataclass(frozen=True)
class Land:
    """The names of the things of a land, and where they stand."""

    beasts: tuple[Code, ...]
    wares: tuple[Code, ...]
    rings: tuple[Code, ...]
    lord: Code
    lode: Code
    ore: Code
    slag: Code
    clay: Code
    blade: Code
    parts: int
    """How many parts of the lord's health are told: the keen blade takes one, each thing that is right another."""
    places: tuple[Place, ...]
    """The places of the beasts, the lord, the lode, the bench and the forge, in this order."""

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> Land:
        """Build from the `land` of a row that its schema accepts."""
        lists = {name: tuple(row[name]) for name in ("beasts", "wares", "rings")}
        places = tuple((int(x), int(y)) for x, y in row["places"])
        return cls(**{**row, **lists, "places": places})

    def as_row(self) -> dict[str, Any]:
        """Return the `land` of a row."""
        row = {field.name: getattr(self, field.name) for field in fields(self)}
        lists = {name: list(row[name]) for name in ("beasts", "wares", "rings")}
        return {**row, **lists, "places": [list(place) for place in self.places]}

    def __hash__(self) -> int:
        return hash((self.beasts, self.places))

    @property
    def codes(self) -> tuple[Code, ...]:
        """The codes of all things, without the kinds of blades."""
        single = (self.lord, self.lode, self.ore, self.slag, self.clay, self.blade)
        return (*self.beasts, *self.wares, *self.rings, *single)

    @property
    def blades(self) -> tuple[Code, ...]:
        """The codes of the blades that the forge may give, by level."""
        return tuple(f"{kind}_{self.blade}" for kind in BLADES)

    @cached_property
    def place_of(self) -> Mapping[str, Place]:
        """The place of each beast, of the lord, the lode, the bench and the forge."""
        return MappingProxyType(dict(zip((*self.beasts, self.lord, self.lode, BENCH, FORGE), self.places, strict=True)))

    def fits(self, laws: Laws) -> bool:
        """Return whether the land has as many things as its laws, each with a name and a place of its own."""
        counts = tuple(map(len, (self.beasts, self.wares, self.rings))) == tuple(law.things for law in laws)
        names, places = (*self.codes, *self.blades, BENCH, FORGE), ((0, 0), *self.places)
        parts = 1 + laws.shown[-1].full
        return (
            self.parts == parts
            and counts
            and len({*names}) == len(names)
            and len({*places}) == len(places) == len(self.beasts) + 5
        )

    @property
    def world(self) -> World:
        """The told world."""
        return _world(self)

    @property
    def hero(self) -> HeroStart:
        """The hero at dawn: he has a pair of each ring and the material of wares, and wears nothing."""
        return _hero(self)


class HiddenLand(NamedTuple):
    """A land, the forms of its laws, which are told as well, and their secrets."""

    land: Land
    laws: Laws
    truth: Truth


@lru_cache
def told_rules() -> Rules:
    """Return the rules of days: the edition `standard`, whose fights are exact. A lost fight ends the day."""
    return replace(load_rules(), defeat="final")


@lru_cache(maxsize=512)
def _world(land: Land) -> World:
    return World.from_documents(documents(land))


@lru_cache(maxsize=512)
def _hero(land: Land) -> HeroStart:
    bag = {**dict.fromkeys(land.rings, 2), land.clay: CLAY}
    return replace(HeroStart.bare(land.world, told_rules(), 1), inventory=MappingProxyType(bag))


def documents(land: Land) -> dict[str, Any]:
    """Return the six documents of the told world."""
    monsters = [_monster(code, hp=2, attack={}) for code in land.beasts]
    # a world needs a source of every ingredient, and with the fall of the lord the day is over
    drops = [_drop(land.clay), _drop(land.ore)]
    monsters.append({**_monster(land.lord, hp=land.parts * _PART, attack={EARTH: 25}), "drops": drops})
    node = {"code": land.lode, "name": _name(land.lode), "skill": MINING, "level": 1, "drops": [_drop(land.slag)]}
    content = [("monster", code) for code in (*land.beasts, land.lord)]
    content += [("resource", land.lode), ("workshop", BENCH), ("workshop", FORGE)]
    tiles: list[dict[str, Any]] = [{"x": 0, "y": 0, **_GROUND}]
    tiles += [
        {"x": x, "y": y, **_GROUND, "content": {"type": kind, "code": code}}
        for (x, y), (kind, code) in zip(land.places, content, strict=True)
    ]
    about = {
        "schema": 1, "code": "discover", "name": "Discover", "description": "A land with hidden laws.",
        "credits": "Made by herobench.", "elements": [FIRE, EARTH], "skills": [MINING, BENCH, FORGE],
        "slots": list(SLOTS), "start": {"x": 0, "y": 0}, "starter_items": [], "exchange_sells": [], "hero": _HERO,
    }  # fmt: skip
    return {
        "world": about,
        "monsters": {"schema": 1, "monsters": monsters},
        "resources": {"schema": 1, "resources": [node]},
        "items": {"schema": 1, "items": _items(land)},
        "distractors": {"schema": 1, "items": []},
        "map": {"schema": 1, "tiles": tiles},
    }


_GROUND = {"name": "Ground", "skin": "ground"}


def _items(land: Land) -> list[dict[str, Any]]:
    ware_recipe = {"skill": BENCH, "level": 1, "ingredients": {land.clay: 1}}
    blade_recipe = {"skill": FORGE, "level": 1, "ingredients": {land.ore: 2}}
    rows = [_item(code, "resource") for code in (land.ore, land.slag, land.clay)]
    rows += [{**_item(code, "resource"), "recipe": ware_recipe} for code in land.wares]
    rows.append({**_item(land.blade, "resource"), "recipe": blade_recipe})
    attacks = zip(land.blades, _BLADES, strict=True)
    rows += [_item(code, "weapon", {f"attack_{FIRE}": attack} if attack else {}) for code, attack in attacks]
    return rows + [_item(code, "ring", {f"dmg_{FIRE}": _RING}) for code in land.rings]


def _item(code: Code, kind: str, effects: Mapping[str, int] = MappingProxyType({})) -> dict[str, Any]:
    row = {"code": code, "name": _name(code), "level": 1, "type": kind, "subtype": "", "description": ""}
    return {**row, "effects": dict(effects)}


def _monster(code: Code, hp: int, attack: Mapping[str, int]) -> dict[str, Any]:
    stats = {"level": 1, "intended_level": 1, "hp": hp, "attack": dict(attack), "resistance": {}}
    return {"code": code, "name": _name(code), **stats, "gold": {"min": 0, "max": 0}, "drops": []}


def _drop(code: Code) -> dict[str, Any]:
    return {"item": code, "one_in": 1, "min": 1, "max": 1}


def _name(code: Code) -> str:
    return " ".join(word.capitalize() for word in code.split("_"))


def numbers_of(codes: Sequence[Code], things: Sequence[Code]) -> frozenset[int]:
    """Return the numbers of codes among the things of a medium."""
    return frozenset(things.index(code) for code in codes)
