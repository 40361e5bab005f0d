"""The tiny world with changes, for tests that need content which it does not have."""

from __future__ import annotations

import copy
from typing import Any

from herobench.suites.rpg.game.world import World
from tests.builders import TINY, Json, documents

_TINY = documents(TINY)


def tiny_documents() -> dict[str, Json]:
    return copy.deepcopy(_TINY)


def material(code: str, **recipe: Any) -> Json:
    return thing(code, "resource", **recipe)


def thing(code: str, kind: str, effects: dict[str, int] | None = None, **recipe: Any) -> Json:
    """Return an item as a row. With ingredients it has a recipe, by default for beginners at the forge."""
    row: Json = {
        "code": code,
        "name": code.replace("_", " ").title(),
        "level": 1,
        "type": kind,
        "subtype": "",
        "description": "",
        "effects": effects or {},
    }
    if recipe:
        skill, level = recipe.pop("skill", "smithing"), recipe.pop("at", 1)
        row["recipe"] = {"skill": skill, "level": level, "ingredients": recipe}
    return row


def monster(code: str, drops: dict[str, int] | None = None, level: int = 1, hp: int = 10, **attack: int) -> Json:
    """Return a monster that always drops so many of each item; a test sets resistances itself."""
    return {
        "code": code,
        "name": code.title(),
        "level": level,
        "intended_level": level,
        "hp": hp,
        "attack": attack,
        "resistance": {},
        "gold": {"min": 0, "max": 0},
        "drops": [drop(item, least) for item, least in (drops or {}).items()],
    }


def node(code: str, drops: dict[str, int], level: int = 1, skill: str = "digging") -> Json:
    """Return a node that always gives so many of each item."""
    falls = [drop(item, least) for item, least in drops.items()]
    return {"code": code, "name": code.title(), "skill": skill, "level": level, "drops": falls}


def drop(item: str, least: int = 1, one_in: int = 1, most: int | None = None) -> Json:
    return {"item": item, "one_in": one_in, "min": least, "max": most or least}


def tile(x: int, y: int, kind: str, code: str) -> Json:
    return {"x": x, "y": y, "name": code.title(), "skin": "", "content": {"type": kind, "code": code}}


def with_more(**more: list[Json]) -> World:
    """Return the tiny world with more items, monsters, resources and tiles; new things get tiles of their own."""
    content = tiny_documents()
    for name, rows in more.items():
        document = "map" if name == "tiles" else name
        content[document][name] += rows
    for index, row in enumerate(more.get("monsters", [])):
        content["map"]["tiles"].append(tile(index, 10, "monster", row["code"]))
    for index, row in enumerate(more.get("resources", [])):
        content["map"]["tiles"].append(tile(index, 11, "resource", row["code"]))
    return World.from_documents(content)
