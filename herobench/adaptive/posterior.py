"""Computes how likely each horizon is after some verdicts, on a grid of curves.

A curve says how success falls with the length of a task. It has a horizon (the length at which half of the tasks are
won), a slope (the change of the log-odds for each doubling of the length) and a lapse rate: the share of failures that
length does not explain, such as a spoiled format. The grid has every combination of some horizons, slopes and lapse
rates, and a weight for each. So the posterior is exact up to the step of the grid, needs no search, and is the same
whenever it is computed.

The interval of the horizon is the equal-tailed one of the posterior. It does not depend on the rule by which a run
stopped, as a bootstrap's does. docs/horizon.md has its coverage. The attempts of one task count as one task together.

Runs choose their tasks by it, and the analysis shows it: neither may import the other, so it stands here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

CONFIDENCE = 0.95
_STEP = 1 / 12
"""Doublings between two horizons of the grid."""
_MARGIN = 4.0
"""Doublings by which the horizons of the grid go beyond the shortest and the longest task."""
_SLOPES = np.geomspace(0.25, 5.0, 13)
_LAPSES = np.array([0.0, 0.04, 0.09, 0.18])
_LAPSE_WEIGHTS = np.array([0.5, 0.3, 0.15, 0.05])
_FLOORS = np.array([0.55, 0.6, 0.7])
"""The shares of wins down to which curves fall that never come to a half."""
_LEVEL_SLOPES = np.array([1.0, 2.0, 5.0, 20.0])
_LEVEL_LAPSES = np.array([0.0, 0.05])
_LEVEL_STEPS = 21
"""The places at which such curves fall, evenly from the shortest to the longest task."""
_LIKELIER = float(np.log(2))
"""They have to make the wins twice as likely, so that curves that do fall through a half are hardly ever mistaken."""
_NEVER = 1e-6
"""No curve is surer than this of a win or a loss."""
_GROUPS = 8
"""Groups of tasks by length in which wins and their expected number are compared."""
_REPLICAS = 2000
_LEAST_CHANCE = 0.005
"""A curve does not fit if wins that it explains would differ as much as these in fewer cases."""


@dataclass(frozen=True, eq=False, slots=True)
class Curves:
    """A grid of curves. Its arrays have an entry for each curve."""

    horizons: Array
    """log2 of the length at which half of the tasks are won, lapses included."""
    slopes: Array
    lapses: Array
    prior: Array
    """The logarithm of each curve's weight before any verdict."""
    floors: Array | float = 0.0
    """The share of wins down to which success falls. Above 0, `horizons` are about the middles of the falls."""

    def chances(self, x: float | Array) -> Array:
        """Return the success of each curve at the log2 of a length; of several lengths in a column, a row for each."""
        steep = -self.slopes * (x - self.horizons) - np.log1p(-2 * self.lapses)
        with np.errstate(over="ignore"):
            chances = self.floors + (1 - self.lapses - self.floors) / (1 + np.exp(-steep))
        return np.asarray(np.clip(chances, _NEVER, 1 - _NEVER), dtype=np.float64)


@lru_cache(maxsize=8)
def curves_between(shortest: float, longest: float) -> Curves:
    """Return the curves for tasks whose lengths have these log2."""
    steps = np.arange(np.floor((shortest - _MARGIN) / _STEP), np.ceil((longest + _MARGIN) / _STEP) + 1)
    horizons, slopes, lapses = np.meshgrid(steps * _STEP, _SLOPES, _LAPSES, indexing="ij")
    weights = np.broadcast_to(np.log(_LAPSE_WEIGHTS), horizons.shape)
    return Curves(horizons.ravel(), slopes.ravel(), lapses.ravel(), weights.ravel())


def level_curves(shortest: float, longest: float) -> Curves:
    """Return the curves that fall between these log2 of lengths, but never to a half, such as a step."""
    middles = np.linspace(shortest, longest, _LEVEL_STEPS)
    grid = np.meshgrid(middles, _LEVEL_SLOPES, _LEVEL_LAPSES, _FLOORS, indexing="ij")
    places, slopes, lapses, floors = (values.ravel() for values in grid)
    return Curves(places, slopes, lapses, np.full(len(places), -np.log(len(places))), floors)


@lru_cache(maxsize=400)
def log_chances(curves: Curves, x: float) -> tuple[Array, Array]:
    """Return the logarithms of success and of failure of each curve at the log2 of a length."""
    chances = curves.chances(x)
    return np.log(chances), np.log1p(-chances)


class Interval(NamedTuple):
    """The horizon and the ends of its interval, as lengths."""

    horizon: float
    low: float
    high: float

    @property
    def factor(self) -> float:
        """The factor between the two ends."""
        return self.high / self.low


class Posterior:
    """The weights of curves after the verdicts of tasks."""

    def __init__(self, curves: Curves, x: Sequence[float] = (), won: Sequence[float] = ()) -> None:
        """`x` are the log2 of the tasks' lengths, `won` the share of attempts that won each."""
        self.curves = curves
        self.x, self.won = np.array(x, dtype=np.float64), np.array(won, dtype=np.float64)
        self._log = curves.prior.copy()
        # equal lengths are one term, added by length: the order of the verdicts changes no digit
        lengths, place = np.unique(self.x, return_inverse=True)
        wins, tasks = np.bincount(place, self.won), np.bincount(place)
        for length, win, count in zip(lengths, wins, tasks, strict=True):
            success, failure = log_chances(curves, float(length))
            self._log += win * success + (count - win) * failure

    @cached_property
    def weights(self) -> Array:
        """The weights of the curves. They add up to 1."""
        weights = np.exp(self._log - self._log.max())
        return np.asarray(weights / weights.sum(), dtype=np.float64)

    @cached_property
    def expected(self) -> Array:
        """The success that the curves expect of each task."""
        lengths, place = np.unique(self.x, return_inverse=True)
        return np.array([self.weights @ self.curves.chances(float(length)) for length in lengths])[place]

    def interval(self) -> Interval:
        """Return the median horizon and the ends of its 95 % interval."""
        horizons, place = np.unique(self.curves.horizons, return_inverse=True)
        # each horizon of the grid stands for the lengths half a step around it
        below = np.cumsum(np.bincount(place, self.weights))
        tail = (1 - CONFIDENCE) / 2
        ends = np.interp([0.5, tail, 1 - tail], below, horizons + _STEP / 2)
        return Interval(*(float(2.0**end) for end in ends))

    def slope(self) -> float:
        """Return the mean slope of the curves, on the scale of logarithms."""
        return float(np.exp(self.weights @ np.log(self.curves.slopes)))

    def lapse(self) -> float:
        """Return the mean lapse rate of the curves."""
        return float(self.weights @ self.curves.lapses)

    @cached_property
    def levels_off(self) -> bool:
        """True if curves that never fall to a half explain the wins better than those that do so at a measured length.

        A model that wins all short tasks and 60 % of the long ones looks like one whose success falls very gently.
        """
        if not len(self.x):
            return False
        lengths, place = np.unique(self.x, return_inverse=True)
        wins, tasks = np.bincount(place, self.won), np.bincount(place)
        level = level_curves(lengths[0], lengths[-1])
        chances = level.chances(lengths[:, None])
        # this adds in the same order on all machines
        logs = np.einsum("l,lc->c", wins, np.log(chances)) + np.einsum("l,lc->c", tasks - wins, np.log1p(-chances))
        is_inside = (self.curves.horizons >= lengths[0] - _STEP) & (self.curves.horizons <= lengths[-1] + _STEP)
        falling = np.logaddexp.reduce(self._log[is_inside]) - np.logaddexp.reduce(self.curves.prior[is_inside])
        return bool(np.logaddexp.reduce(logs + level.prior) > falling + _LIKELIER)

    @cached_property
    def fits(self) -> bool:
        """True if the curves explain the wins, or if there are too few tasks to tell.

        The surplus of wins over their expected number is squared and added up over groups of tasks by length, and
        compared with that of drawn wins.
        """
        if len(self.x) < 2 * _GROUPS:
            return True
        _, place, counts = np.unique(self.x, return_inverse=True, return_counts=True)
        # tasks of one length are in one group, whatever their order
        groups = (_GROUPS * (np.cumsum(counts) - counts / 2) / len(self.x)).astype(int)[place]
        order = np.argsort(place, kind="stable")
        starts = np.unique(groups[order], return_index=True)[1]
        expected = self.expected[order]
        spread = np.add.reduceat(expected * (1 - expected), starts) + 1e-3

        def surprise(won: Array) -> Array:
            return np.asarray((np.add.reduceat(won - expected, starts, axis=-1) ** 2 / spread).sum(-1))

        draws = (np.random.default_rng(_GROUPS).random((_REPLICAS, len(order))) < expected).astype(np.float64)
        return bool((surprise(draws) >= surprise(self.won[order])).mean() >= _LEAST_CHANCE)
