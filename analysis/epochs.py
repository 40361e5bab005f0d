"""Means over samples of which several may be of one task, with intervals clustered by task.

Samples of one task are alike, so five epochs of sixty tasks say less than three hundred tasks. The standard error has
the small-sample factor G / (G - 1) for G tasks; with one epoch it is s / sqrt(n). Tasks count as drawn from all
possible tasks: the interval is for the mean over those. Samples have equal weight.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable
from math import fsum, isfinite, sqrt
from statistics import fmean
from typing import Literal

from herobench.analysis.interval import Estimate, student

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
    """Return the mean over samples, with a t-interval that is clustered by task.

    There is no interval for one task, because nothing tells how far another would be from it. The interval of a rate
    or a score is symmetric and not cut to its range.
    """
    groups = by_task(tasks, values, unmeasured)
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
