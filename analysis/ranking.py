"""Ranks runs that may be ranked together: the farthest horizon first; without a horizon, success decides."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from herobench.analysis.apart import Part
from herobench.analysis.findings import Economy, Findings, economize, find, horizon

if TYPE_CHECKING:
    from herobench.analysis.horizon import Horizon


class Standing(NamedTuple):
    """The figures of a run in a ranking."""

    found: Findings
    horizon: Horizon | None
    """None for a suite whose tasks have no length."""
    economy: Economy


def ranked(part: Part, length: str | None) -> list[Standing]:
    """Return the runs of a part, the best first; `length` is the column with the length of a task."""
    rows = [
        Standing(find(name, samples), horizon(samples, length), economize(samples))
        for name, samples in part.runs.items()
    ]
    return sorted(rows, key=lambda row: (_reach(row.horizon), _standing(row.found)))


def _reach(horizon: Horizon | None) -> tuple[bool, float]:
    """Return the key that sorts the farthest horizon first, and runs without one last, where success decides.

    Outside the range of lengths only the end of the range is known, because a figure there is an extrapolation. So a
    horizon below the range is none: who wins nothing has it, and must not rank above one whose wins are too few or too
    even to tell a horizon.
    """
    if horizon is None or horizon.verdict in ("not determined", "below the range"):
        return True, 0.0
    reach = horizon.longest if horizon.verdict == "beyond the range" else horizon.h50.estimate
    return False, -(reach or 0.0)


def _standing(found: Findings) -> tuple[bool, float, float, str]:
    """Return the key that sorts the best first, and runs without a measured sample last."""
    success, score = found.success.estimate, found.score.estimate
    return success is None, -(success or 0.0), -(score or 0.0), found.name
