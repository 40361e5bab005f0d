"""From a minimal winning set to a hero: what of it he wears already, what is missing, and what is in its place.

The parts are chosen so that the task gets the difficulty that is wanted: the missing items bring theirs, and every slot
that has to be emptied first brings one more.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import NamedTuple

from herobench.rpg.world import Code, World, slot_type
from herobench.task_gen.difficulty import FIGHT, item_difficulty
from herobench.task_gen.gear.search import Gear, GearSearch
from herobench.task_gen.gear.stats import add

_MOST_SLOTS = 16
"""Of larger sets, what is beyond is always worn."""


class Outfit(NamedTuple):
    """Gear that a hero wears at the start, and gear that he has to make."""

    worn: Mapping[str, Code]
    missing: Mapping[str, Code]


def hardest(world: World, gear: Gear) -> int:
    """The highest difficulty that a task about a set can have."""
    return FIGHT + sum(item_difficulty(world, code) + 1 for code in gear.values())


def random_outfit(search: GearSearch, gear: Gear, level: int, difficulty: int, chance: Random) -> Outfit | None:
    """A way by chance to make a task of a difficulty of a set; None where there is none."""
    world = search.world
    wanted = difficulty - FIGHT
    parts = _parts(world, gear, wanted)
    if not parts:
        return None
    missing = chance.choice(parts)
    obstacles = wanted - sum(item_difficulty(world, code) for code in missing.values())
    worn = {slot: code for slot, code in gear.items() if slot not in missing}
    for slot in chance.sample(sorted(missing), obstacles):
        poorer = _poorer(search, gear, slot, level)
        if not poorer:
            return None
        worn[slot] = chance.choice(poorer)
    return Outfit({slot: worn[slot] for slot in world.slots if slot in worn}, missing)


def _parts(world: World, gear: Gear, wanted: int) -> list[dict[str, Code]]:
    """The parts of a set that may be missing for a difficulty. A part is a number, a bit for each slot."""
    slots = list(gear)[:_MOST_SLOTS]
    totals = [0]
    for slot in slots:
        weight = item_difficulty(world, gear[slot])
        totals += [total + weight for total in totals]
    fitting = [part for part, total in enumerate(totals) if part and total <= wanted <= total + part.bit_count()]
    return [{slot: gear[slot] for index, slot in enumerate(slots) if part >> index & 1} for part in fitting]


def _poorer(search: GearSearch, gear: Gear, slot: str, level: int) -> list[Code]:
    """What a hero who is bare otherwise may have on in a slot, and loses with when the rest of the set is on. Starter
    items are no obstacle."""
    world = search.world
    rest = search.stats({name: code for name, code in gear.items() if name != slot})
    return [
        item.code
        for item in world.items.values()
        if item.type == slot_type(slot)
        and item.level <= level
        and item.code not in world.starter_items
        and not search.beats(add(rest, item.worn))
    ]
