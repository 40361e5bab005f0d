"""Estimates with their intervals: Wilson's for rates and other means between two bounds, Student's for other means.

Rates of success are estimated here, and the chances of several tries: pass@k is the chance that at least one of k tries
at a task wins, pass^k that all of them do. Both are averaged over the tasks with at least k samples. Each is a quotient
of two whole numbers, so it is exact for any number of samples.

All statistics of the analysis end here. The formulas are written out, because scipy takes a second to import, and a
display of a run draws a rate too. The tests compare them with scipy.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from math import atan, comb, exp, fsum, isfinite, isinf, lgamma, log, log1p, pi, sqrt
from statistics import NormalDist, fmean
from typing import Literal

_MANY = 1000
"""Degrees of freedom from which the expansion around the normal distribution is exact to the last digits."""
_STEPS = 60
_TINY = 1e-300
_EXACT = 1e-16


@cache
def quantile(probability: float, freedom: int) -> float:
    """Return the value below which the distribution has this probability, more than a half and less than 1."""
    start = _near_normal(NormalDist().inv_cdf(probability), freedom)
    if freedom >= _MANY:
        # the next term is smaller than the last digit here, and the series below would be slow
        return start
    coverage, value = 2 * probability - 1, start
    for _ in range(_STEPS):
        # Newton's method; the tail is convex, so from the left it never overshoots more than once
        step = (_between(value, freedom) - coverage) / (2 * _density(value, freedom))
        value = max(value - step, value / 2)
        if abs(step) <= 10 * _EXACT * value:
            break
    return value


def two_sided_p(value: float, freedom: int) -> float:
    """Return the probability of a value at least as far from 0."""
    square = value * value
    return _beta_part(freedom / 2, freedom / (freedom + square), square / (freedom + square)) if square else 1.0


def _near_normal(z: float, freedom: int) -> float:
    """Return the quantile by its expansion in powers of one over the degrees of freedom (26.7.5)."""
    s = z * z
    terms = (
        z * (s + 1) / 4,
        z * (5 * s**2 + 16 * s + 3) / 96,
        z * (3 * s**3 + 19 * s**2 + 17 * s - 15) / 384,
        z * (79 * s**4 + 776 * s**3 + 1482 * s**2 - 1920 * s - 945) / 92160,
    )
    return z + sum(term / float(freedom) ** (number + 1) for number, term in enumerate(terms))


def _between(value: float, freedom: int) -> float:
    """Return the probability of the values between the negative of this one and itself."""
    angle = atan(value / sqrt(freedom))
    cosine_squared = freedom / (freedom + value * value)
    sine = value / sqrt(freedom + value * value)
    odd = freedom % 2
    term = total = sqrt(cosine_squared) if odd else 1.0
    for number in range(2 + odd, freedom - 1, 2):
        term *= cosine_squared * (number - 1) / number
        total += term
    if not odd:
        return sine * total
    return 2 / pi * (angle + (sine * total if freedom > 1 else 0.0))


def _density(value: float, freedom: int) -> float:
    return exp(
        lgamma((freedom + 1) / 2)
        - lgamma(freedom / 2)
        - (freedom + 1) / 2 * log1p(value * value / freedom)
        - log1p(freedom * pi - 1) / 2
    )


def _beta_part(a: float, x: float, rest: float) -> float:
    """Return the regularized incomplete beta function of x, a and one half, where `rest` is 1 - x."""
    # the fraction converges fast below the mean of the distribution only; above it the other side is taken
    if x < (a + 1) / (a + 2.5):
        return _front(a, x, rest) * _fraction(a, 0.5, x) / a
    return 1 - _front(a, x, rest) * _fraction(0.5, a, rest) / 0.5


def _front(a: float, x: float, rest: float) -> float:
    """Return x to the power of a, times the root of the rest, divided by the beta function of a and one half."""
    power = exp(a * (log1p(-rest) if rest < 0.5 else log(x)))
    return power * sqrt(rest / pi) * _gamma_ratio(a)


def _gamma_ratio(a: float) -> float:
    """Return gamma of a + 1/2 divided by gamma of a, to the last digits also for large values."""
    # the series below is exact for large values only, so small ones are stepped up first
    factor = 1.0
    while a < 40:
        factor *= a / (a + 0.5)
        a += 1
    inverse = 1 / a
    series = 1 - inverse / 8 + inverse**2 / 128 + 5 * inverse**3 / 1024 - 21 * inverse**4 / 32768
    return factor * sqrt(a) * (series - 399 * inverse**5 / 262144 + 869 * inverse**6 / 4194304)


def _fraction(a: float, b: float, x: float) -> float:
    """Return the continued fraction of the incomplete beta function, by Lentz's method."""
    c, d = 1.0, 1 / (1 - (a + b) * x / (a + 1) or _TINY)
    result = d
    for m in range(1, 100_000):
        for numerator in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 / (1 + numerator * d or _TINY)
            c = 1 + numerator / c or _TINY
            factor = c * d
            result *= factor
        if abs(factor - 1) <= _EXACT:
            break
    return result


CONFIDENCE = 0.95
_ADDED = 2
"""The imagined values of `wilson_of_mean`. With two, the coverage equals Wilson's; see docs/analyze.md."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure with its 95 % interval, and what it rests on; None, never NaN, for undefined values.

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

    def text(self, factor: float = 1, digits: int = 2, *, sign: str = "", unit: str = "") -> str:
        """Return the figure with its interval, such as `0.52 (0.41 to 0.63)`; empty if it is not known.

        The unit stands behind the figure. With the sign `+`, a positive figure has its sign.
        """
        figure, span = self.figure(factor, digits, sign=sign), self.span(factor, digits)
        if not figure:
            return ""
        return f"{figure}{unit} ({span})" if span else f"{figure}{unit}"

    def figure(self, factor: float = 1, digits: int = 1, *, sign: str = "") -> str:
        """Return the figure alone, such as `0.5`; empty if it is not known."""
        return "" if self.estimate is None else f"{factor * self.estimate:{sign}.{digits}f}"

    def span(self, factor: float = 1, digits: int = 1, *, sign: str = "") -> str:
        """Return the interval alone, such as `0.4 to 0.6`; empty if it is not known."""
        if self.low is None or self.high is None:
            return ""
        return f"{factor * self.low:{sign}.{digits}f} to {factor * self.high:{sign}.{digits}f}"

    def share_text(self) -> str:
        """Return a share in percent, such as `52.0 % (41.0 to 63.0) of 20`; empty if it is not known."""
        return f"{self.text(100, 1, unit=' %')} of {self.samples}" if self.estimate is not None else ""


def wilson(successes: float, count: float) -> tuple[float, float]:
    """Return Wilson's interval of a rate; from 0 to 1 if nothing was counted."""
    if not count:
        return 0.0, 1.0
    z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
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
    mean = _mean_over(groups)
    if mean.estimate is None or mean.low is None or mean.standard_error is None:
        return mean
    if isinf(most):
        return replace(mean, low=max(least, mean.low))
    ends = [*(value for group in groups.values() for value in group), least, most]
    least, width = min(ends), max(ends) - min(ends)
    # in the mean, tasks with more samples have more weight: this is the equivalent number of equally weighted tasks
    size = mean.samples**2 / sum(len(group) ** 2 for group in groups.values())
    variance = (mean.standard_error / width) ** 2 * (1 - 1 / len(groups))
    low, high = wilson_of_mean((mean.estimate - least) / width, variance, size)
    return replace(mean, low=least + width * low, high=least + width * high)


def mean_of_means(
    groups: Iterable[Hashable], values: Iterable[float | None], *, least: float = 0.0, most: float = 1.0
) -> Estimate:
    """Return the mean of the means of groups, each with the same weight, with an interval between two bounds."""
    by_task_values = by_task(groups, values)
    mean = bounded_mean(by_task_values, map(fmean, by_task_values.values()), least=least, most=most)
    return replace(mean, samples=sum(map(len, by_task_values.values())))


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
    task_ids, wins = list(tasks), list(successes)
    by_repeats = bounded_mean if len(task_ids) > len(set(task_ids)) else success_rate
    return by_repeats(task_ids, wins, unmeasured)


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
    task_counts = {task: pair for task, pair in counts.items() if pair[0] >= k}
    mean = bounded_mean(task_counts, (chance(n, c) for n, c in task_counts.values()))
    return replace(mean, samples=sum(n for n, _ in task_counts.values()))


def _counts(
    tasks: Iterable[Hashable], successes: Iterable[float | None], unmeasured: Unmeasured = "left_out"
) -> dict[Hashable, tuple[int, int]]:
    """Return for each task its number of samples and of wins."""
    groups = by_task(tasks, successes, unmeasured)
    odd = {value for group in groups.values() for value in group} - {0.0, 1.0}
    if odd:
        raise ValueError(f"a sample must win (1) or not (0), and {min(odd)} is neither")
    return {task: (len(group), group.count(1.0)) for task, group in groups.items()}


def length_text(value: float | None) -> str:
    """Return a length as it is shown: in whole units, below ten with a digit more; empty if it is not known."""
    if value is None:
        return ""
    return f"{value:,.0f}" if value >= 10 else f"{value:.1f}".removesuffix(".0")
