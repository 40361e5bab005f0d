"""The fewest edits that make one plan of another: both are lists of calls, and a run of equal calls is one step.

The search goes along the diagonals of the table of both plans, as Ukkonen's does: for each number of edits it keeps the
furthest point on each diagonal. So two plans of thousands of calls that differ in a few steps take a few milliseconds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from herobench.analysis.suites.rpg.repair.edits import Edit
from herobench.suites.rpg.game.calls import Call

_NONE, _OUT, _IN, _CHANGE = range(4)
"""What the last edit does, while it goes on: a run of equal calls is left out, put in, or changed into another run."""


class _Point(NamedTuple):
    """`done` calls of the plan are dealt with, which made the first `made` calls of the other."""

    done: int
    made: int
    edit: int


def alignment(plan: Sequence[Call], other: Sequence[Call], most: int) -> list[Edit] | None:
    """Return the fewest edits after which a plan begins with all calls of another; None if it takes more than `most`.

    What stands behind them stays: it comes after the win. Broken calls there are left out.
    """
    return _Alignment(plan, other).edits(most)


class _Alignment:
    def __init__(self, plan: Sequence[Call], other: Sequence[Call]) -> None:
        self._plan, self._other = plan, other
        numbers: dict[object, int] = {}
        self._old = [numbers.setdefault(call.key, len(numbers)) for call in plan]
        self._new = [numbers.setdefault(call.key, len(numbers)) for call in other]
        self._sound_from = max((number + 1 for number, call in enumerate(plan) if call.is_broken), default=0)
        self._before: dict[_Point, tuple[_Point, bool]] = {}
        """For each point the one before it, and whether an edit lies between them."""
        self._furthest: dict[tuple[int, int], int] = {}

    def edits(self, most: int) -> list[Edit] | None:
        """Return the fewest edits, or None."""
        start = _Point(0, 0, _NONE)
        level = [self._slid(start)]
        for number in range(most + 1):
            level = self._closed(level)
            for point in level:
                if point.made == len(self._new) and point.done >= self._sound_from:
                    return self._traced(point)
            if number < most:
                level = [then for point in level for then in self._edited(point)]
        return None

    def _slid(self, point: _Point) -> _Point:
        """Return the point after all equal calls from a point on."""
        done, made = point.done, point.made
        while done < len(self._old) and made < len(self._new) and self._old[done] == self._new[made]:
            done, made = done + 1, made + 1
        if done == point.done:
            return point
        slid = _Point(done, made, _NONE)
        self._before.setdefault(slid, (point, False))
        return slid

    def _closed(self, level: Sequence[_Point]) -> list[_Point]:
        """Return all points that need no further edit, but for those that another one surpasses."""
        left, found = list(level), []
        while left:
            point = left.pop()
            place = point.done - point.made, point.edit
            if self._furthest.get(place, -1) >= point.done:
                continue
            self._furthest[place] = point.done
            found.append(point)
            left += [self._slid(then) for then in self._going_on(point)]
            slid = self._slid(point)
            if slid != point:
                left.append(slid)
        return found

    def _going_on(self, point: _Point) -> Iterator[_Point]:
        """Yield the points after one more call of the run that the last edit is about."""
        done, made, edit = point
        if edit in (_OUT, _CHANGE) and done < len(self._old) and self._old[done] == self._old[done - 1]:
            yield self._linked(_Point(done + 1, made, edit), point, False)
        if edit in (_IN, _CHANGE) and made < len(self._new) and self._new[made] == self._new[made - 1]:
            yield self._linked(_Point(done, made + 1, edit), point, False)

    def _edited(self, point: _Point) -> Iterator[_Point]:
        """Yield the points after one more edit."""
        done, made, _ = point
        if done < len(self._old):
            yield self._slid(self._linked(_Point(done + 1, made, _OUT), point, True))
        if made < len(self._new):
            yield self._slid(self._linked(_Point(done, made + 1, _IN), point, True))
            if done < len(self._old):
                yield self._slid(self._linked(_Point(done + 1, made + 1, _CHANGE), point, True))

    def _linked(self, then: _Point, point: _Point, is_edit: bool) -> _Point:
        self._before.setdefault(then, (point, is_edit))
        return then

    def _traced(self, point: _Point) -> list[Edit]:
        """Return the edits on the way to a point."""
        found: list[Edit] = []
        end: _Point | None = None
        while point in self._before and point != (0, 0, _NONE):
            before, is_edit = self._before[point]
            if end is None and point.edit != _NONE:
                end = point
            if is_edit:
                assert end, "an edit ends at a point of its own"
                steps, times = end.done - before.done, end.made - before.made
                action = self._other[before.made].action if times else None
                found.append(Edit(before.done, steps, action, max(times, 1)))
                end = None
            point = before
        return found[::-1]
