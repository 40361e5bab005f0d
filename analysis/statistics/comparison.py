"""Compares two runs on the tasks that both have: the difference, its interval, and the probability that it is chance.

Hard tasks are hard for both runs, so each task is compared with itself: the mean over the epochs of one run less that
of the other. Every shared task has the same weight, and tasks that only one run has are left out. Horizons are those
that each run has by itself. Their ratio is surer than the two intervals suggest, as far as both runs win more, or less,
than is expected on the same tasks. A private twin is paired with its original, which the fact `twin_of` names, and two
twins of one task with each other.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import comb, fsum, inf, isclose, log2, sqrt
from statistics import fmean, stdev
from typing import TYPE_CHECKING, Literal

import numpy as np

from herobench.adaptive.posterior import Array
from herobench.analysis.reading.interval import Estimate, bounded_mean, by_task, two_sided_p
from herobench.analysis.statistics.horizon import (
    PARTS,
    Fit,
    Horizon,
    Trials,
    fit_curve,
    horizon_in,
)

if TYPE_CHECKING:
    import pandas as pd


_ROUNDING = 1e-12
"""Figures that differ by less than this part of themselves are taken as equal: only the order of adding differs."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """The first run less the second, over the tasks that they share."""

    difference: Estimate
    """`samples` counts the samples of both runs on shared tasks. Without two shared tasks there is no interval."""
    p: float | None
    """The p-value of the paired t-test, two-sided; None for fewer than two shared tasks.

    If every difference is 0 it is 1. If all are equal but not 0, it is 0, the limit, which few tasks hardly justify:
    trust `exact_p` if there is one, and the interval, which is wider than the test where few tasks differ.
    """
    exact_p: float | None
    """McNemar's p-value, from the tasks that one run won and the other lost.

    None unless there are two shared tasks, each with one sample in both runs, and all are wins (1) or losses (0).
    """
    better: int
    """Shared tasks on which the first run has the higher mean."""
    worse: int
    shared: int
    only_first: int
    only_second: int

    @property
    def chance(self) -> float | None:
        """McNemar's p-value where there is one: few tasks hardly justify a t-test."""
        return self.p if self.exact_p is None else self.exact_p


def compare(
    first_tasks: Iterable[Hashable],
    first_values: Iterable[float | None],
    second_tasks: Iterable[Hashable],
    second_values: Iterable[float | None],
    *,
    most: float = inf,
) -> Comparison:
    """Compare two runs task by task; a run without a value for a task counts as without the task.

    Values are from 0 to `most`: the interval of the difference is the bounded one, between -`most` and `most`. Without
    an upper bound it is a t-interval.
    """
    first, second = by_task(first_tasks, first_values), by_task(second_tasks, second_values)
    shared = [task for task in first if task in second]
    differences = [_difference(fmean(first[task]), fmean(second[task])) for task in shared]
    better, worse = sum(value > 0 for value in differences), sum(value < 0 for value in differences)
    bound = max([most, *map(abs, differences)])
    exact = len(shared) > 1 and _won_or_lost_once(first, shared) and _won_or_lost_once(second, shared)
    return Comparison(
        difference=replace(
            bounded_mean(shared, differences, least=-bound, most=bound),
            samples=sum(len(first[task]) + len(second[task]) for task in shared),
        ),
        p=_t_test(differences) if len(shared) > 1 else None,
        exact_p=_mcnemar(better, worse) if exact else None,
        better=better,
        worse=worse,
        shared=len(shared),
        only_first=len(first) - len(shared),
        only_second=len(second) - len(shared),
    )


def _difference(first: float, second: float) -> float:
    # without this, an order of adding would decide whether a task counts as better or worse
    return 0.0 if isclose(first, second, rel_tol=_ROUNDING) else first - second


def _won_or_lost_once(run: Mapping[Hashable, Sequence[float]], tasks: Iterable[Hashable]) -> bool:
    return all(len(run[task]) == 1 and run[task][0] in (0.0, 1.0) for task in tasks)


def _t_test(differences: Sequence[float]) -> float:
    if max(differences) - min(differences) <= _ROUNDING * max(map(abs, differences)):  # no spread to divide by
        return 0.0 if any(differences) else 1.0
    count = len(differences)
    return two_sided_p(fmean(differences) / (stdev(differences) / sqrt(count)), count - 1)


def _mcnemar(better: int, worse: int) -> float:
    """Return the exact two-sided p-value: both tails of the binomial distribution with probability one half."""
    decisions = better + worse
    tail = sum(comb(decisions, count) for count in range(min(better, worse) + 1))
    # if both won equally often, the term in the middle is in both tails
    return min(1.0, 2 * tail / (1 << decisions))


Side = Literal["first", "second", "both"]
Verdict = Literal["originals_won_more", "twins_won_more", "no_difference_shown", "not_comparable"]
_CHANCE = 0.05
"""A p-value below which a difference is taken as real."""


def paired_names(samples: pd.DataFrame, other: pd.DataFrame) -> list[str]:
    """Return for each sample the task id under which it is compared with another table."""
    task_ids = {*other.task_id, *_originals(other).dropna()}
    return [
        original if original in task_ids else task_id
        for task_id, original in zip(samples.task_id, _originals(samples), strict=True)
    ]


def twin_side(samples: pd.DataFrame, other: pd.DataFrame) -> Side | None:
    """Return which table has the twins, the other having their originals; both for twins of the same tasks."""
    first, second = are_twins(samples, other), are_twins(other, samples)
    if first and second:
        return "both"
    if first:
        return "first"
    return "second" if second else None


def verdict_on(side: Side, success: Comparison, is_one_model: bool) -> Verdict:
    """Return what the difference in success between two tables says about tasks and their twins."""
    p, difference = success.chance, success.difference.estimate
    if side == "both" or not is_one_model or p is None or difference is None:
        return "not_comparable"
    if p >= _CHANCE:
        return "no_difference_shown"
    return "originals_won_more" if (difference > 0) == (side == "second") else "twins_won_more"


def are_twins(samples: pd.DataFrame, other: pd.DataFrame) -> bool:
    """Return whether tasks of one table are twins of the other's, or both are twins of the same tasks."""
    return paired_names(samples, other) != list(samples.task_id)


def _originals(samples: pd.DataFrame) -> pd.Series:
    """Return whose twins the samples' tasks are; a suite without twins has no such column."""
    # without such a column, one that holds nothing
    return samples.twin_of if "twin_of" in samples else samples.task_id.where(samples.task_id.isna())


Difference = Literal["longer", "shorter", "not told apart", "not determined"]
"""Says how the first horizon compares with the second. It is `not determined` if one of the two is."""


@dataclass(frozen=True, slots=True)
class HorizonRatio:
    """The ratio of the first run's horizon to the second's."""

    verdict: Difference
    ratio: Estimate
    """`tasks` counts those that both have, `samples` those of both runs. An end is None where it is unbounded."""
    first: Horizon
    """The horizon that the first run has by itself; `second` is the other run's."""
    second: Horizon
    probability: float | None = None
    """The probability that the first run's horizon is the longer one; None where it is not determined."""


def horizon_ratio(first: Trials, second: Trials, *, independent: bool = False) -> HorizonRatio:
    """Compare the horizons of two runs that share some tasks.

    With `independent`, they need not: their tasks are drawn alike, such as those that two seeds make.
    """
    one, other = fit_curve(first), fit_curve(second)
    horizons = horizon_in(first), horizon_in(second)
    basis = Estimate(
        samples=int(first.attempts.sum() + second.attempts.sum()), tasks=len({*first.tasks} & {*second.tasks})
    )
    has_basis = independent or basis.tasks > 0
    if one is None or other is None or not has_basis or "not determined" in [horizon.verdict for horizon in horizons]:
        return HorizonRatio("not determined", basis, *horizons)
    doublings, low, high, longer = _doublings(one, other)
    verdict: Difference = "not told apart"
    if low > 0:
        verdict = "longer"
    elif high < 0:
        verdict = "shorter"
    if any(horizon.h50.estimate is None for horizon in horizons):
        return HorizonRatio(verdict, basis, *horizons, probability=longer)
    open_ends = one.is_open(), other.is_open()
    no_low, no_high = (open_ends[0][end] or open_ends[1][1 - end] for end in (0, 1))
    ratio = replace(
        basis, estimate=2.0**doublings, low=None if no_low else 2.0**low, high=None if no_high else 2.0**high
    )
    return HorizonRatio(verdict, ratio, *horizons, probability=longer)


def _doublings(one: Fit, other: Fit) -> tuple[float, float, float, float]:
    """Return log2 of the ratio, the ends of its interval, and the probability that it is above 0.

    The two horizons would differ as two independent ones do, if nothing but luck made a run win a task. As far as the
    wins of both are alike on the tasks that they share, the difference varies less.
    """
    (horizons, weights), (others, other_weights) = one.marginal(), other.marginal()
    step = horizons[1] - horizons[0]
    apart = np.convolve(weights, other_weights[::-1])
    differences = horizons[0] - others[-1] + step * np.arange(len(apart))
    below, ends = np.cumsum(apart), differences + step / 2
    middle, low, high = np.interp(PARTS, below, ends)
    variances = [_variance(*marginal) for marginal in ((horizons, weights), (others, other_weights))]
    common = 2 * _alike(one, other) * sqrt(variances[0] * variances[1])
    uncommon = 1 - common / sum(variances)
    narrower = sqrt(uncommon) if uncommon > _ROUNDING else 0.0
    ratio_log = log2(one.known.interval().horizon / other.known.interval().horizon)
    # a ratio of 1 is as far from the middle, in the narrower distribution, as this place in the wide one
    even = middle - ratio_log / narrower if narrower else middle
    longer = 1 - float(np.interp(even, ends, below)) if narrower else float(ratio_log > 0) + 0.5 * float(ratio_log == 0)
    # the sums of weights are 1 but for rounding
    longer = min(1.0, max(0.0, longer))
    return ratio_log, ratio_log + narrower * float(low - middle), ratio_log + narrower * float(high - middle), longer


def _alike(one: Fit, other: Fit) -> float:
    """Return the correlation of what two runs win beyond what is expected; 0 for tasks that only one has."""
    surplus, other_surplus = one.surplus(), other.surplus()
    place = {task: number for number, task in enumerate(other.trials.tasks)}
    pairs = [(here, place[task]) for here, task in enumerate(one.trials.tasks) if task in place]
    common = fsum(float(surplus[here] * other_surplus[there]) for here, there in pairs)
    return max(0.0, common / sqrt(float(surplus @ surplus) * float(other_surplus @ other_surplus)))


def _variance(values: Array, weights: Array) -> float:
    return float(weights @ (values - weights @ values) ** 2)
