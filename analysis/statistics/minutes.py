"""Says how long people took for the attempts that they won, by the lengths of the tasks: lengths in human time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import isfinite, log2
from statistics import median
from typing import NamedTuple

Timed = tuple[float | None, float | None, float | None]
"""The length of a task, whether an attempt at it was won, and the seconds that it took."""


class WonMinutes(NamedTuple):
    """The time that attempts took which were won, at tasks of some lengths."""

    shortest: int
    longest: int
    won: int
    minutes: float
    """The median."""


def minutes_of_wins(attempts: Iterable[Timed]) -> list[WonMinutes]:
    """Return the minutes of won attempts for each doubling of the lengths."""
    brackets: dict[int, list[float]] = {}
    for length, won, seconds in attempts:
        if won and length and seconds is not None and isfinite(length) and isfinite(seconds):
            brackets.setdefault(int(log2(length)), []).append(seconds / 60)
    return [
        WonMinutes(1 << bracket, (2 << bracket) - 1, len(found), median(found))
        for bracket, found in sorted(brackets.items())
    ]


def minutes_facts(found: Iterable[WonMinutes], unit: str | None) -> Mapping[str, str]:
    """Return minutes in words."""
    return {
        f"minutes, {of.shortest} to {of.longest} {unit}": f"{of.minutes:.1f} (median of {of.won} won)" for of in found
    }
