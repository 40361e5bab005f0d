"""Chooses the tasks that a run asks next, and says when it knows enough.

Tasks are chosen in rounds. A round is a pure function of the lengths of the tasks and the verdicts of the rounds before
it, so the order in which replies arrive changes nothing. The first round doubles the length from task to task, to find
the range. Each later one takes the tasks whose answers narrow the horizon most, and the slope as well: without a slope
the interval of the horizon is not known. Between tasks of about the same length the order of `lengths` decides, which
is the seed's.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from functools import lru_cache
from math import log2
from typing import TypeVar

import numpy as np

from herobench.adaptive.goal import LEAST_TASKS, Goal, Outside, Reason
from herobench.adaptive.posterior import Array, Curves, Posterior, curves_between, log_chances

Task = TypeVar("Task", bound=Hashable)

ROUND = 8
"""The tasks of a round; half as many when the goal is near."""
_CELLS = 4
"""The groups of lengths in a doubling: tasks of one group tell about the same."""
_SEARCHED = 2
"""Doublings below a horizon that is about known, at which the first round begins."""
_SLOPE_WORTH = 0.2
"""The worth of an answer that tells the whole slope, if one that tells the whole horizon is worth 1."""
_NEAR = 1.2
"""Rounds are half as large when the interval is narrower than the goal to this power."""
_TINY = 1e-300
"""Keeps a variance of nothing from dividing by 0."""
_UNLIKELY = 1e-7
"""Curves with less than this part of the largest weight are left out of the choice."""
_DIGITS = 9
"""The digits of a worth that count: machines may differ in the last ones."""


def fit_posterior(lengths: Mapping[Task, float], won: Mapping[Task, float]) -> Posterior:
    """Return the posterior of the horizon after the share of attempts that won each measured task."""
    ends = min(lengths.values()), max(lengths.values())
    return _posterior(ends, tuple(lengths[task] for task in won), tuple(won.values()))


@lru_cache(maxsize=4)  # a round asks several questions of the same verdicts
def _posterior(ends: tuple[float, float], lengths: tuple[float, ...], won: tuple[float, ...]) -> Posterior:
    return Posterior(curves_between(*map(log2, ends)), [log2(length) for length in lengths], won)


def next_round(
    lengths: Mapping[Task, float],
    won: Mapping[Task, float],
    asked: Collection[Task],
    size: int = ROUND,
    near: float | None = None,
) -> list[Task]:
    """Return the tasks of the next round, at most `size`; none if all are asked.

    `near` is about the horizon, where that is known from elsewhere: the first round begins two doublings below it.
    """
    cells: dict[int, list[Task]] = {}
    asked_tasks = frozenset(asked)
    for task, length in lengths.items():
        if task not in asked_tasks:
            cells.setdefault(_cell(length), []).append(task)
    if not cells:
        return []
    if not asked:
        return _doubling(cells, size, min(cells) if near is None else _cell(near) - _SEARCHED * _CELLS)
    return _telling(fit_posterior(lengths, won), cells, size)


@lru_cache(maxsize=10_000)  # thousands of tasks may be left, and are grouped again for each round
def _cell(length: float) -> int:
    return round(_CELLS * log2(length))


def round_size(goal: Goal, lengths: Mapping[Task, float], won: Mapping[Task, float], spent: float | None = None) -> int:
    """Return the most tasks of the next round, so that no limit is passed.

    They are half as many when the interval is nearly narrow enough. `spent` is what the measured tasks cost: the next
    ones are expected to cost as much.
    """
    size = ROUND
    if goal.factor is not None and len(won) >= LEAST_TASKS:
        is_near = fit_posterior(lengths, won).interval().factor <= goal.factor**_NEAR
        size = ROUND // 2 if is_near else ROUND
    return goal.room(size, len(won), spent)


def outside(horizon: float, lengths: Collection[float]) -> Outside | None:
    """Return on which side of the asked lengths a horizon lies; None for one among them."""
    if not lengths or min(lengths) <= horizon <= max(lengths):
        return None
    return "below the range" if horizon < min(lengths) else "beyond the range"


def reason_to_stop(goal: Goal, lengths: Mapping[Task, float], won: Mapping[Task, float]) -> Reason | None:
    """Return why no more tasks are needed; None if some are."""
    if goal.tasks is not None and len(won) >= goal.tasks:
        return "tasks"
    if goal.factor is None or len(won) < min(LEAST_TASKS, len(lengths)):
        return None
    interval = fit_posterior(lengths, won).interval()
    if interval.low >= max(lengths.values()):
        return "beyond the range"
    if interval.high <= min(lengths.values()):
        return "below the range"
    return "factor" if interval.factor <= goal.factor else None


def _doubling(cells: dict[int, list[Task]], size: int, begin: int) -> list[Task]:
    """Return tasks from the group `begin` on, each about twice as long as the one before."""
    tasks: list[Task] = []
    target = max(begin, min(cells))
    while cells and len(tasks) < size:
        cell = min(cells, key=lambda known: (abs(known - target), known))
        tasks.append(_take(cells, cell))
        target += _CELLS
        if cells and target > max(cells):
            target = min(cells)
    return tasks


def _telling(posterior: Posterior, cells: dict[int, list[Task]], size: int) -> list[Task]:
    """Return the tasks whose answers tell most, one after the other: each is weighed as if those before were known."""
    tasks: list[Task] = []
    groups, weights = tuple(sorted(cells)), posterior.weights
    likely = weights > _UNLIKELY * weights.max()
    weights, chances = weights[likely], _chances(posterior.curves, groups)[likely]
    values = posterior.curves.horizons[likely], np.log(posterior.curves.slopes[likely])
    while cells and len(tasks) < size:
        worth, wins = _worth(weights, values, chances)
        best = max(cells, key=lambda cell: (worth[groups.index(cell)], -cell))
        tasks.append(_take(cells, best))
        # as many wins as are expected: the task then counts as asked, and its answer as no surprise
        place = groups.index(best)
        success, expected_wins = chances[:, place], wins[place]
        weights = weights * success**expected_wins * (1 - success) ** (1 - expected_wins)
        weights /= weights.sum()
    return tasks


def _take(cells: dict[int, list[Task]], cell: int) -> Task:
    task = cells[cell].pop(0)
    if not cells[cell]:
        del cells[cell]
    return task


def _worth(weights: Array, values: Sequence[Array], chances: Array) -> tuple[Array, Array]:
    """Return what an answer at each length is worth, and the expected success there.

    `values` are the horizon and the slope of each curve. The worth is the share of the horizon's variance that the
    answer explains, and some of the slope's.
    """
    deviations = [value - weights @ value for value in values]
    # unlike a product of matrices this adds in the same order on all machines, and starts no threads
    rows = np.stack([weights, *(weights * value for value in deviations)])
    wins, *shifts = np.einsum("kc,cl->kl", rows, chances)
    horizon, slope = (
        shift**2 / (wins * (1 - wins) * float(weights @ value**2) + _TINY)
        for shift, value in zip(shifts, deviations, strict=True)
    )
    return np.round(horizon + _SLOPE_WORTH * slope, _DIGITS), wins


@lru_cache(maxsize=8)
def _chances(curves: Curves, cells: tuple[int, ...]) -> Array:
    """Return the success of each curve at the lengths of some groups: a column for each."""
    return np.column_stack([np.exp(log_chances(curves, cell / _CELLS)[0]) for cell in cells])
