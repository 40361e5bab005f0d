"""Simulated models with a known horizon, on ladders whose tasks lie evenly over the logarithm of their length."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from herobench.analysis.statistics.horizon import Fit, count_trials, fit_curve, span

Floats = NDArray[np.float64]

PLAYERS = tuple(float(horizon) for horizon in np.geomspace(8, 2000, 20))
"""The horizons of twenty models."""
SLOPES = (0.5, 1.0, 2.0)
"""By how much the log-odds of success fall with each doubling of the length: gently, as usual, steeply."""


def ladder(tasks: int = 360) -> Floats:
    """Lengths from 4 to 4,000; 360 are ten rungs of 36 tasks."""
    return np.geomspace(4, 4000, tasks)


def wins(rng: np.random.Generator, lengths: Floats, horizon: float, slope: float, epochs: int = 1) -> Floats:
    """What a model wins; a row for each epoch."""
    chances = 1 / (1 + (lengths / horizon) ** (slope / np.log(2)))
    return (rng.random((epochs, len(lengths))) < chances).astype(float)


def fit_to(lengths: Floats, won: Floats, draws: int = 400) -> Fit:
    """The fitted curve of what a model won."""
    tasks = list(range(len(lengths))) * len(won)
    found = fit_curve(count_trials(tasks, list(lengths) * len(won), won.ravel().tolist()), draws)
    assert found is not None
    return found


def ends_of(curve: Fit) -> tuple[float, float]:
    """The interval of a horizon, also where no figure is shown: an end may be infinite."""
    low, high = span(curve.crossings[1:])
    return float(2.0**low), float(2.0**high)


def coverage(
    rng: np.random.Generator, lengths: Floats, horizons: Sequence[float], slope: float, times: int
) -> list[float]:
    """For each horizon, the share of intervals that hold it."""
    held = []
    for horizon in horizons:
        found = (ends_of(fit_to(lengths, wins(rng, lengths, horizon, slope))) for _ in range(times))
        held.append(sum(low <= horizon <= high for low, high in found) / times)
    return held
