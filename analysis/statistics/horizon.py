"""The horizon: the length of a task at which a model succeeds half the time.

Success is fitted by logistic regression on log2 of the length, by Firth's method. `h50` is the length at which the
curve passes 50 %, `h80` the one at which it passes 80 %. Intervals are of 95 %, by a bootstrap over tasks: all epochs
of a task are drawn together, because repeats are no new evidence. The draws have a fixed seed, so the same samples give
the same figures.

Nothing here knows what a length is: the suite's reading names the column. A figure that the samples do not support is
not given: see `Verdict`. Coverage was measured on simulated models, see docs/horizon.md.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from math import ceil, floor, log, log2
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from herobench.adaptive.goal import LEAST_TASKS
from herobench.analysis.reading.interval import CONFIDENCE, Estimate

Verdict = Literal["determined", "below the range", "beyond the range", "not determined"]
"""Says whether the samples determine the horizon.

- `below the range`: even at the shortest tasks the fitted success is under 50 %. A figure is an extrapolation.
- `beyond the range`: even at the longest tasks it is over 50 %. A figure is an extrapolation.
- `not determined`: there are too few tasks, success does not surely fall with length, or the interval covers all
  lengths.
"""

DRAWS = 2000
_SEED = 50
_TAIL = (1 - CONFIDENCE) / 2
_FAR = 10.0
"""Doublings outside the measured lengths after which a horizon counts as unbounded."""
_GROUPS = 10
"""The groups of tasks by length in which fitted and observed success are compared."""
_POINTS = 49
"""The points of a curve that is drawn."""


@dataclass(frozen=True, slots=True)
class Horizon:
    """The horizon of some samples. An end of an interval is None where it is unbounded or unknown."""

    verdict: Verdict
    h50: Estimate
    h80: Estimate
    slope: Estimate
    """The change of the log-odds of success for each doubling of the length."""
    auc: float | None
    """The chance that a won sample was shorter than a lost one: 0.5 if length tells nothing, 1 if it tells all."""
    calibration_error: float | None
    """The mean distance between fitted and observed success over ten groups of tasks by length, in percent."""
    shortest: float | None
    longest: float | None
    unmeasured: int
    """Samples left out because they got no reply."""
    without_length: int
    """Measured samples left out because their task has no length."""

    def as_row(self) -> dict[str, Any]:
        """Return the figures as plain data."""
        return asdict(self)


class CurvePoint(NamedTuple):
    """The fitted success at a length, with the interval of the curve; from 0 to 1."""

    length: float
    success: float
    low: float
    high: float


class TaskPoint(NamedTuple):
    """Tasks of one length that are won equally often."""

    length: float
    success: float
    """The share of attempts that won."""
    tasks: int


@dataclass(frozen=True, slots=True)
class Trials:
    """The measured samples of tasks with a length: one entry for each task."""

    tasks: tuple[Hashable, ...]
    x: Array
    """log2 of the task's length."""
    attempts: Array
    wins: Array
    unmeasured: int
    without_length: int

    @property
    def vary(self) -> bool:
        """True if some samples won and some lost."""
        return bool(0 < self.wins.sum() < self.attempts.sum())

    def columns(self) -> Array:
        """Return a row for each task: log2 of its length, attempts and wins."""
        return np.column_stack([self.x, self.attempts, self.wins])

    def points(self) -> list[TaskPoint]:
        """Return the tasks as points of a chart. Tasks with equal length and share of wins are one point."""
        alike = np.column_stack([self.x, self.wins / self.attempts])
        cells, counts = np.unique(alike, axis=0, return_counts=True)
        return [
            TaskPoint(float(2.0**x), float(share), int(count)) for (x, share), count in zip(cells, counts, strict=True)
        ]

    def only(self, numbers: Sequence[int]) -> Trials:
        """Return the tasks with these numbers."""
        chosen = np.array(numbers, dtype=np.intp)
        tasks = tuple(self.tasks[number] for number in numbers)
        return replace(self, tasks=tasks, x=self.x[chosen], attempts=self.attempts[chosen], wins=self.wins[chosen])


@dataclass(frozen=True, slots=True)
class Fit:
    """The curve that was fitted, and its bootstrap draws. Log-odds at x are intercept + slope (x - center)."""

    trials: Trials
    center: float
    intercepts: Array
    """The first is of the samples themselves, the others are of the draws."""
    slopes: Array
    crossings: Array
    """log2 of the length at which each curve falls to 50 %.

    Infinite if the curve is above 50 %, or below, at all lengths; nan if it rises to 50 %.
    """

    def curve(self) -> list[CurvePoint]:
        """Return points of the curve, evenly over the logarithm of the lengths; none if all is won, or all lost."""
        if not self.trials.vary:
            return []
        x = np.linspace(self.trials.x.min(), self.trials.x.max(), _POINTS)
        success = chance(self.intercepts[:, None] + self.slopes[:, None] * (x - self.center))
        low, high = ends(success[1:])
        points = zip(np.exp2(x), success[0], low, high, strict=True)
        return [CurvePoint(*map(float, point)) for point in points]


def estimate_horizon(
    tasks: Iterable[Hashable], lengths: Iterable[float | None], wins: Iterable[float | None]
) -> Horizon:
    """Return the horizon of some samples: the task of each, its length, and 1 if won, 0 if lost, None if unmeasured."""
    trials = count_trials(tasks, lengths, wins)
    return horizon_in(trials, fit_curve(trials))


def count_trials(tasks: Iterable[Hashable], lengths: Iterable[float | None], wins: Iterable[float | None]) -> Trials:
    """Add up the samples of each task. Samples without an outcome or a length are counted and left out."""
    counts: dict[Hashable, list[float]] = {}
    unmeasured = without_length = 0
    for task, length, won in zip(tasks, lengths, wins, strict=True):
        if won is None:
            unmeasured += 1
        elif length is None or length <= 0:
            without_length += 1
        else:
            told = counts.setdefault(task, [log2(length), 0.0, 0.0])
            # a task is as long as the shortest plan that any of its samples knows
            told[:] = min(told[0], log2(length)), told[1] + 1, told[2] + won
    x, attempts, won_of = np.array(list(counts.values()), dtype=np.float64).reshape(-1, 3).T
    return Trials(tuple(counts), x, attempts, won_of, unmeasured, without_length)


def fit_curve(trials: Trials, draws: int = DRAWS) -> Fit | None:
    """Return the curve of some trials; None with fewer tasks than a verdict needs."""
    if len(trials.x) < LEAST_TASKS:
        return None
    cells, weights = drawn(trials.columns(), draws)
    return fitted(trials, cells, weights)


def drawn(tasks: Array, draws: int = DRAWS) -> tuple[Array, Array]:
    """Return the distinct rows of some tasks, and how often each is drawn: a first row without chance, then the draws.

    Equal tasks are drawn as one, so that neither their order nor their names matter.
    """
    cells, counts = np.unique(tasks, axis=0, return_counts=True)
    chances = np.random.default_rng(_SEED).multinomial(len(tasks), counts / len(tasks), size=draws)
    return cells, np.concatenate([counts[None], chances]).astype(np.float64)


def fitted(trials: Trials, cells: Array, weights: Array) -> Fit:
    """Fit a curve to each row of weights; a cell is the log2 of a length, attempts and wins."""
    x, attempts, wins = cells.T
    center = float(trials.x.min() + trials.x.max()) / 2
    tried, won = weights * attempts, weights * wins
    intercepts, slopes = fit(x - center, tried, won)
    half_range = float(np.ptp(trials.x)) / 2
    # if all is won, or all lost, the prior still gives a slope, and it means nothing
    all_won, all_lost = won.sum(1) == tried.sum(1), won.sum(1) == 0
    with np.errstate(divide="ignore", invalid="ignore"):
        crossings = np.select(
            [
                all_won | ((slopes >= 0) & (intercepts > slopes * half_range)),
                all_lost | ((slopes >= 0) & (intercepts < -slopes * half_range)),
                slopes < 0,
            ],
            [np.inf, -np.inf, center - intercepts / slopes],
            np.nan,
        )
    return Fit(trials, center, intercepts, slopes, crossings)


def horizon_in(trials: Trials, curve: Fit | None) -> Horizon:
    """Return the horizon that a curve tells."""
    nothing, known = as_estimate(trials), len(trials.x) > 0
    found = Horizon(
        verdict="not determined",
        h50=nothing,
        h80=nothing,
        slope=nothing,
        auc=None,
        calibration_error=None,
        shortest=float(np.exp2(trials.x.min())) if known else None,
        longest=float(np.exp2(trials.x.max())) if known else None,
        unmeasured=trials.unmeasured,
        without_length=trials.without_length,
    )
    if curve is None:
        return found
    if trials.vary:
        slope = as_estimate(trials, float(curve.slopes[0]), *map(float, ends(curve.slopes[1:])))
        found = replace(found, slope=slope, auc=_auc(trials), calibration_error=_calibration_error(curve))
    verdict = _verdict(curve)
    if verdict == "not determined":
        return found
    # 80 % are passed where the log-odds are higher by log(4) than at 50 %
    earlier = log(4) / np.where(curve.slopes < 0, curve.slopes, -np.inf)
    return replace(found, verdict=verdict, h50=_length(curve, 0), h80=_length(curve, earlier))


def ends(draws: Array) -> tuple[Array, Array]:
    """Return the ends of the 95 % interval of draws, for each of their columns."""
    ordered = np.sort(draws, axis=0)
    last = len(ordered) - 1
    return ordered[floor(_TAIL * last)], ordered[ceil((1 - _TAIL) * last)]


def span(crossings: Array) -> tuple[Array, Array]:
    """Return the ends of the interval of crossings. A draw whose curve rises to 50 % could be at either end."""
    rises = np.isnan(crossings)
    return ends(np.where(rises, -np.inf, crossings))[0], ends(np.where(rises, np.inf, crossings))[1]


def as_estimate(
    trials: Trials, value: float | None = None, low: float | None = None, high: float | None = None
) -> Estimate:
    """Return a figure with what it rests on."""
    return Estimate(value, low, high, samples=int(trials.attempts.sum()), tasks=len(trials.x))


# -- parts of a horizon -----------------------------------------------------------------------------------------------


def _verdict(curve: Fit) -> Verdict:
    shortest, longest = curve.trials.x.min(), curve.trials.x.max()
    crossing, (low, high) = curve.crossings[0], span(curve.crossings[1:])
    if low <= shortest and high >= longest:
        return "not determined"
    if crossing > longest:
        return "beyond the range"
    if crossing < shortest:
        return "below the range"
    return "determined" if ends(curve.slopes[1:])[1] < 0 else "not determined"


def _length(curve: Fit, earlier: Array | int) -> Estimate:
    """Return the length at which success passes a level, `earlier` doublings before the one of 50 %."""
    x = curve.crossings + earlier
    shortest, longest = curve.trials.x.min(), curve.trials.x.max()

    def known(value: float) -> float | None:
        return 2.0**value if shortest - _FAR <= value <= longest + _FAR else None

    low, high = span(x[1:])
    return as_estimate(curve.trials, *(known(float(value)) for value in (x[0], low, high)))


def _auc(trials: Trials) -> float:
    """Return the chance that a won sample is of a shorter task than a lost one; equal lengths count half."""
    _, place = np.unique(trials.x, return_inverse=True)
    wins = np.bincount(place, trials.wins)
    losses = np.bincount(place, trials.attempts - trials.wins)
    longer = losses.sum() - np.cumsum(losses)
    return float(wins @ (longer + losses / 2) / (wins.sum() * losses.sum()))


def _calibration_error(curve: Fit) -> float:
    trials = curve.trials
    x, place, counts = np.unique(trials.x, return_inverse=True, return_counts=True)
    # tasks of one length are in one group
    groups = (_GROUPS * (np.cumsum(counts) - counts / 2) / len(trials.x)).astype(int)
    attempts = np.bincount(place, trials.attempts)
    success = chance(curve.intercepts[0] + curve.slopes[0] * (x - curve.center))
    surplus = np.bincount(groups, np.bincount(place, trials.wins) - success * attempts)
    return float(100 * np.abs(surplus).sum() / attempts.sum())


Array = NDArray[np.float64]

_MOST_STEPS = 100
_LONGEST_STEP = 2.0
_DONE = 1e-7
_RIDGE = 1e-9
"""A part of the information that is added to it, so that it can be inverted if all x are the same."""
_AT_ONCE = 250
"""Copies that are fitted together: their arrays fit into the cache of a processor."""


def fit(x: Array, attempts: Array, wins: Array) -> tuple[Array, Array]:
    """Return intercept and slope for each row of attempts and wins, which has a value for each x.

    Center and scale x to about 1 before: the steps of the search are bounded.
    """
    parts = [
        _fit(x, attempts[start : start + _AT_ONCE], wins[start : start + _AT_ONCE])
        for start in range(0, len(attempts), _AT_ONCE)
    ]
    intercepts, slopes = zip(*parts, strict=True)
    return np.concatenate(intercepts), np.concatenate(slopes)


def chance(score: Array) -> Array:
    """Return the chance of a win from its log-odds."""
    # exp overflows to infinity far below 0, where the chance is 0 to every digit
    with np.errstate(over="ignore"):
        return np.asarray(1 / (1 + np.exp(-score)), dtype=np.float64)


def _fit(x: Array, attempts: Array, wins: Array) -> tuple[Array, Array]:
    """Return intercepts and slopes by Newton's method, with steps of bounded length."""
    ones, square = np.ones_like(x), x * x
    intercepts, slopes = np.zeros(len(attempts)), np.zeros(len(attempts))
    open_rows = np.arange(len(attempts))
    for _ in range(_MOST_STEPS):
        tried = attempts[open_rows]
        p = chance(intercepts[open_rows, None] + slopes[open_rows, None] * x)
        # the information matrix ((s0, s1), (s1, s2)) and its determinant
        weight = tried * p * (1 - p)
        s0, s1, s2 = (_sums(weight, power) for power in (ones, x, square))
        ridge = _RIDGE * (s0 + s2)
        s0, s2 = s0 + ridge, s2 + ridge
        det = s0 * s2 - s1 * s1
        # Firth adds half a win and half a loss to each point, by its leverage
        a, b, c = (np.divide(part, det)[:, None] for part in (s2, -2 * s1, s0))
        leverage = weight * (a + x * (b + c * x))
        residual = wins[open_rows] - tried * p + leverage * (0.5 - p)
        u0, u1 = _sums(residual, ones), _sums(residual, x)
        steps = np.array([(s2 * u0 - s1 * u1) / det, (s0 * u1 - s1 * u0) / det])
        largest = np.abs(steps).max(0)
        steps *= np.minimum(1, _LONGEST_STEP / np.maximum(largest, _LONGEST_STEP))
        intercepts[open_rows] += steps[0]
        slopes[open_rows] += steps[1]
        open_rows = open_rows[largest > _DONE]
        if not len(open_rows):
            break
    return intercepts, slopes


def _sums(rows: Array, weights: Array) -> Array:
    """Return the weighted sum of each row. Unlike a product of matrices it adds in the same order on all machines."""
    return np.asarray(np.einsum("ij,j->i", rows, weights), dtype=np.float64)
