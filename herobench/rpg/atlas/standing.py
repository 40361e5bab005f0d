"""What stands on the tiles of a world, in the words and letters that all maps share."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from herobench.rpg.world import Content, Place, World

SIGNS: Mapping[str, str] = MappingProxyType({"workshop": "W", "grand_exchange": "$", "bank": "B", "tasks_master": "T"})
"""The letters of what has no level."""
KINDS: Mapping[str, str] = MappingProxyType(
    {
        "monster": "monster, with its level",
        "resource": "resource, with its level",
        "workshop": "workshop",
        "grand_exchange": "exchange",
        "bank": "bank",
        "tasks_master": "tasks master",
    }
)
"""What can stand on a tile, in the order of legends."""


class Standing(NamedTuple):
    """Something that stands in one place or several."""

    kind: str
    code: str
    name: str
    level: int | None
    places: tuple[Place, ...]

    @property
    def title(self) -> str:
        """Who or what it is."""
        level = "" if self.level is None else f", level {self.level}"
        return f"{self.name}{level}: {self.kind.replace('_', ' ')}"


def all_standing(world: World) -> dict[Content, Standing]:
    """Everything that stands somewhere: by kind as legends have it, then by level and name."""
    places: dict[Content, list[Place]] = {}
    for place, tile in world.tiles.items():
        if tile.content:
            places.setdefault(tile.content, []).append(place)
    found = [_standing(world, content, tuple(where)) for content, where in places.items()]
    order = list(KINDS)
    found.sort(key=lambda thing: (order.index(thing.kind), thing.level or 0, thing.name, thing.code))
    return {Content(thing.kind, thing.code): thing for thing in found}


def _standing(world: World, content: Content, places: tuple[Place, ...]) -> Standing:
    kind, code = content
    if kind == "monster":
        monster = world.monsters[code]
        return Standing(kind, code, monster.name, monster.level, places)
    if kind == "resource":
        resource = world.resources[code]
        return Standing(kind, code, resource.name, resource.level, places)
    return Standing(kind, code, code.replace("_", " ").capitalize(), None, places)


def grounds_of(world: World) -> list[str]:
    """The names of tiles, the most common first."""
    times: dict[str, int] = {}
    for tile in world.tiles.values():
        times[tile.name] = times.get(tile.name, 0) + 1
    return sorted(times, key=lambda name: (-times[name], name))
