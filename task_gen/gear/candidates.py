"""The gear that a hero may be asked to make for a fight, as published.

He must be able to wear it at his level and to get it: crafted, gathered or dropped, down the whole recipe tree. That it
is for sale does not count. Nothing in the tree may be a drop of the target, which he would have to beat first, or of a
monster above the target's level.
"""

from __future__ import annotations

from functools import lru_cache

from herobench.rpg.world import CONSUMABLE, Code, Item, Monster, World, slot_type


def gear_candidates(world: World, target: Monster, level: int) -> dict[str, tuple[Item, ...]]:
    """Return the gear for a fight against a target, by slot type."""
    forbidden = _forbidden_drops(world, target)
    return {
        kind: tuple(item for item, falls in items if item.level <= level and forbidden.isdisjoint(falls))
        for kind, items in _gear(world).items()
    }


# A generator asks for every monster and level of a few worlds; the recipe trees are the dear part of the answer.
@lru_cache(maxsize=16)
def _gear(world: World) -> dict[str, list[tuple[Item, frozenset[Code]]]]:
    """Return the gear that can be had, by slot type, each item with the parts of it that monsters drop."""
    falling = frozenset(world.droppers)
    found: dict[str, list[tuple[Item, frozenset[Code]]]] = {slot_type(slot): [] for slot in gear_slots(world)}
    for item in world.items.values():
        if item.type in found and sources(world, item.code) is not None:
            found[item.type].append((item, falling & world.everything_in(item.code)))
    return found


def gear_slots(world: World) -> tuple[str, ...]:
    """Return the slots that gear is worn in, in the world's order."""
    return tuple(slot for slot in world.slots if slot_type(slot) != CONSUMABLE)


def _forbidden_drops(world: World, target: Monster) -> frozenset[Code]:
    stronger = (monster for monster in world.monsters.values() if monster is target or monster.level > target.level)
    return frozenset(drop.item for monster in stronger for drop in monster.drops)


@lru_cache(maxsize=100_000)
def sources(world: World, code: Code) -> frozenset[Code] | None:
    """Return the leaves of an item's recipe tree; None if one of them can neither be gathered nor drops."""
    recipe = world.recipe_of(code)
    if recipe is None:
        return frozenset({code}) if code in world.nodes or code in world.droppers else None
    leaves: set[Code] = set()
    for part in recipe.ingredients:
        found = sources(world, part)
        if found is None:
            return None
        leaves |= found
    return frozenset(leaves)
