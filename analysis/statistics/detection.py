"""Says how many tasks tell two models apart, before any is asked: of a set as it is, and chosen as `--until` does.

The horizons of the two differ by a factor, and lie around the horizon that is given. Nothing is drawn at random: the
posterior of each model is computed after the verdicts that are expected, each win counted by its chance. Its interval
is the one that runs show, with what slope and lapses leave open. The models are told apart if the interval of the ratio
leaves out 1, and that in 80 of 100 cases. Where both find the same tasks hard, fewer tasks do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from math import ceil, inf, log, log2, sqrt
from typing import Any

import numpy as np

from herobench.adaptive.choice import next_round, posterior_of
from herobench.adaptive.goal import LEAST_TASKS
from herobench.adaptive.posterior import Array, Posterior, curves_between, log_chances
from herobench.analysis.statistics.noise import FOUND, SURE, least_difference

SLOPES = (0.5, 1.0, 2.0)
"""The slopes that are considered: how far the log-odds of success fall in a doubling. Published runs have 1 to 3."""
_MOST = 100.0
"""Sets of up to so many times the given tasks are considered."""
_PRECISION = 0.005
_EVEN = 0.5
"""The share of tasks on which two models differ that win half of all tasks, each by luck."""


@dataclass(frozen=True, slots=True)
class Detection:
    """Counts the tasks that tell two models apart whose success falls by the same slope."""

    slope: float
    tasks: int | None
    """The number of tasks with the lengths of the set that tells the models apart; None if a hundred sets do not."""
    chosen: int | None
    """The tasks that each model is asked if its verdicts choose them; None if all tasks of the set are too few."""
    least_difference: float | None
    """The least difference of success, in points of percent, that the set shows between models of this horizon."""

    def as_row(self) -> dict[str, Any]:
        """Return the figures as plain data."""
        return asdict(self)


def detect(lengths: Sequence[float], factor: float, horizon: float, slope: float) -> Detection:
    """Return what tells two models apart whose horizons differ by a factor, and lie around a horizon."""
    pair = (horizon * sqrt(factor), horizon / sqrt(factor))
    most = (log2(factor) / (SURE + FOUND)) ** 2
    chances = success(lengths, horizon, slope)
    least = least_difference(len(lengths), float((2 * chances * (1 - chances)).mean()))
    return Detection(
        slope,
        _tasks_needed(lengths, pair, slope, most),
        _chosen_needed(dict(enumerate(lengths)), pair, slope, most),
        None if least is None else 100 * least,
    )


def widest_least_difference(tasks: int) -> float | None:
    """Return the least difference of success, in points, that some tasks show whatever the models; None for none."""
    least = least_difference(tasks, _EVEN)
    return None if least is None else 100 * least


def success(lengths: Sequence[float], horizon: float, slope: float) -> Array:
    """Return the chance of a model to win tasks of some lengths."""
    return np.asarray(1 / (1 + (np.array(lengths) / horizon) ** (slope / log(2))), dtype=np.float64)


def _tasks_needed(lengths: Sequence[float], pair: Sequence[float], slope: float, most: float) -> int | None:
    """Return how many tasks of such lengths give two horizons whose variances add up to `most`."""
    x, counts = np.unique(np.log2(lengths), return_counts=True)
    curves = curves_between(float(x[0]), float(x[-1]))
    told = []
    for horizon in pair:
        total = np.zeros_like(curves.horizons)
        for place, (chance, count) in enumerate(zip(success(np.exp2(x), horizon, slope), counts, strict=True)):
            won, lost = log_chances(curves, float(x[place]))
            total += count * (chance * won + (1 - chance) * lost)
        told.append(total)

    def variance(times: float) -> float:
        return sum(_variance(Posterior(replace(curves, prior=curves.prior + times * each))) for each in told)

    low, high = 0.0, _MOST
    if variance(high) > most:
        return None
    while high - low > _PRECISION * high:
        middle = (low + high) / 2
        low, high = (middle, high) if variance(middle) > most else (low, middle)
    return max(LEAST_TASKS, ceil(high * len(lengths)))


def _chosen_needed(lengths: Mapping[int, float], pair: Sequence[float], slope: float, most: float) -> int | None:
    """Return how many tasks each of two models is asked by its own verdicts until the variances add up to `most`."""
    asked: list[dict[int, float]] = [{}, {}]
    before, count = inf, 0
    while all(chosen := [next_round(lengths, won, won) for won in asked]):
        for won, tasks, horizon in zip(asked, chosen, pair, strict=True):
            wins = success([lengths[task] for task in tasks], horizon, slope)
            won.update(zip(tasks, wins.tolist(), strict=True))
        if len(asked[0]) < LEAST_TASKS:
            continue
        total = sum(_variance(posterior_of(lengths, won)) for won in asked)
        if total <= most:
            # one over the variance grows evenly within a round
            part = 1.0 if not count else (1 / most - 1 / before) / (1 / total - 1 / before)
            return ceil(count + part * (len(asked[0]) - count))
        before, count = total, len(asked[0])
    return None


def _variance(known: Posterior) -> float:
    """Return the variance of log2 of the horizon that goes with the interval."""
    return (log2(known.interval().factor) / (2 * SURE)) ** 2
