"""The horizon: the length of a task at which a model succeeds half the time.

Curves of success over log2 of the length are weighed by the verdicts: the posterior by which `--until` chooses tasks
and stops (`herobench.adaptive.posterior`). So every command quotes the same interval of a run. `h50` is the length at
which half of the tasks are won, `h80` the one at which four of five are. Tasks are the unit: epochs of a task count as
fewer tasks the more they are alike, see `_effective_tasks`.

Nothing here knows what a length is: the suite's reading names the column. A figure that the samples do not support is
not given: see `Verdict`. Coverage was measured on simulated models, see docs/horizon.md.
"""

from __future__ import annotations

from collections.abc import Container, Hashable, Iterable
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from math import log2, sqrt
from typing import Any, Literal, NamedTuple

import numpy as np

from herobench.adaptive.goal import LEAST_TASKS
from herobench.adaptive.posterior import Array, Curves, Posterior, curves_between, log_chances
from herobench.analysis.reading.interval import CONFIDENCE, Estimate, two_sided_p

Verdict = Literal["determined", "below the range", "beyond the range", "not determined"]
"""Says whether the samples determine the horizon.

- `below the range`: even at the shortest tasks the success is under 50 %.
- `beyond the range`: even at the longest tasks it is over 50 %.
- `not determined`: see `Reason`.

Only a determined horizon has a figure: its curve falls through a half within the lengths.
"""
Reason = Literal["few tasks", "no curve fits", "no half", "does not fall", "won nothing", "covers all lengths"]
"""Says why there is no figure, or which shape was seen in its place.

- `few tasks`: fewer than 40 measured tasks have a length.
- `no curve fits`: the wins at each length are not as the curves expect.
- `no half`: success falls with length, but never below a half.
- `does not fall`: success does not surely fall with length. It is about the same at all lengths.
- `won nothing`: all tasks were lost.
- `covers all lengths`: the interval does.
"""

_TAIL = (1 - CONFIDENCE) / 2
PARTS = (0.5, _TAIL, 1 - _TAIL)
"""The parts of the weight below a figure, and below the ends of its interval."""
_OPEN = 0.01
"""An interval is open at an end of the grid that has this part of the weight of the likeliest horizon, or more."""
_GROUPS = 10
"""The groups of tasks by length in which fitted and observed success are compared."""
_POINTS = 49
"""The points of a curve that is drawn."""


@dataclass(frozen=True, slots=True)
class Horizon:
    """The horizon of some samples. An end of an interval is None where it is unbounded or unknown."""

    verdict: Verdict
    reason: Reason | None
    """Why there is no figure; None if it is determined, or if the verdict says all."""
    h50: Estimate
    h80: Estimate
    slope: Estimate
    """The change of the log-odds of success for each doubling of the length, apart from lapses."""
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


class CurvePoint(NamedTuple):
    """The success at a length, with the interval of the curve; from 0 to 1."""

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
    """The measured samples of tasks with a length: one entry for each task, the shortest first."""

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

    @property
    def shares(self) -> Array:
        """The share of attempts that won each task."""
        return np.asarray(self.wins / self.attempts, dtype=np.float64)

    def points(self) -> list[TaskPoint]:
        """Return the tasks as points of a chart. Tasks with equal length and share of wins are one point."""
        alike = np.column_stack([self.x, self.shares])
        cells, counts = np.unique(alike, axis=0, return_counts=True)
        return [
            TaskPoint(float(2.0**x), float(share), int(count)) for (x, share), count in zip(cells, counts, strict=True)
        ]

    def only(self, tasks: Container[Hashable]) -> Trials:
        """Return the trials of these tasks."""
        places = [number for number, task in enumerate(self.tasks) if task in tasks]
        kept_tasks = tuple(self.tasks[number] for number in places)
        return replace(self, tasks=kept_tasks, x=self.x[places], attempts=self.attempts[places], wins=self.wins[places])


@dataclass(frozen=True, slots=True)
class Fit:
    """The curves by how likely some trials leave them."""

    trials: Trials
    known: Posterior
    levels_off: bool = False
    """True if the wins are rather those of a curve that never falls to a half."""

    def curve(self) -> list[CurvePoint]:
        """Return points of the curve, evenly over the logarithm of the lengths; none if all is won, or all lost."""
        if not self.trials.vary:
            return []
        points, weights = [], self.known.weights
        for x in np.linspace(self.trials.x.min(), self.trials.x.max(), _POINTS):
            success = _quantiles(self.known.curves.chances(float(x)), weights)
            points.append(CurvePoint(float(2.0**x), *map(float, success)))
        return points

    def marginal(self) -> tuple[Array, Array]:
        """Return log2 of each horizon of the grid, and its weight."""
        horizons, place = np.unique(self.known.curves.horizons, return_inverse=True)
        return horizons, np.bincount(place, self.known.weights).astype(np.float64)

    def is_open(self) -> tuple[bool, bool]:
        """Return whether the verdicts leave the horizon without a lower end, and without an upper one."""
        _, weights = self.marginal()
        return bool(weights[0] >= _OPEN * weights.max()), bool(weights[-1] >= _OPEN * weights.max())

    def surplus(self) -> Array:
        """Return for each task the share of attempts that won less the share that the curves expect."""
        return np.asarray(self.trials.shares - self.known.expected, dtype=np.float64)


def drawn_horizon(trials: Trials) -> dict[str, Any]:
    """Return the horizon of some trials as plain data, with the curve and the tasks that a page draws."""
    fit = fit_curve(trials)
    return {**asdict(horizon_in(trials)), "curve": fit.curve() if fit else [], "points": trials.points()}


def count_trials(tasks: Iterable[Hashable], lengths: Iterable[float | None], wins: Iterable[float | None]) -> Trials:
    """Add up the samples of each task. Samples without an outcome or a length are counted and left out."""
    counts: dict[Hashable, list[float]] = {}
    unmeasured = without_length = 0
    for task, length, is_win in zip(tasks, lengths, wins, strict=True):
        if is_win is None:
            unmeasured += 1
        elif length is None or length <= 0:
            without_length += 1
        else:
            totals = counts.setdefault(task, [log2(length), 0.0, 0.0])
            # a task is as long as the shortest plan that any of its samples knows
            totals[:] = min(totals[0], log2(length)), totals[1] + 1, totals[2] + is_win
    # in an order of their own, so that the order of the samples changes no digit of a sum
    task_order = sorted(counts, key=counts.__getitem__)
    x, attempts, wins = np.array([counts[task] for task in task_order], dtype=np.float64).reshape(-1, 3).T
    return Trials(tuple(task_order), x, attempts, wins, unmeasured, without_length)


def fit_curve(trials: Trials) -> Fit | None:
    """Return the curves of some trials; None with fewer tasks than a verdict needs."""
    if len(trials.x) < LEAST_TASKS:
        return None
    return Fit(trials, *_fit_packed(*(values.tobytes() for values in (trials.x, trials.attempts, trials.wins))))


@lru_cache(maxsize=32)  # a page tells of the same trials at several places
def _fit_packed(*packed_trials: bytes) -> tuple[Posterior, bool]:
    """Return how likely each curve is by the lengths, attempts and wins of tasks, and whether success levels off."""
    x, attempts, wins = (np.frombuffer(values) for values in packed_trials)
    curves = curves_between(float(x.min()), float(x.max()))
    lengths, place = np.unique(x, return_inverse=True)
    trials = Trials((), x, attempts, wins, 0, 0)
    once = Posterior(curves, x.tolist(), trials.shares.tolist())
    worth = _effective_tasks(Fit(trials, once)) - 1
    if not worth.any():
        return once, once.levels_off
    # the posterior counts each task once: what epochs tell beyond that comes as what was known before
    prior = curves.prior.copy()
    more_wins, losses = np.bincount(place, worth * trials.shares), np.bincount(place, worth * (1 - trials.shares))
    for length, more_won, more_lost in zip(lengths, more_wins, losses, strict=True):
        success, failure = log_chances(curves, float(length))
        prior += more_won * success + more_lost * failure
    return Posterior(replace(curves, prior=prior), x.tolist(), once.won.tolist()), once.levels_off


def _effective_tasks(once: Fit) -> Array:
    """Return as how many tasks each task counts: the number of its attempts if they are independent, or fewer.

    Attempts at one task are alike, since it is harder or easier than others of its length. With the correlation r of
    two attempts, n of them tell as much as n / (1 + (n - 1) r) tasks. r comes from all pairs of attempts at a task.
    """
    attempts, shares = once.trials.attempts, once.trials.shares
    if (attempts == 1).all():
        return attempts
    expected_shares = shares - once.surplus()
    squares = attempts * (shares * (1 - expected_shares) ** 2 + (1 - shares) * expected_shares**2)
    pairs = (attempts * once.surplus()) ** 2 - squares
    alike = pairs.sum() / (attempts * (attempts - 1) * expected_shares * (1 - expected_shares)).sum()
    return np.asarray(attempts / (1 + (attempts - 1) * np.clip(alike, 0, 1)), dtype=np.float64)


def horizon_in(trials: Trials) -> Horizon:
    """Return the horizon that the curves of some trials tell."""
    nothing, has_trials = as_estimate(trials), len(trials.x) > 0
    horizon = Horizon(
        verdict="not determined",
        reason="few tasks",
        h50=nothing,
        h80=nothing,
        slope=nothing,
        auc=None,
        calibration_error=None,
        shortest=float(np.exp2(trials.x.min())) if has_trials else None,
        longest=float(np.exp2(trials.x.max())) if has_trials else None,
        unmeasured=trials.unmeasured,
        without_length=trials.without_length,
    )
    if (fit := fit_curve(trials)) is None:
        return horizon
    if trials.vary:
        horizon = replace(horizon, slope=_slope(fit), auc=_auc(trials), calibration_error=_calibration_error(fit))
    verdict, reason = _verdict(fit)
    horizon = replace(horizon, verdict=verdict, reason=reason)
    if verdict == "not determined" or not trials.vary:
        return horizon
    h50 = _length(fit, *fit.known.interval())
    if verdict == "beyond the range":
        return replace(horizon, h50=replace(h50, estimate=None, high=None))
    if verdict == "below the range":
        return replace(horizon, h50=replace(h50, estimate=None, low=None))
    h80 = np.exp2(_quantiles(_four_of_five(fit.known.curves), fit.known.weights))
    return replace(horizon, h50=h50, h80=_length(fit, *map(float, h80)))


def as_estimate(
    trials: Trials, value: float | None = None, low: float | None = None, high: float | None = None
) -> Estimate:
    """Return a figure with what it rests on."""
    return Estimate(value, low, high, samples=int(trials.attempts.sum()), tasks=len(trials.x))


# -- parts of a horizon -----------------------------------------------------------------------------------------------


def _verdict(fit: Fit) -> tuple[Verdict, Reason | None]:
    trials, (horizon, low, high) = fit.trials, fit.known.interval()
    shortest, longest = np.exp2([trials.x.min(), trials.x.max()])
    falls = _falls(trials)
    if not trials.wins.any():
        return "below the range", "won nothing"
    if falls and fit.levels_off:
        return "beyond the range", "no half"
    if not fit.known.fits:
        return "not determined", "does not fall" if not falls and _is_flat(trials) else "no curve fits"
    if low <= shortest and high >= longest:
        return "not determined", "covers all lengths"
    if horizon > longest and trials.vary:
        return "beyond the range", "no half" if falls else "does not fall"
    if horizon > longest:
        return "beyond the range", None
    if not falls:
        return "not determined", "does not fall"
    return "below the range" if horizon < shortest else "determined", None


def _falls(trials: Trials) -> bool:
    """Return whether success surely falls with length. Every curve of the grid falls, so it is asked of the tasks."""
    x, shares = trials.x - trials.x.mean(), trials.shares - trials.shares.mean()
    squares = float((x @ x) * (shares @ shares))
    if not squares:
        return False
    correlation = float(x @ shares) / sqrt(squares)
    freedom = len(x) - 2
    value = correlation * sqrt(freedom / max(1e-12, 1 - correlation**2))
    return correlation < 0 and two_sided_p(value, freedom) < 1 - CONFIDENCE


def _is_flat(trials: Trials) -> bool:
    """Return whether one share of wins at all lengths explains them."""
    nothing = np.zeros(1)
    level = Curves(nothing, nothing, nothing, nothing, floors=np.array([2 * trials.shares.mean() - 1]))
    return Posterior(level, trials.x.tolist(), trials.shares.tolist()).fits


def _length(fit: Fit, value: float, low: float, high: float) -> Estimate:
    """Return a length with its interval. An end is open where the horizon has none."""
    no_low, no_high = fit.is_open()
    return as_estimate(fit.trials, value, None if no_low else low, None if no_high else high)


def _slope(fit: Fit) -> Estimate:
    steepness, place = np.unique(np.log(fit.known.curves.slopes), return_inverse=True)
    below = np.cumsum([0.0, *np.bincount(place, fit.known.weights)])
    # each slope of the grid stands for those half a step around it
    half = (steepness[1] - steepness[0]) / 2
    value, low, high = -np.exp(np.interp(PARTS, below, [steepness[0] - half, *(steepness + half)]))
    return as_estimate(fit.trials, float(value), float(high), float(low))


def _four_of_five(curves: Curves) -> Array:
    """Return log2 of the length at which each curve falls to 80 %, lapses included."""
    odds = np.log(0.8 / (0.2 - curves.lapses)) + np.log1p(-2 * curves.lapses)
    return np.asarray(curves.horizons - odds / curves.slopes, dtype=np.float64)


def _quantiles(values: Array, weights: Array) -> Array:
    """Return the median of weighted values, and the ends of the interval around it."""
    order = np.argsort(values)
    weights = weights[order]
    return np.interp(PARTS, np.cumsum(weights) - weights / 2, values[order])


def _auc(trials: Trials) -> float:
    """Return the chance that a won sample is of a shorter task than a lost one; equal lengths count half."""
    _, place = np.unique(trials.x, return_inverse=True)
    wins = np.bincount(place, trials.wins)
    losses = np.bincount(place, trials.attempts - trials.wins)
    longer = losses.sum() - np.cumsum(losses)
    return float(wins @ (longer + losses / 2) / (wins.sum() * losses.sum()))


def _calibration_error(fit: Fit) -> float:
    trials = fit.trials
    _, place, counts = np.unique(trials.x, return_inverse=True, return_counts=True)
    # tasks of one length are in one group
    groups = (_GROUPS * (np.cumsum(counts) - counts / 2) / len(trials.x)).astype(int)
    surplus = np.bincount(groups[place], fit.surplus() * trials.attempts)
    return float(100 * np.abs(surplus).sum() / trials.attempts.sum())
