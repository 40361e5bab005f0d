"""The map of a remixed world: one island in named regions, with more dangerous things further from the start.

The land grows tile by tile from the start, so it is connected; the things on it are placed by distance.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import NamedTuple

from herobench.suites.rpg.game.world import Place
from herobench.task_gen.rpg.remix.nodes import Row
from herobench.task_gen.rpg.remix.words import LAND, WordSource, code_of

_NEXT = ((1, 0), (0, 1), (-1, 0), (0, -1))
_TILES_OF_A_REGION = 40
_PER_THING = 2
"""The least number of tiles for each thing on the map."""
_WANDER = 6
"""The noise in the order of distance, in places."""


class GroundThing(NamedTuple):
    """A thing that stands on a tile. The higher its level, the further out it belongs."""

    kind: str
    code: str
    level: int


def tiles(wanted: int, things: Sequence[GroundThing], dialect: WordSource, chance: Random) -> list[Row]:
    """Return the rows of a map with all the things on it."""
    land = _land(max(wanted, _PER_THING * len(things) + 1), chance)
    standing = _dealt(land, things, chance)
    regions = _regions(land, dialect, chance)
    rows: list[Row] = []
    for x, y in sorted(land, key=lambda place: (place[1], place[0])):
        name = regions[min(regions, key=lambda centre: (abs(centre[0] - x) + abs(centre[1] - y), centre))]
        row = {"x": x, "y": y, "name": name, "skin": code_of(name)}
        thing = standing.get((x, y))
        rows.append(row | ({"content": {"type": thing.kind, "code": thing.code}} if thing else {}))
    return rows


def _land(number: int, chance: Random) -> list[Place]:
    """Return a number of connected places, the start first."""
    land: dict[Place, None] = {(0, 0): None}
    coast = [(0, 0)]
    while len(land) < number:
        index = chance.randrange(len(coast))
        x, y = coast[index]
        open_sea = [(x + dx, y + dy) for dx, dy in _NEXT if (x + dx, y + dy) not in land]
        if open_sea:
            place = chance.choice(open_sea)
            land[place] = None
            coast.append(place)
        else:
            # No open sea beside it: it leaves the coast, and the last place takes its number, in constant time.
            coast[index] = coast[-1]
            coast.pop()
    return list(land)


def _dealt(land: Sequence[Place], things: Iterable[GroundThing], chance: Random) -> dict[Place, GroundThing]:
    """Place the things: those of the lowest levels near the start, with some noise."""
    ordered = sorted((thing.level + chance.randint(0, _WANDER), index, thing) for index, thing in enumerate(things))
    places = chance.sample(land[1:], len(ordered))
    places.sort(key=lambda place: (abs(place[0]) + abs(place[1]), place))
    return {place: thing for place, (_, _, thing) in zip(places, ordered, strict=True)}


def _regions(land: Sequence[Place], dialect: WordSource, chance: Random) -> dict[Place, str]:
    """Return the names of the regions, by their centres."""
    centres = chance.sample(land, max(1, len(land) // _TILES_OF_A_REGION))
    return {centre: f"{dialect.word()} {chance.choice(LAND)}" for centre in centres}
