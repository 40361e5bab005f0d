"""The world: places, monsters, resource nodes, items, recipes.

Built once from documents that `content` has read and checked, immutable and typed ever after, with the look-ups that
the game, the generator and the planner need. Everything here comes from the documents: elements, skills, slots and
starter items too, so that another world needs no other code. What an effect means is the only thing the code knows:
`hp`, `attack_E`, `dmg_E` and `res_E` while worn, `restore`, `boost_hp` and `boost_dmg_E` in a fight.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

from herobench.rpg.round_effects import Values, values_of

Code = str
Place = tuple[int, int]
Documents = Mapping[str, Mapping[str, Any]]

DOCUMENTS = ("world", "monsters", "resources", "items", "distractors", "map")
CONSUMABLE = "consumable"
HERO_STATS = MappingProxyType({"hp": 120})
"""What a hero of level 1 has in a world that does not say: the published hero's health."""


class Stats(NamedTuple):
    """What decides a fight: health, and by element the attack, the percentage added to it, and the resistance."""

    hp: int
    attack: tuple[int, ...]
    damage: tuple[int, ...]
    resistance: tuple[int, ...]
    round_effects: Values = ()


class Boost(NamedTuple):
    """What a consumable gives in a fight."""

    restore: int
    hp: int
    damage: tuple[int, ...]
    effects: int


class Drop(NamedTuple):
    """An item that falls, once in `one_in` times where drops go by their rates."""

    item: Code
    one_in: int
    least: int
    most: int


class Recipe(NamedTuple):
    """How an item is crafted."""

    skill: str
    level: int
    ingredients: Mapping[Code, int]


class Content(NamedTuple):
    """What stands on a tile."""

    type: str
    code: Code


@dataclass(frozen=True, slots=True)
class Monster:
    """Someone to be fought."""

    code: Code
    name: str
    level: int
    intended_level: int
    stats: Stats
    gold: tuple[int, int]
    drops: tuple[Drop, ...]


@dataclass(frozen=True, slots=True)
class Resource:
    """A node to be gathered from."""

    code: Code
    name: str
    skill: str
    level: int
    drops: tuple[Drop, ...]


@dataclass(frozen=True, slots=True)
class Item:
    """A thing to be owned, worn, eaten or crafted."""

    code: Code
    name: str
    level: int
    type: str
    subtype: str
    description: str
    effects: Mapping[str, int]
    recipe: Recipe | None
    worn: Stats
    """What it adds to the stats of who wears it."""
    eaten: Boost
    """What it gives in a fight when it lies in a consumable slot."""


@dataclass(frozen=True, slots=True)
class Tile:
    """A place of the map."""

    place: Place
    name: str
    skin: str
    content: Content | None


@dataclass(frozen=True)
class World:
    """All of it. Two worlds are the same where their digests are."""

    code: Code
    name: str
    description: str
    elements: tuple[str, ...]
    skills: tuple[str, ...]
    slots: tuple[str, ...]
    start: Place
    starter_items: frozenset[Code]
    hero_stats: Mapping[str, int]
    """What a hero of level 1 has by himself."""
    exchange_sells: frozenset[Code]
    monsters: Mapping[Code, Monster]
    resources: Mapping[Code, Resource]
    items: Mapping[Code, Item]
    distractors: Mapping[Code, Item]
    tiles: Mapping[Place, Tile]
    source: str = field(repr=False)
    """The documents as JSON: what a worker process is given."""

    @classmethod
    def from_documents(cls, documents: Documents) -> World:
        """Build from documents that `content.check_world` finds no problem with."""
        about = documents["world"]
        elements = tuple(about["elements"])
        items = _items(documents["items"]["items"], elements)
        sells = about["exchange_sells"]
        return cls(
            code=about["code"],
            name=about["name"],
            description=about["description"],
            elements=elements,
            skills=tuple(about["skills"]),
            slots=tuple(about["slots"]),
            start=(int(about["start"]["x"]), int(about["start"]["y"])),
            starter_items=frozenset(about["starter_items"]),
            hero_stats=MappingProxyType({name: int(value) for name, value in about.get("hero", HERO_STATS).items()}),
            exchange_sells=frozenset(items if sells == "every item" else sells),
            monsters=_by_code(_monster(row, elements) for row in documents["monsters"]["monsters"]),
            resources=_by_code(_resource(row) for row in documents["resources"]["resources"]),
            items=items,
            distractors=_items(documents["distractors"]["items"], elements),
            tiles=MappingProxyType({tile.place: tile for tile in map(_tile, documents["map"]["tiles"])}),
            source=json.dumps(documents, separators=(",", ":")),
        )

    @classmethod
    def from_source(cls, source: str) -> World:
        """Build from another world's `source`."""
        return cls.from_documents(json.loads(source))

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the content: the same on every machine, whatever the layout of the files."""
        return digest_of(json.loads(self.source))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, World) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    # -- where things are -------------------------------------------------------------------------------------------

    def standing(self, kind: str) -> Mapping[Place, Code]:
        """The tiles that hold content of a kind (monster, resource, workshop, grand_exchange ...)."""
        return self._standing.get(kind, MappingProxyType({}))

    def places_of(self, kind: str, code: Code) -> tuple[Place, ...]:
        """Where something stands, in the map's order."""
        return self._places.get(Content(kind, code), ())

    @cached_property
    def _standing(self) -> Mapping[str, Mapping[Place, Code]]:
        found: dict[str, dict[Place, Code]] = {}
        for place, tile in self.tiles.items():
            if tile.content:
                found.setdefault(tile.content.type, {})[place] = tile.content.code
        return {kind: MappingProxyType(places) for kind, places in found.items()}

    @cached_property
    def _places(self) -> Mapping[Content, tuple[Place, ...]]:
        found: dict[Content, tuple[Place, ...]] = {}
        for place, tile in self.tiles.items():
            if tile.content:
                found[tile.content] = (*found.get(tile.content, ()), place)
        return found

    # -- where things come from -------------------------------------------------------------------------------------

    @cached_property
    def droppers(self) -> Mapping[Code, tuple[Code, ...]]:
        """The monsters that drop an item."""
        return _who_drops(self.monsters.values())

    @cached_property
    def nodes(self) -> Mapping[Code, tuple[Code, ...]]:
        """The resource nodes that an item is gathered from."""
        return _who_drops(self.resources.values())

    def recipe_of(self, code: Code) -> Recipe | None:
        """How an item is crafted; None where it is not, or does not exist."""
        item = self.items.get(code)
        return item.recipe if item else None

    def everything_in(self, code: Code) -> frozenset[Code]:
        """An item with everything that goes into it, down to what is not crafted."""
        cached = self._trees.get(code)
        if cached is None:
            recipe = self.recipe_of(code)
            parts = [self.everything_in(part) for part in recipe.ingredients] if recipe else []
            cached = self._trees[code] = frozenset({code}).union(*parts)
        return cached

    def recipe_tree(self, code: Code) -> frozenset[Code]:
        """The same without starter items, which count as no work."""
        return self.everything_in(code) - self.starter_items

    @cached_property
    def _trees(self) -> dict[Code, frozenset[Code]]:
        return {}


def digest_of(documents: Any) -> str:
    """The digest of the world that documents make, or would make if they did."""
    canonical = json.dumps(documents, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode("ascii")).hexdigest()


_Thing = TypeVar("_Thing", Monster, Resource, Item)


def slot_type(slot: str) -> str:
    """The type of item a slot takes: its name without the number."""
    return slot.rstrip("0123456789")


def _by_code(things: Iterable[_Thing]) -> Mapping[Code, _Thing]:
    return MappingProxyType({thing.code: thing for thing in things})


def _who_drops(sources: Iterable[Monster] | Iterable[Resource]) -> Mapping[Code, tuple[Code, ...]]:
    found: dict[Code, tuple[Code, ...]] = {}
    for source in sources:
        for drop in source.drops:
            found[drop.item] = (*found.get(drop.item, ()), source.code)
    return MappingProxyType(found)


def _by_element(elements: tuple[str, ...], values: Mapping[str, int], prefix: str = "") -> tuple[int, ...]:
    return tuple(int(values.get(prefix + element, 0)) for element in elements)


def stats_of(effects: Mapping[str, int], elements: tuple[str, ...]) -> Stats:
    """The stats that named effects add up to; other names mean nothing here."""
    attack, damage, resistance = (_by_element(elements, effects, prefix) for prefix in ("attack_", "dmg_", "res_"))
    return Stats(int(effects.get("hp", 0)), attack, damage, resistance, values_of(effects.items()))


def _monster(row: Mapping[str, Any], elements: tuple[str, ...]) -> Monster:
    stats = Stats(
        hp=int(row["hp"]),
        attack=_by_element(elements, row["attack"]),
        damage=(0,) * len(elements),
        resistance=_by_element(elements, row["resistance"]),
    )
    gold = (int(row["gold"]["min"]), int(row["gold"]["max"]))
    return Monster(row["code"], row["name"], int(row["level"]), int(row["intended_level"]), stats, gold, _drops(row))


def _resource(row: Mapping[str, Any]) -> Resource:
    return Resource(row["code"], row["name"], row["skill"], int(row["level"]), _drops(row))


def _drops(row: Mapping[str, Any]) -> tuple[Drop, ...]:
    return tuple(Drop(drop["item"], *(int(drop[key]) for key in ("one_in", "min", "max"))) for drop in row["drops"])


def _items(rows: Iterable[Mapping[str, Any]], elements: tuple[str, ...]) -> Mapping[Code, Item]:
    return _by_code(item_from_row(row, elements) for row in rows)


def item_from_row(row: Mapping[str, Any], elements: tuple[str, ...]) -> Item:
    """An item from its row in a document; its stats are told by the elements that are given."""
    effects = {name: int(value) for name, value in row["effects"].items()}
    recipe = row.get("recipe")
    return Item(
        code=row["code"],
        name=row["name"],
        level=int(row["level"]),
        type=row["type"],
        subtype=row["subtype"],
        description=row["description"],
        effects=MappingProxyType(effects),
        recipe=_recipe(recipe) if recipe else None,
        worn=stats_of(effects, elements),
        eaten=Boost(
            restore=effects.get("restore", 0),
            hp=effects.get("boost_hp", 0),
            damage=_by_element(elements, effects, "boost_dmg_"),
            effects=sum(name.startswith("boost_") for name in effects),
        ),
    )


def item_row(item: Item) -> dict[str, Any]:
    """An item as its row in a document."""
    row: dict[str, Any] = {
        "code": item.code,
        "name": item.name,
        "level": item.level,
        "type": item.type,
        "subtype": item.subtype,
        "description": item.description,
        "effects": dict(item.effects),
    }
    if item.recipe:
        skill, level, ingredients = item.recipe
        row["recipe"] = {"skill": skill, "level": level, "ingredients": dict(ingredients)}
    return row


def _recipe(row: Mapping[str, Any]) -> Recipe:
    ingredients = {code: int(quantity) for code, quantity in row["ingredients"].items()}
    return Recipe(row["skill"], int(row["level"]), MappingProxyType(ingredients))


def _tile(row: Mapping[str, Any]) -> Tile:
    content = row.get("content")
    return Tile(
        place=(int(row["x"]), int(row["y"])),
        name=row["name"],
        skin=row["skin"],
        content=Content(content["type"], content["code"]) if content else None,
    )
