"""Turn a task's knowledge into records, with the same field names as in the responses to actions.

Called by `render`. Only what the knowledge names is told. Left out are empty fields, and whatever would give
something away: an item's subtype (it says where a material comes from), the order in the task, and which items are
noise. Records are sorted by level and code.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from typing import Any

from herobench.rpg.responses import item_record, monster_record, tile_record
from herobench.rpg.rules import Rules
from herobench.rpg.task import Task
from herobench.rpg.world import CONSUMABLE, Code, Drop, Item, World

Record = Mapping[str, Any]

_IDLE = frozenset({"subtype", "min_gold", "max_gold"})
"""Fields that have no effect in the game."""


def section_records(world: World, task: Task, rules: Rules) -> Mapping[str, list[Record]]:
    """Return the records of each section, by the name of the section's heading."""
    knows = task.knowledge
    # Only nodes with a told place count as sources: the hero could not find the others.
    nodes = {content.code for place in knows.places if (content := world.tiles[place].content)}
    # Noise is mixed in before the sort, so that its position does not give it away.
    with_recipes = _sorted([*_items(world, set(knows.recipes)), *knows.noise])
    materials = _sorted(_items(world, set(knows.materials)))
    others = _sorted(_items(world, set(knows.stats).difference(knows.recipes, knows.materials)))
    monsters = sorted(set(knows.monsters), key=lambda code: (world.monsters[code].level, code))
    return {
        "recipes": [_item(item) for item in with_recipes],
        "materials": [_material(world, item, nodes, knows.sold, rules) for item in materials],
        "monsters": [_monster(world, code, rules) for code in monsters],
        "stats": [_without_recipe(item) for item in others],
        "places": [_place(world, place, rules) for place in sorted(set(knows.places))],
    }


def tells_of_consumables(world: World, task: Task) -> bool:
    """Return whether the hero may meet food, as far as he knows."""
    knows = task.knowledge
    items = [*_items(world, (*knows.recipes, *knows.materials, *knows.stats)), *knows.noise]
    return bool(task.hero.consumables) or any(item.type == CONSUMABLE for item in items)


def _items(world: World, codes: Iterable[Code]) -> list[Item]:
    return [world.items[code] for code in codes]


def _sorted(items: Iterable[Item]) -> list[Item]:
    return sorted(items, key=lambda item: (item.level, item.code))


def _item(item: Item) -> Record:
    """Return the record of an item, with its effects and ingredients sorted: the file order could show who wrote it."""
    record = item_record(item)
    record["effects"].sort(key=lambda effect: str(effect["name"]))
    if record["craft"]:
        record["craft"]["items"].sort(key=lambda part: str(part["code"]))
        del record["craft"]["quantity"]  # always 1, and the heading says so
    return _compact(record)


def _without_recipe(item: Item) -> dict[str, Any]:
    return {name: value for name, value in _item(item).items() if name != "craft"}


def _material(world: World, item: Item, nodes: Set[Code], sold: Set[Code], rules: Rules) -> Record:
    """Return the record of a material, with the told sources; its droppers are told with the monsters."""
    # In the world's order of nodes, which says nothing about the task.
    gathered_from = [
        {"code": node.code, "skill": node.skill, "level": node.level} | _fall(drop, rules)
        for node in (world.resources[code] for code in world.nodes.get(item.code, ()) if code in nodes)
        for drop in node.drops
        if drop.item == item.code
    ]
    for_sale_at = "grand_exchange" if item.code in sold else ""
    return _without_recipe(item) | _compact({"gathered_from": gathered_from, "for_sale_at": for_sale_at})


def _monster(world: World, code: Code, rules: Rules) -> Record:
    drops = [{"code": drop.item} | _fall(drop, rules) for drop in world.monsters[code].drops]
    return _compact(monster_record(world, code) | {"drops": drops})


def _fall(drop: Drop, rules: Rules) -> dict[str, Any]:
    """Return how a drop falls: its quantity if it always does, else the figures of its probability."""
    if rules.drops == "sure":
        return {"quantity": drop.least}
    return {"rate": drop.one_in, "min_quantity": drop.least, "max_quantity": drop.most}


def _place(world: World, place: tuple[int, int], rules: Rules) -> Record:
    """Return the record of a tile without its looks; coordinates are kept even if they are 0."""
    tile = tile_record(world, place)
    known = {name: tile[name] for name in ("name", "x", "y", "content") if tile[name] is not None}
    return {**known, "closed": True} if place in rules.closed else known


def _compact(record: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in record.items() if value and name not in _IDLE}
