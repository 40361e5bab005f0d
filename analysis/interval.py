"""Estimates with their intervals: Wilson's for rates and other means between two bounds, Student's for other means.

All statistics of the analysis end here. The formulas are written out, because scipy takes a second to import, and a
display of a run draws a rate too. The tests compare them with scipy.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist

from herobench.analysis.student_t import quantile

CONFIDENCE = 0.95
_ADDED = 2
"""The imagined values of `wilson_of_mean`. With two, coverage is that of Wilson's interval, see docs/analyze.md."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure with its 95 % interval, and what it rests on; None, never NaN, for what is not defined.

    `samples` and `tasks` count only what entered the figure. The width of a t-interval comes from how much the tasks
    differ: if all are alike it is 0, which says that nothing varied, not that nothing could. Intervals between two
    bounds are never empty.
    """

    estimate: float | None = None
    low: float | None = None
    high: float | None = None
    standard_error: float | None = None
    samples: int = 0
    tasks: int = 0


def wilson(successes: float, count: float, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Return Wilson's interval of a rate; from 0 to 1 if nothing was counted."""
    if not count:
        return 0.0, 1.0
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    rate, weight = successes / count, z * z / count
    middle = (rate + weight / 2) / (1 + weight)
    half = z * sqrt(rate * (1 - rate) / count + weight / (4 * count)) / (1 + weight)
    # exact at the ends, where rounding could leave a trace
    return 0.0 if not successes else middle - half, 1.0 if successes == count else middle + half


def student(mean: float, standard_error: float, samples: int, tasks: int) -> Estimate:
    """Return a mean over tasks with Student's interval; its degrees of freedom are the tasks less one."""
    half = quantile((1 + CONFIDENCE) / 2, tasks - 1) * standard_error
    return Estimate(mean, mean - half, mean + half, standard_error, samples, tasks)


def wilson_of_mean(rate: float, variance: float, size: float) -> tuple[float, float]:
    """Return Wilson's interval of a mean of values from 0 to 1, with its variance as the values show it.

    `size` is the number of values. Wilson's interval takes all of them for 0 or 1. Values in between differ less, so
    they tell as much as more values would: the share of the variance that they have says how many. Few values measure
    this share badly, so two imagined ones that differ as much as values can are added. Values of 0 and 1 alone get
    Wilson's interval as it is.
    """
    most = rate * (1 - rate) / size
    share = min(1.0, variance / most) if most else 1.0
    count = size * (size + _ADDED) / (size * share + _ADDED)
    return wilson(rate * count, count)
