"""Chooses the tasks of a run that is to know how many decisions a model takes between mistakes, and says when it does.

The interval is that of a gamma variable, as for a Poisson count. Mistakes cluster in tasks, so their count is divided
by how much more the tasks differ than they would by single mistakes. The analysis tells about the same interval
(`analysis/statistics/mistakes.py`). Runs may not import it; a test holds the two together.

A long task holds many decisions, but a plan that ends early shows few of them. So the first round has the shortest
tasks, each later one tasks about twice as long, until less than half of the plans get to their end. From then on tasks
have the greatest length at which half of them do.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping
from math import inf, log2, sqrt
from statistics import NormalDist, fmean
from typing import NamedTuple, TypeVar

from herobench.adaptive.goal import Goal, Reason

Task = TypeVar("Task", bound=Hashable)

ROUND = 4
"""The tasks of a round."""
LEAST_TASKS = 10
"""With fewer tasks nobody knows whether mistakes cluster."""
_NORMAL = NormalDist().inv_cdf(0.975)
_SUFFICIENT = 1 / 2
"""The share of plans that get to their end at a length that is asked on."""


class Tally(NamedTuple):
    """Counts over all attempts at a task."""

    decisions: int
    mistakes: int
    finished: float
    """The share of attempts that got to the end of the task."""


class Between(NamedTuple):
    """The decisions between mistakes with the ends of their interval; None stands for an unknown or endless number."""

    estimate: float | None
    low: float | None
    high: float | None

    @property
    def factor(self) -> float:
        """The factor between the two ends."""
        return self.high / self.low if self.high and self.low else inf


def measure_between(tallies: Collection[Tally]) -> Between:
    """Return the decisions between mistakes of all tasks together."""
    decisions, mistakes = (sum(tally[place] for tally in tallies) for place in (0, 1))
    if not decisions or len(tallies) < 2:
        return Between(decisions / mistakes if mistakes else None, None, None)
    dispersion = _dispersion(tallies, mistakes / decisions) if mistakes else 1.0
    least, most = (end * dispersion for end in _ends(mistakes / dispersion))
    return Between(decisions / mistakes if mistakes else None, decisions / most, decisions / least if least else None)


def _dispersion(tallies: Collection[Tally], rate: float) -> float:
    """Return how many times the variance of single mistakes that of these is; few tasks show it badly."""
    count, decisions = len(tallies), sum(tally.decisions for tally in tallies)
    squares = sum((tally.mistakes - rate * tally.decisions) ** 2 for tally in tallies) * count / (count - 1)
    size = decisions**2 / sum(tally.decisions**2 for tally in tallies)
    # about the fourth power of how much wider Student's interval is than a normal one
    widening = (1 + (_NORMAL**2 + 1) / (4 * max(1.0, size - 1))) ** 4
    return 1 + max(0.0, squares / (rate * decisions) - 1) * widening


def _ends(count: float) -> tuple[float, float]:
    """Return the ends of the interval of a Poisson count."""
    return _gamma_quantile(-_NORMAL, count), _gamma_quantile(_NORMAL, count + 1)


def _gamma_quantile(deviations: float, shape: float) -> float:
    """Return a quantile of a gamma variable after Wilson and Hilferty: its cube root is nearly normal."""
    root = 1 - 1 / (9 * shape) + deviations / (3 * sqrt(shape)) if shape else 0.0
    return shape * max(0.0, root) ** 3


def reason_to_stop(goal: Goal, tallies: Collection[Tally]) -> Reason | None:
    """Return why no more tasks are needed; None if some are."""
    if goal.tasks is not None and len(tallies) >= goal.tasks:
        return "tasks"
    is_known = goal.factor is not None and measure_between(tallies).factor <= goal.factor
    return "factor" if is_known and len(tallies) >= LEAST_TASKS else None


def next_round(
    goal: Goal, lengths: Mapping[Task, float], tallies: Mapping[Task, Tally], asked: Collection[Task], size: int = ROUND
) -> list[Task]:
    """Return the tasks of the next round, at most `size` and no more than the goal needs; none if all are asked."""
    left: dict[int, list[Task]] = {}
    asked_tasks = frozenset(asked)
    for task, length in lengths.items():
        if task not in asked_tasks:
            left.setdefault(_doublings(length), []).append(task)
    target, tasks = _target(lengths, tallies), list[Task]()
    while left and len(tasks) < size and not (tasks and _suffices(goal, lengths, tallies, tasks)):
        nearest = max((each for each in left if each <= target), default=min(left))
        tasks.append(left[nearest].pop(0))
        if not left[nearest]:
            del left[nearest]
    return tasks


def _suffices(
    goal: Goal, lengths: Mapping[Task, float], tallies: Mapping[Task, Tally], tasks: Collection[Task]
) -> bool:
    """Return whether the goal is reached if the model errs in these tasks, too, as often as in the measured ones."""
    mistakes, known = sum(tally.mistakes for tally in tallies.values()), sum(lengths[task] for task in tallies)
    if goal.factor is None or not mistakes or len(tallies) + len(tasks) < LEAST_TASKS:
        return False
    rate = mistakes / sum(tally.decisions for tally in tallies.values())
    growth = 1 + sum(lengths[task] for task in tasks) / known
    least, most = _ends(growth * mistakes / _dispersion(tallies.values(), rate))
    return most <= goal.factor * least


def _target(lengths: Mapping[Task, float], tallies: Mapping[Task, Tally]) -> float:
    """Return the group of lengths to ask: the one after the longest that was passed, or that one if more fail."""
    shares: dict[int, list[float]] = {}
    for task, tally in tallies.items():
        shares.setdefault(_doublings(lengths[task]), []).append(tally.finished)
    passed = [group for group, own in shares.items() if fmean(own) >= _SUFFICIENT]
    if shares and not passed:
        return min(shares)
    longest = max(passed, default=-inf)
    longer = min((group for group in map(_doublings, lengths.values()) if group > longest), default=longest)
    return longest if longer in shares else longer


def _doublings(length: float) -> int:
    return round(log2(length))
