"""Turn a task's knowledge into records, with the same field names as in the responses to actions.

Called by `render`. Only what the knowledge names is told. Left out are empty fields, and everything that would reveal
more: an item's subtype (it says where a material comes from), the order in the task, and which items are noise. Records
are sorted by level and code.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cached_property, lru_cache
from typing import Any

from herobench.suites.rpg.game.responses import item_record, monster_record, tile_record
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import CONSUMABLE, Code, Drop, Item, World

_MOST = 1 << 15
"""The most records of a kind that are cached. Nearly all worlds have fewer things."""
_IDLE = frozenset({"subtype", "min_gold", "max_gold"})
"""Fields that have no effect in the game."""


class Record(dict[str, Any]):
    """A record of a prompt. Many prompts share it, so it must not be changed."""

    @cached_property
    def line(self) -> str:
        """The record as a line of JSON."""
        return json.dumps(self, ensure_ascii=False)


def section_records(world: World, task: Task, rules: Rules) -> Mapping[str, list[Record]]:
    """Return the records of each section, by the name of the section's heading."""
    knows, sure = task.knowledge, rules.drops == "sure"
    # Only nodes with a told place count as sources: the hero could not find the others.
    nodes = {content.code for place in knows.places if (content := world.tiles[place].content)}
    # Noise is mixed in before the sort, so that its position does not give it away.
    with_recipes = _sorted([*_items(world, set(knows.recipes)), *knows.noise])
    noise = {id(item) for item in knows.noise}
    materials = _sorted(_items(world, set(knows.materials)))
    others = _sorted(_items(world, set(knows.stats).difference(knows.recipes, knows.materials)))
    monsters = sorted(set(knows.monsters), key=lambda code: (world.monsters[code].level, code))
    return {
        "recipes": [_item(item) if id(item) in noise else _known_item(world, item.code) for item in with_recipes],
        "materials": [
            _material(
                world,
                item.code,
                # In the world's order of nodes, which does not depend on the task.
                tuple(code for code in world.nodes.get(item.code, ()) if code in nodes),
                item.code in knows.sold,
                sure,
            )
            for item in materials
        ],
        "monsters": [_monster(world, code, sure) for code in monsters],
        "stats": [_without_recipe(world, item.code) for item in others],
        "places": [_place(world, place, place in rules.closed) for place in sorted(set(knows.places))],
    }


def tells_of_consumables(world: World, task: Task) -> bool:
    """Return whether food occurs in what the hero is told."""
    knows = task.knowledge
    items = [*_items(world, (*knows.recipes, *knows.materials, *knows.stats)), *knows.noise]
    return bool(task.hero.consumables) or any(item.type == CONSUMABLE for item in items)


def _items(world: World, codes: Iterable[Code]) -> list[Item]:
    return [world.items[code] for code in codes]


def _sorted(items: Iterable[Item]) -> list[Item]:
    return sorted(items, key=lambda item: (item.level, item.code))


def _item(item: Item) -> Record:
    """Return the record of an item, with effects and ingredients sorted: the order in the file could reveal noise."""
    record = item_record(item)
    record["effects"].sort(key=lambda effect: str(effect["name"]))
    if record["craft"]:
        record["craft"]["items"].sort(key=lambda part: str(part["code"]))
        del record["craft"]["quantity"]  # always 1, and the heading says so
    return _compact(record)


@lru_cache(_MOST)
def _known_item(world: World, code: Code) -> Record:
    return _item(world.items[code])


@lru_cache(_MOST)
def _without_recipe(world: World, code: Code) -> Record:
    return Record({name: value for name, value in _known_item(world, code).items() if name != "craft"})


@lru_cache(_MOST)
def _material(world: World, code: Code, nodes: tuple[Code, ...], is_sold: bool, sure: bool) -> Record:
    """Return the record of a material, with the told sources; its droppers are told with the monsters."""
    gathered_from = [
        {"code": node.code, "skill": node.skill, "level": node.level} | _fall(drop, sure)
        for node in (world.resources[code] for code in nodes)
        for drop in node.drops
        if drop.item == code
    ]
    sources = {"gathered_from": gathered_from, "for_sale_at": "grand_exchange" if is_sold else ""}
    return Record(_without_recipe(world, code) | _compact(sources))


@lru_cache(_MOST)
def _monster(world: World, code: Code, sure: bool) -> Record:
    drops = [{"code": drop.item} | _fall(drop, sure) for drop in world.monsters[code].drops]
    return _compact(monster_record(world, code) | {"drops": drops})


def _fall(drop: Drop, sure: bool) -> dict[str, Any]:
    """Return how a drop falls: its quantity if it always does, else the figures of its probability."""
    if sure:
        return {"quantity": drop.least}
    return {"rate": drop.one_in, "min_quantity": drop.least, "max_quantity": drop.most}


@lru_cache(_MOST)
def _place(world: World, place: tuple[int, int], is_closed: bool) -> Record:
    """Return the record of a tile without its looks; coordinates are kept even if they are 0."""
    tile = tile_record(world, place)
    known = Record({name: tile[name] for name in ("name", "x", "y", "content") if tile[name] is not None})
    return Record({**known, "closed": True}) if is_closed else known


def _compact(record: Mapping[str, Any]) -> Record:
    return Record({name: value for name, value in record.items() if value and name not in _IDLE})
