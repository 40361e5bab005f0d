"""Says what chance does to two runs, and how many tasks tell two models apart before any is asked.

A model that is asked the same task again may win where it lost. The verdicts of two epochs of one run tell how often.
So they tell on how many tasks two runs of one model differ: the noise floor. The least difference is the one that a
test at 5 % finds in 80 of 100 cases. Nothing here knows what a task is.

`detection` is of a set as it is, and chosen as `--until` does. The horizons of two models differ by a factor, and lie
around the horizon that is given. Nothing is drawn at random: the posterior of each model is computed after the verdicts
that are expected, each win counted by its chance. Its interval is the one that runs show, with what slope and lapses
leave open. The models are told apart if the interval of the ratio leaves out 1, and that in 80 of 100 cases. Where both
find the same tasks hard, fewer tasks do.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil, fsum, inf, log, log2, sqrt
from statistics import NormalDist, fmean

import numpy as np

from herobench.adaptive.choice import fit_posterior, next_round
from herobench.adaptive.goal import LEAST_TASKS
from herobench.adaptive.posterior import Array, Posterior, curves_between, log_chances
from herobench.analysis.reading.interval import CONFIDENCE, by_task

_PERCENT = 100.0
POWER = 0.8
"""The share of cases in which a difference is to be found."""
SURE = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
FOUND = NormalDist().inv_cdf(POWER)
"""By how many standard errors a difference has to lie above what is surely no chance."""


@dataclass(frozen=True, slots=True)
class Flips:
    """How often two epochs of one run differ."""

    share: float
    """The percentage of pairs of epochs of a task with different verdicts: the mean over the tasks."""
    tasks: int
    """The tasks with two measured epochs or more."""
    expected: float
    """The number of shared tasks on which two runs of this model differ, if each is asked once."""


@dataclass(frozen=True, slots=True)
class Noise:
    """What chance does to the verdicts of two runs on the tasks that they share."""

    first: Flips | None
    """None if no shared task has two measured epochs."""
    second: Flips | None
    differ: float | None
    """The number of shared tasks on which the two differ: that of an epoch of one against an epoch of the other."""
    least_difference: float | None
    """The least difference of success that these tasks show, in points of percent; None if they show none."""


def noise_floor(
    first_tasks: Iterable[Hashable],
    first_wins: Iterable[float | None],
    second_tasks: Iterable[Hashable],
    second_wins: Iterable[float | None],
) -> Noise:
    """Return what chance does to two runs: 1 for a sample that won, 0 for one that lost, None for an unmeasured one."""
    first, second = by_task(first_tasks, first_wins), by_task(second_tasks, second_wins)
    shared = [task for task in first if task in second]
    if not shared:
        return Noise(None, None, None, None)
    shares = [(fmean(first[task]), fmean(second[task])) for task in shared]
    least = least_difference(len(shared), fmean((one - other) ** 2 for one, other in shares))
    return Noise(
        first=_flips(first, shared),
        second=_flips(second, shared),
        differ=fsum(one * (1 - other) + other * (1 - one) for one, other in shares),
        least_difference=None if least is None else _PERCENT * least,
    )


def least_difference(tasks: int, spread: float) -> float | None:
    """Return the least difference of two paired rates, from 0 to 1, that some tasks show; None if they show none.

    `spread` is the mean square of the differences of the tasks: the share of tasks with different verdicts, if each was
    asked once. A difference d is found if d sqrt(n) is SURE sqrt(spread) + FOUND sqrt(spread - d^2), where n is the
    number of tasks. The share of tasks that differ is never below the difference of the rates.
    """
    if tasks <= 2:
        return None
    part = (SURE * sqrt(tasks) + FOUND * sqrt(max(0.0, tasks + FOUND**2 - SURE**2))) / (tasks + FOUND**2)
    difference = part * max(sqrt(spread), part)
    return difference if difference < 1 else None


def _flips(run: Mapping[Hashable, Sequence[float]], tasks: Sequence[Hashable]) -> Flips | None:
    repeated_runs = [run[task] for task in tasks if len(run[task]) > 1]
    if not repeated_runs:
        return None
    share = fmean(_flip_share(sum(wins), len(wins)) for wins in repeated_runs)
    return Flips(_PERCENT * share, len(repeated_runs), share * len(tasks))


def _flip_share(wins: float, attempts: int) -> float:
    """Return the share of pairs of attempts of which one won and the other lost."""
    return 2 * wins * (attempts - wins) / (attempts * (attempts - 1))


SLOPES = (0.5, 1.0, 2.0)
"""The slopes that are considered: how far the log-odds of success fall in a doubling. Published runs have 1 to 3."""
_MOST = 100.0
"""The largest considered set, in multiples of the given tasks."""
_PRECISION = 0.005
_EVEN = 0.5
"""The share of tasks on which two models differ that win half of all tasks, each by luck."""


@dataclass(frozen=True, slots=True)
class DetectionSize:
    """Counts the tasks that tell two models apart whose success falls by the same slope."""

    slope: float
    tasks: int | None
    """The number of tasks with the lengths of the set that tells the models apart; None if a hundred sets do not."""
    chosen: int | None
    """The tasks that each model is asked if its verdicts choose them; None if all tasks of the set are too few."""
    least_difference: float | None
    """The least difference of success, in points of percent, that the set shows between models of this horizon."""


def detect(lengths: Sequence[float], factor: float, horizon: float, slope: float) -> DetectionSize:
    """Return what tells two models apart whose horizons differ by a factor, and lie around a horizon."""
    pair = (horizon * sqrt(factor), horizon / sqrt(factor))
    most = (log2(factor) / (SURE + FOUND)) ** 2
    chances = success(lengths, horizon, slope)
    least = least_difference(len(lengths), float((2 * chances * (1 - chances)).mean()))
    return DetectionSize(
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
    totals = []
    for horizon in pair:
        total = np.zeros_like(curves.horizons)
        for place, (chance, count) in enumerate(zip(success(np.exp2(x), horizon, slope), counts, strict=True)):
            log_success, log_failure = log_chances(curves, float(x[place]))
            total += count * (chance * log_success + (1 - chance) * log_failure)
        totals.append(total)

    def variance(times: float) -> float:
        return sum(_variance(Posterior(replace(curves, prior=curves.prior + times * each))) for each in totals)

    low, high = 0.0, _MOST
    if variance(high) > most:
        return None
    while high - low > _PRECISION * high:
        middle = (low + high) / 2
        low, high = (middle, high) if variance(middle) > most else (low, middle)
    return max(LEAST_TASKS, ceil(high * len(lengths)))


def _chosen_needed(lengths: Mapping[int, float], pair: Sequence[float], slope: float, most: float) -> int | None:
    """Return how many tasks each of two models is asked by its own verdicts until the variances add up to `most`."""
    wins_of_both: list[dict[int, float]] = [{}, {}]
    before, count = inf, 0
    while all(next_tasks := [next_round(lengths, wins_by_length, wins_by_length) for wins_by_length in wins_of_both]):
        for wins_by_length, tasks, horizon in zip(wins_of_both, next_tasks, pair, strict=True):
            wins = success([lengths[task] for task in tasks], horizon, slope)
            wins_by_length.update(zip(tasks, wins.tolist(), strict=True))
        if len(wins_of_both[0]) < LEAST_TASKS:
            continue
        total = sum(_variance(fit_posterior(lengths, wins_by_length)) for wins_by_length in wins_of_both)
        if total <= most:
            # one over the variance grows evenly within a round
            part = 1.0 if not count else (1 / most - 1 / before) / (1 / total - 1 / before)
            return ceil(count + part * (len(wins_of_both[0]) - count))
        before, count = total, len(wins_of_both[0])
    return None


def _variance(posterior: Posterior) -> float:
    """Return the variance of log2 of the horizon that goes with the interval."""
    return (log2(posterior.interval().factor) / (2 * SURE)) ** 2
