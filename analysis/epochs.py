"""Means over samples of which several may be of one task, with intervals clustered by task.

Samples of one task are alike, so five epochs of sixty tasks say less than three hundred tasks. The standard error has
the small-sample factor G / (G - 1) for G tasks; with one epoch it is s / sqrt(n). Tasks count as drawn from all
possible tasks: the interval is for the mean over those. Samples have equal weight. `bounded_mean` is for what cannot
leave two bounds, such as scores and rates, `clustered_mean` for the rest, such as tokens.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from math import fsum, isfinite, isinf, sqrt
from statistics import fmean
from typing import Literal

from herobench.analysis.interval import Estimate, student, wilson_of_mean

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


def clustered_mean(
    tasks: Iterable[Hashable], values: Iterable[float | None], unmeasured: Unmeasured = "left_out"
) -> Estimate:
    """Return the mean over samples of values without bounds, with a t-interval that is clustered by task.

    There is no interval for one task, because nothing tells how far another would be from it.
    """
    return _mean_over(by_task(tasks, values, unmeasured))


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
    # in the mean, tasks with more samples have more weight; so many tasks of equal weight would tell as much
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
