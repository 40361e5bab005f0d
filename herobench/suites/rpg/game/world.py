"""The world: places, monsters, resource nodes, items, recipes. Immutable, with the lookups that the game needs.

`content` builds it from documents that it has checked. Elements, skills and slots come from the documents too, so that
another world needs no other code. Only the meaning of effects is fixed here: `hp`, `attack_E`, `dmg_E` and `res_E` of
an item that is worn, and `restore`, `boost_hp` and `boost_dmg_E` of one that is eaten in a fight.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, TypeVar, get_args

RoundEffect = Callable[[Any, int, Any], Any]
"""Takes the effect's value, the number of the round and the other side's health; returns what it takes off that health.

It must accept numbers and numpy arrays alike, and a value of 0 must take nothing off. It applies after the hits of its
side. Example, a poison that takes 3 % more each round: `lambda value, number, hp: hp * (value * number * 0.01)`.
"""
ROUND_EFFECTS: dict[str, RoundEffect] = {}
"""The effects of a fight beside its hits, under the names that worlds give them. Hits come from health, attacks, damage
and resistances (`strike` in `rules.py`). Both duels apply these effects. Searches that count hits leave fights with
them to the duel. No shipped world has one."""

Values = tuple[tuple[str, int], ...]
"""The values of round effects, sorted by name."""


def read_round_effects(effects: Iterable[tuple[str, int]]) -> Values:
    """Return the round effects among named effects."""
    return tuple(sorted((name, int(value)) for name, value in effects if value and name in ROUND_EFFECTS))


def add_up(some: Values, others: Values, sign: int = 1) -> Values:
    """Return the sum of round effects by name, or with a sign of -1 their difference."""
    if not others:
        return some
    total = dict(some)
    for name, value in others:
        total[name] = total.get(name, 0) + sign * value
    return tuple(sorted((name, value) for name, value in total.items() if value))


def health_after(effects: Iterable[tuple[str, Any]], number: int, health: Any, point: int) -> Any:
    """Return the health, or the array of healths, that one side's effects leave to the other side in a round.

    A point of health counts `point`. Effects know points alone.
    """
    for name, value in effects:
        health = health - ROUND_EFFECTS[name](value, number, health / point) * point
    return health


Code = str
Place = tuple[int, int]
Names = Literal["plain", "random"]
"""The names of the things of a world: those that its author gave, or opaque codes in their place."""
NAMES: tuple[Names, Names] = get_args(Names)
PLAIN, RANDOM = NAMES
Documents = Mapping[str, Mapping[str, Any]]

DOCUMENTS = ("world", "monsters", "resources", "items", "distractors", "map")
CONSUMABLE = "consumable"
HERO_STATS = MappingProxyType({"hp": 120})
"""The stats of a hero of level 1 in a world that gives none: the health of the published hero."""


class Stats(NamedTuple):
    """The numbers that decide a fight: health and, by element, attack, extra damage in percent, and resistance."""

    hp: int
    attack: tuple[int, ...]
    damage: tuple[int, ...]
    resistance: tuple[int, ...]
    round_effects: Values = ()


class Boost(NamedTuple):
    """The effects of a consumable in a fight."""

    restore: int
    hp: int
    damage: tuple[int, ...]
    effects: int


class Drop(NamedTuple):
    """An item that a monster or a node drops. With drops by rate, it falls once in `one_in` times."""

    item: Code
    one_in: int
    least: int
    most: int


class Recipe(NamedTuple):
    """The skill, level and ingredients that crafting an item needs."""

    skill: str
    level: int
    ingredients: Mapping[Code, int]


class Content(NamedTuple):
    """The monster, resource node or building that stands on a tile."""

    type: str
    code: Code


@dataclass(frozen=True, slots=True)
class Monster:
    """A monster: its stats, and what it gives when it is beaten."""

    code: Code
    name: str
    level: int
    intended_level: int
    stats: Stats
    gold: tuple[int, int]
    drops: tuple[Drop, ...]


@dataclass(frozen=True, slots=True)
class Resource:
    """A resource node: the skill it needs, and what it gives."""

    code: Code
    name: str
    skill: str
    level: int
    drops: tuple[Drop, ...]


@dataclass(frozen=True, slots=True)
class Item:
    """An item: gear, food or an ingredient."""

    code: Code
    name: str
    level: int
    type: str
    subtype: str
    description: str
    effects: Mapping[str, int]
    recipe: Recipe | None
    worn: Stats
    """The stats that it adds to the hero who wears it."""
    eaten: Boost
    """Its effects in a fight when it is in a consumable slot."""

    @property
    def power(self) -> int:
        """How strong it looks: the sum of its effects."""
        return sum(self.effects.values())


@dataclass(frozen=True, slots=True)
class Tile:
    """One tile of the map."""

    place: Place
    name: str
    skin: str
    content: Content | None


# Without slots, unlike the classes above: cached properties are kept in the `__dict__`.
@dataclass(frozen=True)
class World:
    """A whole world. Two worlds are equal when their digests are equal."""

    code: Code
    name: str
    description: str
    elements: tuple[str, ...]
    skills: tuple[str, ...]
    slots: tuple[str, ...]
    start: Place
    starter_items: frozenset[Code]
    hero_stats: Mapping[str, int]
    """The stats of a hero of level 1 without gear."""
    exchange_sells: frozenset[Code]
    monsters: Mapping[Code, Monster]
    resources: Mapping[Code, Resource]
    items: Mapping[Code, Item]
    distractors: Mapping[Code, Item]
    tiles: Mapping[Place, Tile]
    names: Names
    source: str = field(repr=False)
    """The documents as JSON. A worker process is sent this text."""

    @classmethod
    def from_documents(cls, documents: Documents, source: str | None = None) -> World:
        """Build a world from documents in which `content.check_world` finds no problem. `source` is their JSON."""
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
            names=RANDOM if about.get("opaque") else PLAIN,
            source=source or json.dumps(documents, separators=(",", ":")),
        )

    @classmethod
    def from_source(cls, source: str) -> World:
        """Build a world from the `source` of another one, which may end with line breaks, as in a file."""
        return cls.from_documents(json.loads(source), source.rstrip("\n"))

    @cached_property
    def digest(self) -> str:
        """The SHA-256 of the content. It does not depend on the machine or on the layout of the files."""
        return world_digest(json.loads(self.source))

    def __reduce__(self) -> tuple[Callable[[str], World], tuple[str]]:
        """Send a world to another process as its source."""
        return World.from_source, (self.source,)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, World) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    # -- where things are -------------------------------------------------------------------------------------------

    def standing(self, kind: str) -> Mapping[Place, Code]:
        """Return the places of all content of a kind (monster, resource, workshop, ...), each with its code."""
        return self._standing.get(kind, MappingProxyType({}))

    def places_of(self, kind: str, code: Code) -> tuple[Place, ...]:
        """Return the places where a thing stands, in the order of the map."""
        return self._places.get(Content(kind, code), ())

    @cached_property
    def _standing(self) -> Mapping[str, Mapping[Place, Code]]:
        by_kind: dict[str, dict[Place, Code]] = {}
        for place, tile in self.tiles.items():
            if tile.content:
                by_kind.setdefault(tile.content.type, {})[place] = tile.content.code
        return {kind: MappingProxyType(places) for kind, places in by_kind.items()}

    @cached_property
    def _places(self) -> Mapping[Content, tuple[Place, ...]]:
        by_content: dict[Content, tuple[Place, ...]] = {}
        for place, tile in self.tiles.items():
            if tile.content:
                by_content[tile.content] = (*by_content.get(tile.content, ()), place)
        return by_content

    # -- where things come from -------------------------------------------------------------------------------------

    @cached_property
    def droppers(self) -> Mapping[Code, tuple[Code, ...]]:
        """The monsters that drop each item."""
        return _who_drops(self.monsters.values())

    @cached_property
    def nodes(self) -> Mapping[Code, tuple[Code, ...]]:
        """The resource nodes that give each item."""
        return _who_drops(self.resources.values())

    def recipe_of(self, code: Code) -> Recipe | None:
        """Return the recipe of an item; None if it has none or does not exist."""
        item = self.items.get(code)
        return item.recipe if item else None

    def everything_in(self, code: Code) -> frozenset[Code]:
        """Return an item with all its ingredients, and theirs, down to those that are not crafted."""
        # Ingredients are shared by many recipes; without the cache the work would grow with the number of paths.
        items = self._trees.get(code)
        if items is None:
            recipe = self.recipe_of(code)
            parts = [self.everything_in(part) for part in recipe.ingredients] if recipe else []
            items = self._trees[code] = frozenset({code}).union(*parts)
        return items

    def recipe_tree(self, code: Code) -> frozenset[Code]:
        """Return the same without starter items, since a hero has these without work."""
        return self.everything_in(code) - self.starter_items

    @cached_property
    def _trees(self) -> dict[Code, frozenset[Code]]:
        return {}


def world_digest(documents: Any) -> str:
    """Return the digest of a world from its documents, even if they have problems."""
    # Sorted and without spaces, so that it does not depend on the layout of the files.
    canonical = json.dumps(documents, check_circular=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode("ascii")).hexdigest()


_Thing = TypeVar("_Thing", Monster, Resource, Item)


def slot_type(slot: str) -> str:
    """Return the type of item that a slot takes: the name of the slot without its number."""
    return slot.rstrip("0123456789")


def _by_code(things: Iterable[_Thing]) -> Mapping[Code, _Thing]:
    return MappingProxyType({thing.code: thing for thing in things})


def _who_drops(sources: Iterable[Monster] | Iterable[Resource]) -> Mapping[Code, tuple[Code, ...]]:
    droppers: dict[Code, tuple[Code, ...]] = {}
    for source in sources:
        for drop in source.drops:
            droppers[drop.item] = (*droppers.get(drop.item, ()), source.code)
    return MappingProxyType(droppers)


def _by_element(elements: tuple[str, ...], values: Mapping[str, int], prefix: str = "") -> tuple[int, ...]:
    return tuple([int(values.get(prefix + element, 0)) for element in elements])


def sum_stats(effects: Mapping[str, int], elements: tuple[str, ...]) -> Stats:
    """Return the sum of effects as stats. Effects with other names do nothing here."""
    attack, damage, resistance = (_by_element(elements, effects, prefix) for prefix in ("attack_", "dmg_", "res_"))
    return Stats(int(effects.get("hp", 0)), attack, damage, resistance, read_round_effects(effects.items()))


def _monster(row: Mapping[str, Any], elements: tuple[str, ...]) -> Monster:
    stats = Stats(
        hp=int(row["hp"]),
        attack=_by_element(elements, row["attack"]),
        # Monsters hit with their plain attacks, as published.
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
    """Build an item from its row in a document. Its stats have one number for each of the elements."""
    effects = {name: int(value) for name, value in row["effects"].items()}
    recipe = row.get("recipe")
    return Item(
        **{part: row[part] for part in ("code", "name", "type", "subtype", "description")},
        level=int(row["level"]),
        effects=MappingProxyType(effects),
        recipe=_recipe(recipe) if recipe else None,
        worn=sum_stats(effects, elements),
        eaten=Boost(
            restore=effects.get("restore", 0),
            hp=effects.get("boost_hp", 0),
            damage=_by_element(elements, effects, "boost_dmg_"),
            effects=sum(name.startswith("boost_") for name in effects),
        ),
    )


def item_row(item: Item) -> dict[str, Any]:
    """Return an item as its row in a document."""
    row = {part: getattr(item, part) for part in ("code", "name", "level", "type", "subtype", "description")}
    row["effects"] = dict(item.effects)
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
