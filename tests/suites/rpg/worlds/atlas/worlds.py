"""Worlds for maps: the tiny one with other tiles."""

from __future__ import annotations

from typing import Any

from herobench.suites.rpg.game.world import World
from tests.builders import TINY, documents


def tile(x: int, y: int, name: str = "Field", **content: str) -> dict[str, Any]:
    row: dict[str, Any] = {"x": x, "y": y, "name": name, "skin": ""}
    return {**row, "content": content} if content else row


def world_with(*tiles: dict[str, Any], **about: Any) -> World:
    """A world of these tiles; it is drawn, not played, and need not be sound."""
    found = documents(TINY)
    found["map"]["tiles"] = list(tiles)
    found["world"] |= about
    return World.from_documents(found)


def wide_world(across: int, down: int) -> World:
    """A world with something on each tile."""
    kinds = [("monster", "rat"), ("resource", "clay_pit"), ("workshop", "smithing"), ("bank", "bank")]
    return world_with(
        *(
            tile(x, y, f"Ground {x % 9}", type=kinds[(x + y) % 4][0], code=kinds[(x + y) % 4][1])
            for y in range(down)
            for x in range(across)
        )
    )
