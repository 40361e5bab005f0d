"""A world as data for the report's map: its tiles, what stands on them, and the names of things."""

from __future__ import annotations

from typing import Any

from herobench.rpg.world import Content, World


def drawn(world: World) -> dict[str, Any]:
    """Return the parts of a world that the map and the hero's belongings show."""
    return {
        "name": world.name,
        "digest": world.digest,
        "start": list(world.start),
        "elements": list(world.elements),
        "slots": list(world.slots),
        "tiles": [[*tile.place, tile.name, _standing(world, tile.content)] for tile in world.tiles.values()],
        "monsters": {code: [monster.name, monster.level, monster.stats.hp] for code, monster in world.monsters.items()},
        "items": {code: item.name for code, item in world.items.items()},
    }


def _standing(world: World, content: Content | None) -> list[Any] | None:
    """Return the type, code and name of a tile's content, and the level of a monster or resource."""
    if content is None:
        return None
    kind, code = content
    if kind == "monster" and code in world.monsters:
        return [kind, code, world.monsters[code].name, world.monsters[code].level]
    if kind == "resource" and code in world.resources:
        return [kind, code, world.resources[code].name, world.resources[code].level]
    return [kind, code, code.replace("_", " ").capitalize(), None]
