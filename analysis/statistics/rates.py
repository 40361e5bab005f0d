"""Rates of success, and the chances of several tries.

pass@k is the chance that at least one of k tries at a task wins, pass^k that all of them do. Both are averaged over
the tasks with at least k samples. Each is a quotient of two whole numbers, so it is exact for any number of samples.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from math import comb, fsum, isfinite, isinf, sqrt
from statistics import fmean
from typing import Literal

from herobench.analysis.reading.interval import Estimate, student, wilson, wilson_of_mean

Unmeasured = Literal["left_out", "lost"]
"""Samples without a value (None) are left out, or count as 0."""


def by_task(
    tasks: Iterable[Hashable], values: Iterable[float | None], unmeasured: Unmeasured = "left_out"
) -> dict[Hashable, list[float]]:
    """Return the values of each task that has any, in their order."""
    groups: defaultdict[Hashable, list[float]] = defaultdict(list)
    left_out = unmeasured == "left_out"
    for task, value in zip(tasks, values, strict=True):
        if value is None and left_out:
            continue
        number = 0.0 if value is None else float(value)
        if not isfinite(number):
            raise ValueError(f"a value of task {task!r} is {number}: give None for what was not measured")
        groups[task].append(number)
    return dict(groups)


def clustered_mean(tasks: Iterable[Hashable], values: Iterable[float | None]) -> Estimate:
    """Return the mean over samples of values without bounds, with a t-interval that is clustered by task.

    There is no interval for one task, because nothing tells how far another would be from it.
    """
    return _mean_over(by_task(tasks, values))


def bounded_mean(
    tasks: Iterable[Hashable],
    values: Iterable[float | None],
    unmeasured: Unmeasured = "left_out",
    *,
    least: float = 0.0,
    most: float = 1.0,
) -> Estimate:
    """Return the mean over samples of values between two bounds, with an interval between them, clustered by task.

    Bounds that values exceed, as a score over 100 does, are widened to them. Without an upper bound (inf) it is a
    t-interval that is cut at the lower one. There is no interval for one task.
    """
    groups = by_task(tasks, values, unmeasured)
    found = _mean_over(groups)
    if found.estimate is None or found.low is None or found.standard_error is None:
        return found
    if isinf(most):
        return replace(found, low=max(least, found.low))
    ends = [*(value for group in groups.values() for value in group), least, most]
    least, width = min(ends), max(ends) - min(ends)
    # in the mean, tasks with more samples have more weight: this is the equivalent number of equally weighted tasks
    size = found.samples**2 / sum(len(group) ** 2 for group in groups.values())
    variance = (found.standard_error / width) ** 2 * (1 - 1 / len(groups))
    low, high = wilson_of_mean((found.estimate - least) / width, variance, size)
    return replace(found, low=least + width * low, high=least + width * high)


def mean_of_means(
    groups: Iterable[Hashable], values: Iterable[float | None], *, least: float = 0.0, most: float = 1.0
) -> Estimate:
    """Return the mean of the means of groups, each with the same weight, with an interval between two bounds."""
    known = by_task(groups, values)
    mean = bounded_mean(known, map(fmean, known.values()), least=least, most=most)
    return replace(mean, samples=sum(map(len, known.values())))


def _mean_over(groups: Mapping[Hashable, Sequence[float]]) -> Estimate:
    """Return the mean over the values of some tasks, with a t-interval that is clustered by task."""
    count = sum(map(len, groups.values()))
    if not count:
        return Estimate()
    mean = fmean(value for group in groups.values() for value in group)
    if len(groups) == 1:
        return Estimate(mean, samples=count, tasks=1)
    # deviations are added up within a task first: samples of a task deviate together
    squares = fsum(fsum(value - mean for value in group) ** 2 for group in groups.values())
    error = sqrt(len(groups) / (len(groups) - 1) * squares) / count
    return student(mean, error, count, len(groups))


def success_rate(
    tasks: Iterable[Hashable], successes: Iterable[float | None], unmeasured: Unmeasured = "left_out"
) -> Estimate:
    """Return the share of samples that won, with Wilson's interval, which assumes that samples are independent.

    That is right for one epoch; `measure_success` chooses. The standard error is sqrt(p (1 - p) / n),
    which is 0 where all won or all lost, while the interval is never empty.
    """
    counts = _counts(tasks, successes, unmeasured)
    count, wins = sum(n for n, _ in counts.values()), sum(c for _, c in counts.values())
    if not count:
        return Estimate()
    rate = wins / count
    return Estimate(rate, *wilson(wins, count), sqrt(rate * (1 - rate) / count), count, len(counts))


def measure_success(
    tasks: Iterable[Hashable], successes: Iterable[float | None], unmeasured: Unmeasured = "left_out"
) -> Estimate:
    """Return the share of samples that won, with Wilson's interval if no task was tried twice.

    Otherwise the interval is `bounded_mean`'s, clustered by task, because repeats are no new evidence.
    """
    tried, wins = list(tasks), list(successes)
    by_repeats = bounded_mean if len(tried) > len(set(tried)) else success_rate
    return by_repeats(tried, wins, unmeasured)


def pass_at_k(tasks: Iterable[Hashable], successes: Iterable[float | None], k: int) -> Estimate:
    """Return the chance that at least one of k tries at a task wins: 1 - C(n - c, k) / C(n, k), averaged over tasks."""
    # one quotient of whole numbers: 1 less a quotient would lose digits where the chance is small
    return _over_tasks(_counts(tasks, successes), k, lambda n, c: (comb(n, k) - comb(n - c, k)) / comb(n, k))


def pass_hat_k(tasks: Iterable[Hashable], successes: Iterable[float | None], k: int) -> Estimate:
    """Return the chance that k tries at a task all win, pass^k: C(c, k) / C(n, k), averaged over tasks."""
    return _over_tasks(_counts(tasks, successes), k, lambda n, c: comb(c, k) / comb(n, k))


def _over_tasks(counts: dict[Hashable, tuple[int, int]], k: int, chance: Callable[[int, int], float]) -> Estimate:
    """Return the mean chance over the tasks with enough samples."""
    if k < 1:
        raise ValueError(f"k must be 1 or more, and it is {k}")
    chance = cache(chance)
    used = {task: pair for task, pair in counts.items() if pair[0] >= k}
    mean = bounded_mean(used, (chance(n, c) for n, c in used.values()))
    return replace(mean, samples=sum(n for n, _ in used.values()))


def _counts(
    tasks: Iterable[Hashable], successes: Iterable[float | None], unmeasured: Unmeasured = "left_out"
) -> dict[Hashable, tuple[int, int]]:
    """Return for each task its number of samples and of wins."""
    groups = by_task(tasks, successes, unmeasured)
    odd = {value for group in groups.values() for value in group} - {0.0, 1.0}
    if odd:
        raise ValueError(f"a sample must win (1) or not (0), and {min(odd)} is neither")
    return {task: (len(group), group.count(1.0)) for task, group in groups.items()}
