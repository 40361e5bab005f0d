"""Guesses of the first changed frame by a player who knows no rule: it does the same actions again, and compares.

Each way gets the frames of the first time and of the second. The maker of detections measures them at each start that a
test may have.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType

from herobench.suites.autumn.episode.phase import Grid

Frames = Sequence[Grid]
Way = Callable[[Frames, Frames], int | None]
"""Returns the number of a frame; None if nothing is found."""
LATE = 60
"""The frame that a player chooses who has seen nothing."""
_SOON = 5
"""A difference before this frame tells only that the test has another start."""
_SETTLED = 10
"""Frames by which a player knows how much differs anyhow."""


def guess(way: str, before: Frames, now: Frames) -> int:
    """Return the frame that a way finds. If it finds none, or one of the first, return a frame by the clock."""
    period = WAYS[way](before, now)
    return min(LATE, len(now) - 1) if period is None or period < _SOON else period


def _first(before: Frames, now: Frames) -> int | None:
    """Return the first frame that differs."""
    return next((number for number, (one, other) in enumerate(zip(before, now, strict=True)) if one != other), None)


def _changes(before: Frames, now: Frames) -> int | None:
    """Return the first frame that came about by other changes of cells."""
    steps = zip(pairwise(before), pairwise(now), strict=True)
    return _number(set(_differ(*one)) != set(_differ(*other)) for one, other in steps)


def _cells(before: Frames, now: Frames) -> int | None:
    """Return the first frame that came about by changes of other cells, whatever their colours."""
    steps = zip(pairwise(before), pairwise(now), strict=True)
    return _number(
        {cell[:2] for cell in _differ(*one)} != {cell[:2] for cell in _differ(*other)} for one, other in steps
    )


def _still(before: Frames, now: Frames) -> int | None:
    """Return the first frame in which something changed, and nothing did the first time; or the other way about."""
    steps = zip(pairwise(before), pairwise(now), strict=True)
    return _number((one[0] == one[1]) != (other[0] == other[1]) for one, other in steps)


def _jump(before: Frames, now: Frames) -> int | None:
    """Return the frame in which the number of cells that differ grows most."""
    counts = _differing(before, now)
    increases = [after - earlier for earlier, after in pairwise(counts)]
    return increases.index(max(increases)) + 1 if increases else None


def _growth(before: Frames, now: Frames) -> int | None:
    """Return the first frame that differs in many more cells than the first ones."""
    counts = _differing(before, now)
    most = 1.5 * max(counts[:_SETTLED]) + 1
    return next((number for number, count in enumerate(counts) if count > most and number >= _SETTLED), None)


WAYS: Mapping[str, Way] = MappingProxyType(
    {"first": _first, "changes": _changes, "cells": _cells, "still": _still, "jump": _jump, "growth": _growth}
)


def _number(signs: Iterator[bool]) -> int | None:
    """Return the number of the first sign from 1; None if there is none."""
    return next((number for number, sign in enumerate(signs, 1) if sign), None)


def _differ(one: Grid, other: Grid) -> Iterator[tuple[int, int, str, str]]:
    """Yield column and row of each cell that differs, with its two colours."""
    for y, (row, other_row) in enumerate(zip(one, other, strict=False)):  # a program may change the size of its grid
        if row != other_row:
            for x, (color, other_color) in enumerate(zip(row, other_row, strict=False)):
                if color != other_color:
                    yield x, y, color, other_color


def _differing(before: Frames, now: Frames) -> list[int]:
    return [sum(1 for _ in _differ(one, other)) for one, other in zip(before, now, strict=True)]
