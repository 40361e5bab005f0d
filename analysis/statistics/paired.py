"""Compares two runs on the same tasks: the difference, its interval, and the probability that it is chance.

Hard tasks are hard for both runs, so each task is compared with itself: the mean over the epochs of one run less that
of the other. Every shared task has the same weight, and tasks that only one run has are left out.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import comb, inf, isclose, sqrt
from statistics import fmean, stdev

from herobench.analysis.reading.interval import Estimate, two_sided_p
from herobench.analysis.statistics.rates import Unmeasured, bounded_mean, by_task

_ROUNDING = 1e-12
"""Means that differ by less than this part of themselves are taken as equal: only the order of adding differs."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """The first run less the second, over the tasks that they share."""

    difference: Estimate
    """Its `samples` are those of both runs on shared tasks. Without two shared tasks there is no interval."""
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


def compare(
    first_tasks: Iterable[Hashable],
    first_values: Iterable[float | None],
    second_tasks: Iterable[Hashable],
    second_values: Iterable[float | None],
    unmeasured: Unmeasured = "left_out",
    *,
    most: float = inf,
) -> Comparison:
    """Compare two runs task by task; a run without a value for a task counts as without the task.

    Values are from 0 to `most`: the interval of the difference is the bounded one, between -`most` and `most`. Without
    an upper bound it is a t-interval.
    """
    first = by_task(first_tasks, first_values, unmeasured)
    second = by_task(second_tasks, second_values, unmeasured)
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
    decided = better + worse
    tail = sum(comb(decided, count) for count in range(min(better, worse) + 1))
    # if both won equally often, the term in the middle is in both tails
    return min(1.0, 2 * tail / (1 << decided))
