"""Compares the horizons of two runs: their ratio over the tasks that both have, and whether it is more than chance.

Hard tasks are hard for both runs, so each draw of the bootstrap has the same tasks in both. The ratio is surer than the
intervals of the two horizons suggest: these may overlap although the difference is real.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np

from herobench.analysis.reading.interval import Estimate
from herobench.analysis.statistics.horizon import (
    DRAWS,
    Fit,
    Horizon,
    Trials,
    drawn,
    ends,
    estimate_of,
    fit_of,
    fitted,
    horizon_in,
)
from herobench.analysis.statistics.lengths import LEAST_TASKS
from herobench.analysis.statistics.logistic import Array

Difference = Literal["longer", "shorter", "not told apart", "not determined"]
"""Says how the first horizon compares with the second. It is `not determined` if one of the two is."""

_MOST = 60.0
"""Doublings above which a ratio counts as unbounded."""


@dataclass(frozen=True, slots=True)
class HorizonRatio:
    """The horizon of the first run divided by that of the second, over the tasks that they share."""

    verdict: Difference
    ratio: Estimate
    first: Horizon
    """The horizon of the first run, fitted to the shared tasks only; `second` is that of the other run."""
    second: Horizon

    def as_row(self) -> dict[str, Any]:
        """Return the figures as plain data."""
        return asdict(self)


def horizon_ratio(first: Trials, second: Trials, draws: int = DRAWS) -> HorizonRatio:
    """Compare the horizons of two runs over the tasks that both have measured."""
    place = {task: number for number, task in enumerate(second.tasks)}
    here = [number for number, task in enumerate(first.tasks) if task in place]
    there = [place[first.tasks[number]] for number in here]
    one, other = first.only(here), second.only(there)
    if len(here) < LEAST_TASKS:
        return HorizonRatio("not determined", estimate_of(one), horizon_in(one, None), horizon_in(other, None))
    cells, weights = drawn(np.column_stack([one.columns(), other.columns()]), draws)
    fits = fitted(one, cells[:, :3], weights), fitted(other, cells[:, 3:], weights)
    # each horizon has draws of its own, so that it is the one that the run has by itself
    horizons = horizon_in(one, fit_of(one, draws)), horizon_in(other, fit_of(other, draws))
    doublings = _doublings(*fits)
    low, high = ends(doublings[1:])
    if any(horizon.verdict == "not determined" for horizon in horizons):
        return HorizonRatio("not determined", estimate_of(one), *horizons)
    verdict: Difference = "longer" if low > 0 else "shorter" if high < 0 else "not told apart"
    found = (_times(float(value)) for value in (doublings[0], low, high))
    return HorizonRatio(verdict, estimate_of(one, *found), *horizons)


def _doublings(first: Fit, second: Fit) -> Array:
    """Return log2 of the ratio in each draw: 0 if both runs won all its tasks, or lost all."""
    with np.errstate(invalid="ignore"):
        found = first.crossings - second.crossings
    return np.where(np.isnan(found), 0.0, found)


def _times(doublings: float) -> float | None:
    return 2.0**doublings if abs(doublings) <= _MOST else None
