"""Pareto fronts in the plane: of points that sum up over choices, those that no other beats in both coordinates.

A gear search asks, at every step: can what is still free reach so much damage and so much health at once? The front
over all that is still free answers exactly, so the search never enters a branch without an answer in it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable

Point = tuple[int, int]


class Front:
    """The points that no other point beats, by falling first and rising second coordinate."""

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
        """Whether some point has at least so much of both."""
        index = bisect_right(self._firsts, -first)
        return index > 0 and self.points[index - 1][1] >= second

    def plus(self, other: Front) -> Iterable[Point]:
        """The sums of a point of each."""
        return ((a + c, b + d) for a, b in self.points for c, d in other.points)


NOTHING = Front([(0, 0)])
"""Where there is nothing to choose."""
NOWHERE = Front([])
"""Where there is no choice at all."""
