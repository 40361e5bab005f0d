"""The columns and rows of a map: where there is nothing for a long way, the way is left out.

A world may have tiles a hundred thousand steps apart. What lies between has no tile, so a drawing shows a gap there.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from herobench.rpg.world import World

_LONGEST = 2
"""How many empty columns or rows in a row are drawn as such; more of them are a gap."""

Axis = tuple[int | None, ...]
"""Coordinates as they are drawn; None is a gap."""


@dataclass(frozen=True, slots=True)
class Grid:
    """What is drawn from left to right and from top to bottom."""

    columns: Axis
    rows: Axis

    @classmethod
    def of(cls, world: World) -> Grid:
        """The grid that all tiles of a world have room in."""
        return cls(_axis(x for x, _ in world.tiles), _axis(y for _, y in world.tiles))


def _axis(values: Iterable[int]) -> Axis:
    known = sorted(set(values))
    drawn: list[int | None] = [*known[:1]]
    for before, value in pairwise(known):
        between = range(before + 1, value)
        drawn += [None] if len(between) > _LONGEST else between
        drawn.append(value)
    return tuple(drawn)
