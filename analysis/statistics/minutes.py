"""Says how long people took for the attempts that they won, by the lengths of the tasks: lengths in human time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import isfinite, log2
from statistics import median

Timed = tuple[float | None, float | None, float | None]
"""The length of a task, whether an attempt at it was won, and the seconds that it took."""


def minutes_of_wins(attempts: Iterable[Timed], unit: str | None) -> Mapping[str, str]:
    """Return the median minutes of won attempts for each doubling of the lengths, in words."""
    brackets: dict[int, list[float]] = {}
    for length, won, seconds in attempts:
        if won and length and seconds is not None and isfinite(length) and isfinite(seconds):
            brackets.setdefault(int(log2(length)), []).append(seconds / 60)
    return {
        f"minutes, {1 << bracket} to {(2 << bracket) - 1} {unit}": f"{median(found):.1f} (median of {len(found)} won)"
        for bracket, found in sorted(brackets.items())
    }
