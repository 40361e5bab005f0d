"""Repeats of a task, and a mean over them that knows that they are repeats.

Samples of one task resemble each other, so five epochs of sixty tasks say less than three hundred tasks would. The
standard error here is clustered by task, with the small-sample factor G / (G - 1) for G tasks: with one epoch it is
exactly that of a plain mean, s / sqrt(n). Tasks count as drawn from all tasks there could be, so the interval is for
the mean over those, not for the mean over these very tasks.

The mean weighs samples alike. Where samples are left out, a task with fewer of them weighs less.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from math import fsum, isfinite, sqrt
from statistics import fmean
from typing import Literal

from herobench.analysis.interval import Estimate, student

Unmeasured = Literal["left_out", "lost"]
"""What a sample without a value (None) counts as: nothing at all, or 0."""


def by_task(
    tasks: Iterable[Hashable], values: Iterable[float | None], unmeasured: Unmeasured = "left_out"
) -> dict[Hashable, list[float]]:
    """The values of each task that has any, in the order of their coming."""
    groups: dict[Hashable, list[float]] = {}
    for task, value in zip(tasks, values, strict=True):
        if value is None and unmeasured == "left_out":
            continue
        number = 0.0 if value is None else float(value)
        if not isfinite(number):
            raise ValueError(f"a value of task {task!r} is {number}; what was not measured is None")
        groups.setdefault(task, []).append(number)
    return groups


def clustered_mean(
    tasks: Iterable[Hashable], values: Iterable[float | None], unmeasured: Unmeasured = "left_out"
) -> Estimate:
    """The mean over samples, with a t-interval that is clustered by task.

    One task has a mean, but nothing to tell how far another task would be from it. The interval of a rate or a score
    is not cut to its range: it is symmetric, and may reach beyond.
    """
    groups = by_task(tasks, values, unmeasured)
    count = sum(map(len, groups.values()))
    if not count:
        return Estimate()
    mean = fmean(value for group in groups.values() for value in group)
    if len(groups) == 1:
        return Estimate(mean, samples=count, tasks=1)
    squares = fsum(fsum(value - mean for value in group) ** 2 for group in groups.values())
    error = sqrt(len(groups) / (len(groups) - 1) * squares) / count
    return student(mean, error, count, len(groups))
