"""Oddities: faults of a world that still loads and has tasks; and the check of supply.

Something in the world is dead (nobody needs it or can get it) or keeps tasks from being made. The list of kinds is
closed. The checks of this package yield oddities; the survey collects them. The check of supply finds which items can
be obtained, and which nobody needs.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Literal, NamedTuple

from herobench.data.documents import json_path
from herobench.suites.rpg.game.world import CONSUMABLE, Code, Item, World, slot_type

OddityKind = Literal["unreachable", "unused", "unwearable", "unbeatable", "pushover", "no_tasks"]
"""The kinds of oddities; docs/worlds.md defines each."""


class Spot(NamedTuple):
    """A place in the documents of a world."""

    file: str
    path: str


@dataclass(frozen=True, slots=True)
class Oddity:
    """An oddity: its kind, its place, what is odd, and advice."""

    kind: OddityKind
    spot: Spot
    what: str
    advice: str

    def __str__(self) -> str:
        return f"{self.spot.file}: {self.spot.path}: {self.what}; {self.advice}"

    def as_row(self) -> dict[str, Any]:
        """Return the oddity as plain data."""
        return {"kind": self.kind, **self.spot._asdict(), "what": self.what, "advice": self.advice}


class Spots:
    """Finds the parts of a world in its documents, which have the world's order."""

    def __init__(self, world: World, name: str) -> None:
        """`name` stands for the world before the names of its files."""
        self._name = name
        # Worlds keep the order of their documents, so a position in a world is the index in its file.
        kinds: dict[str, Iterable[Code]] = {"monsters": world.monsters, "items": world.items}
        self._index = {kind: {code: index for index, code in enumerate(codes)} for kind, codes in kinds.items()}

    def of(self, kind: str, code: Code, *steps: object) -> Spot:
        """Return the place of a monster or an item, or of something in it."""
        return self._spot(kind, kind, self._index[kind][code], *steps)

    def about(self) -> Spot:
        """Return the place of something about the world as a whole."""
        return self._spot("world")

    def _spot(self, document: str, *steps: object) -> Spot:
        return Spot(f"{self._name}/{document}.json", json_path(steps))


# -- supply -----------------------------------------------------------------------------------------------------------


def obtainable(world: World, beatable: Collection[Code]) -> frozenset[Code]:
    """Return the items that can be obtained if these monsters can be beaten."""
    sold, by_code = sold_by_name(world), dict[Code, bool]()

    def has_source(code: Code) -> bool:
        if code not in by_code:
            recipe = world.recipe_of(code)
            # Recipes have no cycles (the loader refuses them), so the recursion ends.
            by_code[code] = (
                code in world.nodes
                or code in world.starter_items
                or code in sold
                or any(who in beatable for who in world.droppers.get(code, ()))
                or (recipe is not None and all(map(has_source, recipe.ingredients)))
            )
        return by_code[code]

    return frozenset(filter(has_source, world.items))


def sold_by_name(world: World) -> frozenset[Code]:
    """Return the items that the exchange sells, unless it sells everything."""
    return frozenset() if sells_everything(world) else world.exchange_sells


def sells_everything(world: World) -> bool:
    """Return whether the exchange sells every item."""
    # World holds a list of items for sale, so "every item" can be seen in the source only.
    return bool(json.loads(world.source)["world"]["exchange_sells"] == "every item")


def unreachable(world: World, spots: Spots, had: Collection[Code]) -> Iterator[Oddity]:
    """Yield the items that nobody can get; `had` are the obtainable ones."""
    unsold = ", and that everything is sold is no source" if sells_everything(world) else " and is not sold"
    for code, item in world.items.items():
        if code not in had:
            yield _no_source(world, spots, item, had, unsold)


def _no_source(world: World, spots: Spots, item: Item, had: Collection[Code], unsold: str) -> Oddity:
    recipe, droppers = item.recipe, world.droppers.get(item.code, ())
    if recipe:
        part = next(part for part in recipe.ingredients if part not in had)
        what = f"{item.name} is crafted from {part}, which nobody can come by"
        advice = f"give {part} a source, or take it out of the recipe"
        return Oddity("unreachable", spots.of("items", item.code, "recipe", "ingredients", part), what, advice)
    if droppers:
        what = f"{item.name} falls only from {', '.join(droppers)}, whom no hero beats, whatever he wears"
        advice = f"make {droppers[0]} weaker, or add a drop, a node or a recipe for {item.code}"
        return Oddity("unreachable", spots.of("items", item.code), what, advice)
    what = f"nobody can come by {item.name}: no monster drops it, no node gives it, it has no recipe{unsold}"
    return Oddity(
        "unreachable", spots.of("items", item.code), what, "add a drop, a node or a recipe, or sell it by name"
    )


def ingredients(world: World) -> frozenset[Code]:
    """Return every item that is an ingredient."""
    return frozenset(part for item in world.items.values() if item.recipe for part in item.recipe.ingredients)


def useless_items(world: World, spots: Spots, had: Collection[Code]) -> Iterator[Oddity]:
    """Yield the items that can be obtained but that nobody has a reason to get."""
    parts, types = ingredients(world), set(map(slot_type, world.slots))
    for code, item in world.items.items():
        dead = code in had and item.recipe is None and code not in parts and code not in world.starter_items
        if dead and not (item.type in types and acts(item)):
            what = f"{item.name} is of no use: it goes into nothing, and does nothing when it is worn or eaten"
            advice = "give it a recipe that needs it, or effects that count"
            yield Oddity("unused", spots.of("items", code), what, advice)


def acts(item: Item) -> bool:
    """Return whether an item does something in a fight: food when it is eaten, other items when they are worn."""
    return _acts_eaten(item) if item.type == CONSUMABLE else _acts_worn(item)


def _acts_eaten(item: Item) -> bool:
    return bool(item.eaten.restore or item.eaten.hp or any(item.eaten.damage))


def _acts_worn(item: Item) -> bool:
    return item.worn.hp != 0 or any(map(any, item.worn[1:]))


def unwearable(world: World, spots: Spots) -> Iterator[Oddity]:
    """Yield the items with effects that no slot takes."""
    types = dict.fromkeys(map(slot_type, world.slots))
    for code, item in world.items.items():
        if item.type not in types and (_acts_eaten(item) or _acts_worn(item)):
            # A close match is probably what the author meant to write.
            near = get_close_matches(item.type, types, 1)
            advice = f"is {near[0]!r} meant?" if near else f"there are slots for {', '.join(types)}"
            what = f"no slot takes a {item.type!r}, so the effects of {item.name} do nothing"
            yield Oddity("unwearable", spots.of("items", code, "type"), what, advice)
