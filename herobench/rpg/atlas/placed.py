"""The content on the tiles of a world, with the words and letters that all maps share."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from herobench.rpg.world import Content, Place, World

SIGNS: Mapping[str, str] = MappingProxyType({"workshop": "W", "grand_exchange": "$", "bank": "B", "tasks_master": "T"})
"""The letters of content without a level."""
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
"""The kinds of content, in the order of legends."""


class PlacedContent(NamedTuple):
    """A monster, resource node or building, with all places where it stands."""

    kind: str
    code: str
    name: str
    level: int | None
    places: tuple[Place, ...]

    @property
    def title(self) -> str:
        """The name, level and kind, for the title of a tile."""
        level = "" if self.level is None else f", level {self.level}"
        return f"{self.name}{level}: {self.kind.replace('_', ' ')}"


def placed_contents(world: World) -> dict[Content, PlacedContent]:
    """Return all content of a world, ordered by kind as in legends, then by level and name."""
    places: dict[Content, list[Place]] = {}
    for place, tile in world.tiles.items():
        if tile.content:
            places.setdefault(tile.content, []).append(place)
    found = [_placed(world, content, tuple(where)) for content, where in places.items()]
    order = list(KINDS)
    found.sort(key=lambda thing: (order.index(thing.kind), thing.level or 0, thing.name, thing.code))
    return {Content(thing.kind, thing.code): thing for thing in found}


def _placed(world: World, content: Content, places: tuple[Place, ...]) -> PlacedContent:
    kind, code = content
    if kind == "monster":
        monster = world.monsters[code]
        return PlacedContent(kind, code, monster.name, monster.level, places)
    if kind == "resource":
        resource = world.resources[code]
        return PlacedContent(kind, code, resource.name, resource.level, places)
    return PlacedContent(kind, code, code.replace("_", " ").capitalize(), None, places)


def grounds_of(world: World) -> list[str]:
    """Return the names of the tiles, the most common first."""
    times: dict[str, int] = {}
    for tile in world.tiles.values():
        times[tile.name] = times.get(tile.name, 0) + 1
    return sorted(times, key=lambda name: (-times[name], name))
