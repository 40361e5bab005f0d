"""Split a minimal winning gear set: which items the hero wears already, which are missing, and what replaces them.

Called by kill tasks. The split is chosen so that the task gets the wanted difficulty: each missing item adds its
own, and each slot that has to be emptied first adds 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import NamedTuple

from herobench.rpg.world import Code, World, slot_type
from herobench.task_gen.difficulty import FIGHT, item_difficulty
from herobench.task_gen.gear.search import Gear, GearSearch
from herobench.task_gen.gear.stat_sums import add

_MOST_SLOTS = 16
"""The largest number of items that may be missing, because the number of subsets doubles per item."""


class Outfit(NamedTuple):
    """Gear that the hero wears at the start, and gear that he has to make."""

    worn: Mapping[str, Code]
    missing: Mapping[str, Code]


def hardest(world: World, gear: Gear) -> int:
    """Return the highest difficulty that a task about a gear set can have."""
    return FIGHT + sum(item_difficulty(world, code) + 1 for code in gear.values())


def random_outfit(search: GearSearch, gear: Gear, level: int, difficulty: int, rng: Random) -> Outfit | None:
    """Choose an outfit of a difficulty at random. Return None if the gear set has none."""
    world = search.world
    wanted = difficulty - FIGHT
    parts = _parts(world, gear, wanted)
    if not parts:
        return None
    part = rng.choice(parts)
    missing = {slot: gear[slot] for index, slot in enumerate(gear) if part >> index & 1}
    obstacles = wanted - sum(item_difficulty(world, code) for code in missing.values())
    worn = {slot: code for slot, code in gear.items() if slot not in missing}
    # Sorted, because the random choice must not depend on the order in which the set was found.
    for slot in rng.sample(sorted(missing), obstacles):
        poorer = _poorer(search, gear, slot, level)
        if not poorer:
            return None
        worn[slot] = rng.choice(poorer)
    # In the world's order, so that equal outfits have equal bytes.
    return Outfit({slot: worn[slot] for slot in world.slots if slot in worn}, missing)


def _parts(world: World, gear: Gear, wanted: int) -> list[int]:
    """Return the subsets of a gear set that may be missing for a difficulty: numbers with a bit for each slot."""
    slots = list(gear)[:_MOST_SLOTS]
    # totals[subset] is the sum of the subset's difficulties (subset-sum doubling).
    totals = [0]
    for slot in slots:
        weight = item_difficulty(world, gear[slot])
        totals += [total + weight for total in totals]
    # The rest of the wanted difficulty comes from emptied slots, which is at most one per missing item.
    return [part for part, total in enumerate(totals) if part and total <= wanted <= total + part.bit_count()]


def _poorer(search: GearSearch, gear: Gear, slot: str, level: int) -> list[Code]:
    """Return the items that the hero may wear instead in a slot, with which he loses in the rest of the set.

    Starter items are not among them, because they do not add to the difficulty.
    """
    world, kind = search.world, slot_type(slot)
    rest = search.stats({name: code for name, code in gear.items() if name != slot})
    return [
        item.code
        for item in world.items.values()
        if item.type == kind
        and item.level <= level
        and item.code not in world.starter_items
        and not search.beats(add(rest, item.worn))
    ]
