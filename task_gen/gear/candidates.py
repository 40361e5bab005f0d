"""Which gear a hero may be asked to make for a fight, as published.

He has to be able to wear it at his level and to come by it: crafted, gathered or dropped, all the way down its recipe
tree; being for sale does not count. Nothing in the tree may be a drop of the target, which he would have to beat first,
or of a monster above the target's level.
"""

from __future__ import annotations

from functools import lru_cache

from herobench.rpg.world import CONSUMABLE, Code, Item, Monster, World, slot_type


def gear_candidates(world: World, target: Monster, level: int) -> dict[str, tuple[Item, ...]]:
    """The gear for a fight against a target, by the type of the slots it is worn in."""
    forbidden = _drops_of_the_mighty(world, target)
    return {
        kind: tuple(item for item, falls in items if item.level <= level and forbidden.isdisjoint(falls))
        for kind, items in _gear(world).items()
    }


@lru_cache(maxsize=16)
def _gear(world: World) -> dict[str, list[tuple[Item, frozenset[Code]]]]:
    """By type, the gear that can be come by, each item with what of it falls from monsters."""
    falling = frozenset(world.droppers)
    found: dict[str, list[tuple[Item, frozenset[Code]]]] = {slot_type(slot): [] for slot in gear_slots(world)}
    for item in world.items.values():
        if item.type in found and sources(world, item.code) is not None:
            found[item.type].append((item, falling & world.everything_in(item.code)))
    return found


def gear_slots(world: World) -> tuple[str, ...]:
    """The slots that gear is worn in, in the world's order."""
    return tuple(slot for slot in world.slots if slot_type(slot) != CONSUMABLE)


def _drops_of_the_mighty(world: World, target: Monster) -> frozenset[Code]:
    mighty = (monster for monster in world.monsters.values() if monster is target or monster.level > target.level)
    return frozenset(drop.item for monster in mighty for drop in monster.drops)


@lru_cache(maxsize=100_000)
def sources(world: World, code: Code) -> frozenset[Code] | None:
    """What an item is made of in the end: the leaves of its recipe tree. None where one of them cannot be gathered
    and is dropped by nobody."""
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
