"""Simulated models with a known horizon, on ladders whose tasks lie evenly over the logarithm of their length."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from herobench.analysis.statistics.horizon import Fit, count_trials, fit_curve

Floats = NDArray[np.float64]

PLAYERS = tuple(float(horizon) for horizon in np.geomspace(8, 2000, 20))
"""The horizons of twenty models."""
SLOPES = (0.5, 1.0, 2.0)
"""By how much the log-odds of success fall with each doubling of the length: gently, as usual, steeply."""


def ladder(tasks: int = 360) -> Floats:
    """Lengths from 4 to 4,000; 360 are ten rungs of 36 tasks."""
    return np.geomspace(4, 4000, tasks)


def wins(
    rng: np.random.Generator, lengths: Floats, horizon: float, slope: float, epochs: int = 1, lapse: float = 0.0
) -> Floats:
    """What a model wins; a row for each epoch. It wins half of the tasks at its horizon, lapses included."""
    odds = (horizon / lengths) ** (slope / np.log(2)) / (1 - 2 * lapse)
    return (rng.random((epochs, len(lengths))) < (1 - lapse) * odds / (1 + odds)).astype(float)


def fit_to(lengths: Floats, won: Floats) -> Fit:
    """The curves that fit what a model won."""
    tasks = list(range(len(lengths))) * len(won)
    found = fit_curve(count_trials(tasks, list(lengths) * len(won), won.ravel().tolist()))
    assert found is not None
    return found


def coverage(
    rng: np.random.Generator, lengths: Floats, horizons: Sequence[float], slope: float, times: int, lapse: float = 0.0
) -> list[float]:
    """For each horizon, the share of intervals that hold it."""
    held = []
    for horizon in horizons:
        runs = (wins(rng, lengths, horizon, slope, lapse=lapse) for _ in range(times))
        found = [fit_to(lengths, won).known.interval() for won in runs]
        held.append(sum(each.low <= horizon <= each.high for each in found) / times)
    return held
