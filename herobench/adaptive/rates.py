"""Rates of rare events with 95 % intervals, such as mistakes in decisions: runs stop by them, the analysis shows them.

The interval is that of Fay and Feuer (1997): a sum of rare amounts is taken for a gamma variable with the mean and the
variance of the sum. For single events that do not cluster it is near Garwood's exact interval of a Poisson count.

Tasks are the unit, since events cluster in them. Few tasks show badly how far tasks differ, so three things are added:
- The variance is raised, by as much as Student's interval is wider than a normal one.
- Each end imagines one more task: the lower one as far from the rate as the one with the fewest events for its length,
  the upper one twice as far as the one with the most. Clusters are skewed: most tasks have few events, and a task with
  many may not be among those that were asked.
- Few events do not show whether they cluster. Without any they are taken to come in pairs, and the more of them there
  are, the less that counts.

Coverage was measured with players of known skill: see tests/analysis/statistics/test_mistakes.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import exp, fsum, lgamma, log, sqrt
from statistics import NormalDist

_TAIL = 0.025
_NORMAL = NormalDist()
_SQUARE = _NORMAL.inv_cdf(1 - _TAIL) ** 2
_UNSEEN = 2
"""The upper end imagines an unseen task that is so many times as far from the rate as the worst task."""
_CLUSTER, _CLUSTER_EVENTS = 2.0, 5.0
"""The size of clusters that no event has refuted yet, and the number of events that count as much as this guess."""
_LARGE = 5_000
"""The shape from which on the cube of a normal variable has the quantiles of a gamma variable to six digits."""
_HALVINGS = 60
_NOTHING = 1e-3
"""A lower end below this part of the figure counts as 0. Four tasks of which one has all events give such an end."""


def rate_ends(events: Sequence[float], exposures: Sequence[float]) -> tuple[float, float]:
    """Return the ends of the interval of events per exposure, by the sums of two or more tasks."""
    count, exposure = fsum(events), fsum(exposures)
    gaps = [own - count * part / exposure for own, part in zip(events, exposures, strict=True)]
    spread = clustered_variance(events, exposures, count)
    cluster = spread / count if count else _CLUSTER
    low, high = gamma_ends(count, spread, min(gaps), max(cluster, _UNSEEN * max(gaps)))
    return low / exposure, high / exposure


def clustered_variance(events: Sequence[float], exposures: Sequence[float], single: float) -> float:
    """Return the variance of all events, of which `single` is that of events that do not cluster."""
    count, exposure = fsum(events), fsum(exposures)
    # long tasks have more weight, as fewer would
    size = exposure**2 / fsum(part**2 for part in exposures)
    excess = max(0.0, variance_of_sum(events, exposures) - single) * few_tasks(size)
    guess = single * (_CLUSTER - 1) * _CLUSTER_EVENTS / (_CLUSTER_EVENTS + count)
    return single + max(excess, guess)


def variance_of_sum(events: Sequence[float], exposures: Sequence[float]) -> float:
    """Return the variance of all events as far as tasks differ in their rates."""
    rate = fsum(events) / fsum(exposures)
    squares = fsum((own - rate * part) ** 2 for own, part in zip(events, exposures, strict=True))
    return squares * len(events) / (len(events) - 1)


def few_tasks(size: float) -> float:
    """Return how many times the variance that so many tasks show is raised: the square of Student's quantile over that
    of the normal one, to 1 % from four tasks on."""
    freedom = max(1.0, size - 1)
    return freedom * (exp(_SQUARE / (freedom - 0.4)) - 1) / _SQUARE


def gamma_ends(total: float, variance: float, less: float, more: float) -> tuple[float, float]:
    """Return the interval of a sum of rare amounts. Its ends imagine one more amount, of so much less or more."""
    low = _gamma_quantile(_TAIL, total, variance + less**2) if total else 0.0
    low = low if low > _NOTHING * total else 0.0
    # one more amount as large as the others raises the shape by 1, as Garwood's upper end does
    return low, _gamma_quantile(1 - _TAIL, total + more, variance + more**2)


def _gamma_quantile(probability: float, mean: float, variance: float) -> float:
    """Return the quantile of a gamma variable with this mean and variance."""
    if variance <= mean**2 / _LARGE:
        return _by_cube(probability, mean, variance)
    return _standard_quantile(probability, mean**2 / variance) * variance / mean


def _by_cube(probability: float, mean: float, variance: float) -> float:
    """Return the quantile after Wilson and Hilferty: the cube root is nearly normal."""
    part = variance / (9 * mean**2)
    return mean * (1 - part + _NORMAL.inv_cdf(probability) * sqrt(part)) ** 3


@lru_cache(1024)  # a page tells of the same counts at several places
def _standard_quantile(probability: float, shape: float) -> float:
    """Return the quantile of a gamma variable with the scale 1."""
    low = exp((log(probability) + lgamma(shape + 1)) / shape)
    high = 2 * low + 1e-300
    while _gamma_part(shape, high) < probability:
        low, high = high, 2 * high
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if _gamma_part(shape, middle) < probability:
            low = middle
        else:
            high = middle
    return high


def _gamma_part(shape: float, value: float) -> float:
    """Return the probability that a gamma variable with the scale 1 is at most this value."""
    term = total = 1.0
    number = shape
    while term > 1e-17 * total:
        number += 1
        term *= value / number
        total += term
    return exp(shape * log(value) - value - lgamma(shape + 1)) * total
