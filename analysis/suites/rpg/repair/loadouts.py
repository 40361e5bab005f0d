"""What a hero can come by: places, gear, and all combinations of pieces, to be fought at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from herobench.suites.rpg.game.calls import Call
from herobench.suites.rpg.game.combat_batch import Fighters, rows_of
from herobench.suites.rpg.game.position import Position
from herobench.suites.rpg.game.world import CONSUMABLE, Code, Content, Place, slot_type


def fighters(here: Position, slots: Sequence[str], options: Sequence[Sequence[Code | None]]) -> Fighters:
    """Return the hero in each combination of pieces, the last slot first to change."""
    hero, items = here.game.hero, here.game.world.items
    worn = [items[code].worn for code in hero.worn.values()]
    total = rows_of([hero.stats]) - (rows_of(worn).sum(axis=0) if worn else 0)
    nothing = np.zeros(total.shape[1], total.dtype)
    for codes in options:
        rows = np.array([rows_of([items[code].worn])[0] if code else nothing for code in codes])
        total = (total[:, None, :] + rows[None, :, :]).reshape(-1, total.shape[1])
    return Fighters.of(total)


def told_places(position: Position, calls: Sequence[Call]) -> dict[Content, Place]:
    """Return a place for each thing that stands somewhere that the task tells or the plan goes to."""
    world, task = position.game.world, position.task
    gone = [call.values[1:] for call in calls if call.name == "move" and call.values]
    places = [*task.knowledge.places, world.start, task.hero.place, *((int(x or 0), int(y or 0)) for x, y in gone)]
    found: dict[Content, Place] = {}
    for place in dict.fromkeys(places):
        tile = world.tiles.get(place)
        if tile and tile.content:
            found.setdefault(tile.content, place)
    return found


def obtainable_gear(start: Position, calls: Sequence[Call]) -> Mapping[str, Sequence[Code | None]] | None:
    """Return for each slot nothing and the pieces that the hero can come by; None if there is food."""
    world, task, hero = start.game.world, start.task, start.game.hero
    known = [*task.knowledge.recipes, *task.knowledge.materials, *hero.worn.values(), *hero.inventory]
    known += [goal.target for goal in task.goals if goal.kind == "craft"]
    known += [str(call.values[1]) for call in calls if call.name in ("craft", "buy") and call.values]
    known += world.exchange_sells if start.game.rules.for_sale is None else start.game.rules.for_sale
    for content in told_places(start, calls):
        thing = world.monsters.get(content.code) or world.resources.get(content.code)
        known += [drop.item for drop in thing.drops] if thing else []
    items = [world.items[code] for code in dict.fromkeys(known) if code in world.items]
    if hero.consumables or any(item.type == CONSUMABLE for item in items):
        return None
    return {
        slot: [None, *(item.code for item in items if item.type == slot_type(slot))]
        for slot in world.slots
        if slot_type(slot) != CONSUMABLE
    }


def lasting_gear(start: Position) -> Iterator[Code]:
    """Yield the pieces that the hero owns from the start to the end: no recipe takes them, and they fit one slot."""
    world, hero = start.game.world, start.game.hero
    types = Counter(map(slot_type, world.slots))
    taken = {part for item in world.items if (recipe := world.recipe_of(item)) for part in recipe.ingredients}
    for code in (*hero.worn.values(), *hero.inventory):
        item = world.items[code]
        if code not in taken and types[item.type] == 1 and item.level <= hero.combat.level:
            yield code
