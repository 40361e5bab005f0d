"""Portraits: what can be told of a world, and of anything in it, as plain data.

Of a thing that is: its own row, where it stands, where it comes from and what it goes into, so that who edits or
studies a world need not search six files.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from herobench.rpg.world import Code, Drop, Item, Monster, Place, Resource, World, item_row
from herobench.task_gen.difficulty import item_difficulty
from herobench.task_gen.worlds.balance import counts_of

Row = dict[str, Any]
Thing = Monster | Resource | Item


def world_portrait(world: World) -> Row:
    """What holds for a world as a whole, as written, with its digest and how many of everything it has."""
    about: Mapping[str, Any] = json.loads(world.source)["world"]
    facts = {key: value for key, value in about.items() if key not in ("schema", "$schema")}
    return {**facts, "hero": dict(world.hero_stats), "digest": world.digest, "counts": counts_of(world)}


def things(world: World) -> dict[str, Mapping[Code, Thing]]:
    """All that goes by a code or a name, by kind."""
    return {
        "monster": world.monsters,
        "resource": world.resources,
        "item": world.items,
        "distractor": world.distractors,
    }


def portraits(world: World, text: str) -> list[Row]:
    """What goes by a code or name, in capitals or not, or lies at a place such as 2,1: mostly one, none if it is
    unknown."""
    place = _place(text)
    if place in world.tiles:
        return [place_portrait(world, place)]
    wanted = text.lower()
    return [
        {"kind": kind, **_OF[kind](world, thing)}
        for kind, known in things(world).items()
        for thing in known.values()
        if wanted in (thing.code.lower(), thing.name.lower())
    ]


def _place(text: str) -> Place:
    """The place of coordinates; one that no map has where they are none."""
    numbers = [part.strip() for part in text.split(",")]
    if len(numbers) == 2 and all(number.removeprefix("-").isdecimal() and len(number) < 9 for number in numbers):
        return int(numbers[0]), int(numbers[1])
    return 10**9, 10**9


def place_portrait(world: World, place: Place) -> Row:
    """A tile."""
    tile = world.tiles[place]
    content = tile.content._asdict() if tile.content else None
    return {"kind": "place", "place": list(place), "name": tile.name, "skin": tile.skin, "content": content}


def _monster(world: World, monster: Any) -> Row:
    elements = world.elements
    return {
        "code": monster.code,
        "name": monster.name,
        "level": monster.level,
        "intended_level": monster.intended_level,
        "hp": monster.stats.hp,
        "attack": _by_element(elements, monster.stats.attack),
        "resistance": _by_element(elements, monster.stats.resistance),
        "gold": list(monster.gold),
        "drops": list(map(_drop, monster.drops)),
        "places": _places(world, "monster", monster.code),
    }


def _resource(world: World, node: Any) -> Row:
    return {
        "code": node.code,
        "name": node.name,
        "skill": node.skill,
        "level": node.level,
        "drops": list(map(_drop, node.drops)),
        "places": _places(world, "resource", node.code),
    }


def _item(world: World, item: Any) -> Row:
    code, recipe = item.code, item.recipe
    return {
        **item_row(item),
        "gathered_at": _sources(world.resources, world.nodes.get(code, ()), code),
        "dropped_by": _sources(world.monsters, world.droppers.get(code, ()), code),
        "sold": code in world.exchange_sells,
        "owned": code in world.starter_items,
        "workshops": _places(world, "workshop", recipe.skill) if recipe else [],
        "goes_into": [
            other.code for other in world.items.values() if other.recipe and code in other.recipe.ingredients
        ],
        "difficulty": item_difficulty(world, code),
        "tree": recipe_lines(world, code),
    }


def _distractor(world: World, item: Any) -> Row:
    lacking = [code for code in item.recipe.ingredients if code not in world.items] if item.recipe else []
    return {**item_row(item), "lacking": lacking}


_OF: Mapping[str, Callable[[World, Any], Row]] = {
    "monster": _monster,
    "resource": _resource,
    "item": _item,
    "distractor": _distractor,
}


def recipe_lines(world: World, code: Code) -> list[str]:
    """A recipe with those of what goes into it, a line each, indented by how deep they are; amounts are for the whole.
    What is crafted and comes again is not taken apart again."""
    shown: set[Code] = set()
    lines: list[str] = []

    def add(part: Code, quantity: int, depth: int) -> None:
        recipe = world.recipe_of(part)
        again = ", as above" if part in shown else ""
        lines.append(f"{'  ' * depth}{quantity} {part}{f' ({recipe.skill} {recipe.level}{again})' if recipe else ''}")
        if recipe and not again:
            shown.add(part)
            for other, number in recipe.ingredients.items():
                add(other, quantity * number, depth + 1)

    add(code, 1, 0)
    return lines


def _by_element(elements: tuple[str, ...], values: tuple[int, ...]) -> dict[str, int]:
    return {element: value for element, value in zip(elements, values, strict=True) if value}


def _drop(drop: Drop) -> Row:
    return {"item": drop.item, "one_in": drop.one_in, "min": drop.least, "max": drop.most}


def _sources(known: Mapping[Code, Any], codes: tuple[Code, ...], item: Code) -> list[Row]:
    """Who gives an item, and how often."""
    falls = ((code, drop) for code in codes for drop in known[code].drops if drop.item == item)
    return [{"code": code, "one_in": drop.one_in, "min": drop.least, "max": drop.most} for code, drop in falls]


def _places(world: World, kind: str, code: Code) -> list[list[int]]:
    return [list(place) for place in world.places_of(kind, code)]
