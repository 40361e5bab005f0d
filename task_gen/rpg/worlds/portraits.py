"""Portraits of a world and of its things, for `herobench world show`.

A portrait joins a thing's row with its places, its sources and its uses, so that an author of a world need not search
six files.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from herobench.suites.rpg.game.world import Code, Place, World
from herobench.task_gen.rpg.tasks.spec import item_difficulty

Row = dict[str, Any]


def world_portrait(world: World) -> Row:
    """Return the facts about a world as a whole, with its digest and the number of things of each kind."""
    # The author's own text: World keeps only what the game needs.
    about: Mapping[str, Any] = json.loads(world.source)["world"]
    facts = {key: value for key, value in about.items() if key not in ("schema", "$schema")}
    return {**facts, "hero": dict(world.hero_stats), "digest": world.digest, "counts": _count_things(world)}


def _count_things(world: World) -> dict[str, int]:
    """Return the number of things of each kind."""
    return {
        "monsters": len(world.monsters),
        "resources": len(world.resources),
        "items": len(world.items),
        "recipes": sum(item.recipe is not None for item in world.items.values()),
        "distractors": len(world.distractors),
        "tiles": len(world.tiles),
    }


_DOCUMENTS = {"monster": "monsters", "resource": "resources", "item": "items", "distractor": "distractors"}
"""The document in which each kind of thing has its rows."""


def portraits(world: World, text: str) -> list[Row]:
    """Return the things with a code or name (in any case), or the tile at a place such as 2,1.

    Usually there is one; an unknown name has none.
    """
    # Coordinates first: no code or name looks like them.
    if place := parse_place(text):
        return [place_portrait(world, place)] if place in world.tiles else []
    name_asked, documents = text.lower(), json.loads(world.source)
    return [
        {"kind": kind, **row, **_more(world, kind, row["code"])}
        for kind, document in _DOCUMENTS.items()
        for row in documents[document]["items" if kind == "distractor" else document]
        if name_asked in (row["code"].lower(), row["name"].lower())
    ]


_PLACE = re.compile(r"\s*(-?[0-9]{1,8})\s*,\s*(-?[0-9]{1,8})\s*")


def parse_place(text: str) -> Place | None:
    """Return the place that coordinates such as 2,1 name; None if they are none."""
    numbers = _PLACE.fullmatch(text)
    return (int(numbers[1]), int(numbers[2])) if numbers else None


def place_portrait(world: World, place: Place) -> Row:
    """Return the portrait of a tile."""
    tile = world.tiles[place]
    content = tile.content._asdict() if tile.content else None
    return {"kind": "place", "place": list(place), "name": tile.name, "skin": tile.skin, "content": content}


def _more(world: World, kind: str, code: Code) -> Row:
    """Return what the row of a thing does not say: its places, its sources and its uses."""
    if kind in ("monster", "resource"):
        return {"places": _places(world, kind, code)}
    item = world.items.get(code) or world.distractors[code]
    parts = item.recipe.ingredients if item.recipe else {}
    if kind == "distractor":
        return {"lacking": [part for part in parts if part not in world.items]}
    return {
        "gathered_at": _sources(world.resources, world.nodes.get(code, ()), code),
        "dropped_by": _sources(world.monsters, world.droppers.get(code, ()), code),
        "sold": code in world.exchange_sells,
        "owned": code in world.starter_items,
        "workshops": _places(world, "workshop", item.recipe.skill) if item.recipe else [],
        "goes_into": [
            other.code for other in world.items.values() if other.recipe and code in other.recipe.ingredients
        ],
        "difficulty": item_difficulty(world, code),
        "tree": recipe_lines(world, code),
    }


def recipe_lines(world: World, code: Code) -> list[str]:
    """Return a recipe tree as lines, indented by depth; amounts are for the whole.

    An item that is crafted and comes again is not expanded a second time.
    """
    shown_parts: set[Code] = set()
    lines: list[str] = []

    def add(part: Code, quantity: int, depth: int) -> None:
        recipe = world.recipe_of(part)
        # Without this, a recipe with shared parts would have exponentially many lines.
        again = ", as above" if part in shown_parts else ""
        lines.append(f"{'  ' * depth}{quantity} {part}{f' ({recipe.skill} {recipe.level}{again})' if recipe else ''}")
        if recipe and not again:
            shown_parts.add(part)
            for other, number in recipe.ingredients.items():
                add(other, quantity * number, depth + 1)

    add(code, 1, 0)
    return lines


def _sources(things_by_code: Mapping[Code, Any], codes: tuple[Code, ...], item: Code) -> list[Row]:
    """Return who gives an item, and how often."""
    falls = ((code, drop) for code in codes for drop in things_by_code[code].drops if drop.item == item)
    return [{"code": code, "one_in": drop.one_in, "min": drop.least, "max": drop.most} for code, drop in falls]


def _places(world: World, kind: str, code: Code) -> list[list[int]]:
    return [list(place) for place in world.places_of(kind, code)]
