"""The columns and rows that a map draws. `terminal` and `svg` use it.

A world may have tiles that are a hundred thousand steps apart. Long stretches without a tile are drawn as a gap.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from herobench.rpg.world import World

_LONGEST = 2
"""The most empty columns or rows that are drawn one after another. More of them become a gap."""

Axis = tuple[int | None, ...]
"""The coordinates that are drawn, in order. None is a gap."""


@dataclass(frozen=True, slots=True)
class Grid:
    """The columns from left to right, and the rows from top to bottom."""

    columns: Axis
    rows: Axis

    @classmethod
    def of(cls, world: World) -> Grid:
        """Return the grid that has room for all tiles of a world."""
        return cls(_axis(x for x, _ in world.tiles), _axis(y for _, y in world.tiles))


def _axis(values: Iterable[int]) -> Axis:
    known = sorted(set(values))
    drawn: list[int | None] = [*known[:1]]
    for before, value in pairwise(known):
        between = range(before + 1, value)
        drawn += [None] if len(between) > _LONGEST else between
        drawn.append(value)
    return tuple(drawn)
