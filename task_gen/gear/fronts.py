"""Pareto fronts in the plane: points that no other point beats in both coordinates.

At every step a gear search asks whether the choices that are still free can reach a damage and a health at once. The
front of all their sums answers exactly, so the search never enters a branch without a solution.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable

Point = tuple[int, int]


class Front:
    """The points that no other point beats, sorted by falling first (and so rising second) coordinate."""

    __slots__ = ("_firsts", "points")

    def __init__(self, points: Iterable[Point]) -> None:
        best: list[Point] = []
        for point in sorted(points, reverse=True):
            if not best or point[1] > best[-1][1]:
                best.append(point)
        self.points = best
        self._firsts = [-first for first, _ in best]

    def __bool__(self) -> bool:
        return bool(self.points)

    def reaches(self, first: int, second: int) -> bool:
        """Return whether some point has at least these two coordinates."""
        index = bisect_right(self._firsts, -first)
        return index > 0 and self.points[index - 1][1] >= second

    def plus(self, other: Front) -> Iterable[Point]:
        """Return the sums of a point of each front."""
        return ((a + c, b + d) for a, b in self.points for c, d in other.points)


NOTHING = Front([(0, 0)])
"""The front of no items: it adds 0 and 0."""
NOWHERE = Front([])
"""The front without a point: too few slots are left for the items."""
