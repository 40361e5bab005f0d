"""Check supply: find which items can be obtained, and which nobody needs.

Called by the survey and the checks of fights and gear.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator

from herobench.rpg.world import CONSUMABLE, Code, Item, World, slot_type
from herobench.task_gen.worlds.oddity import Oddity, OddityKind, Spots


def obtainable(world: World, beatable: Collection[Code]) -> frozenset[Code]:
    """Return the items that can be obtained if these monsters can be beaten."""
    sold, known = sold_by_name(world), dict[Code, bool]()

    def has_source(code: Code) -> bool:
        if code not in known:
            recipe = world.recipe_of(code)
            # Recipes have no cycles (the loader refuses them), so the recursion ends.
            known[code] = (
                code in world.nodes
                or code in world.starter_items
                or code in sold
                or any(who in beatable for who in world.droppers.get(code, ()))
                or (recipe is not None and all(map(has_source, recipe.ingredients)))
            )
        return known[code]

    return frozenset(filter(has_source, world.items))


def sold_by_name(world: World) -> frozenset[Code]:
    """Return the items that the exchange sells, unless it sells everything."""
    return frozenset() if sells_everything(world) else world.exchange_sells


def sells_everything(world: World) -> bool:
    """Return whether the exchange sells every item."""
    # World holds a list of items for sale, so "every item" can be seen in the source only.
    return bool(json.loads(world.source)["world"]["exchange_sells"] == "every item")


def unreachable(world: World, spots: Spots, had: Collection[Code]) -> Iterator[Oddity]:
    """Yield the items that nobody can get; `had` are all that can be obtained."""
    unsold = ", and that everything is sold is no source" if sells_everything(world) else " and is not sold"
    for code, item in world.items.items():
        if code not in had:
            yield _lost(world, spots, item, had, unsold)


def _lost(world: World, spots: Spots, item: Item, had: Collection[Code], unsold: str) -> Oddity:
    recipe, droppers = item.recipe, world.droppers.get(item.code, ())
    if recipe:
        part = next(part for part in recipe.ingredients if part not in had)
        what = f"{item.name} is crafted from {part}, which nobody can come by"
        advice = f"give {part} a source, or take it out of the recipe"
        return Oddity(OddityKind.UNREACHABLE, spots.item(item.code, "recipe", "ingredients", part), what, advice)
    if droppers:
        what = f"{item.name} falls only from {', '.join(droppers)}, whom no hero beats, whatever he wears"
        advice = f"make {droppers[0]} weaker, or add a drop, a node or a recipe for {item.code}"
        return Oddity(OddityKind.UNREACHABLE, spots.item(item.code), what, advice)
    what = f"nobody can come by {item.name}: no monster drops it, no node gives it, it has no recipe{unsold}"
    return Oddity(
        OddityKind.UNREACHABLE, spots.item(item.code), what, "add a drop, a node or a recipe, or sell it by name"
    )


def ingredients(world: World) -> frozenset[Code]:
    """Return every item that is an ingredient."""
    return frozenset(part for item in world.items.values() if item.recipe for part in item.recipe.ingredients)


def unused(world: World, spots: Spots, had: Collection[Code]) -> Iterator[Oddity]:
    """Yield the items that can be obtained but that nobody has a reason to get."""
    parts, types = ingredients(world), set(map(slot_type, world.slots))
    for code, item in world.items.items():
        dead = code in had and item.recipe is None and code not in parts and code not in world.starter_items
        if dead and not (item.type in types and acts(item)):
            what = f"{item.name} is of no use: it goes into nothing, and does nothing when it is worn or eaten"
            advice = "give it a recipe that needs it, or effects that count"
            yield Oddity(OddityKind.UNUSED, spots.item(code), what, advice)


def acts(item: Item) -> bool:
    """Return whether an item does something in a fight: food when it is eaten, other items when they are worn."""
    if item.type == CONSUMABLE:
        return bool(item.eaten.restore or item.eaten.hp or any(item.eaten.damage))
    return item.worn.hp != 0 or any(map(any, item.worn[1:]))
