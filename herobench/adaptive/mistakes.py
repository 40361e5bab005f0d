"""Chooses the tasks of a run that is to know how many decisions a model takes between mistakes, and says when it does.

A long task holds many decisions, but a plan that ends early shows few of them. So the first round has the shortest
tasks, each later one tasks about twice as long, until less than half of the plans get to their end. From then on tasks
have the greatest length at which half of them do. If the goal is a few tasks, one of each length leads there, so that
most of them are long: ten tasks tell two models apart by the decisions that they hold.

If the goal is a factor, tasks get no longer once one of them holds a few mistakes. Mistakes cluster in tasks, so twelve
tasks of 16 regions tell more than three of 64.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping
from math import inf, log2
from statistics import fmean
from typing import NamedTuple, TypeVar

from herobench.adaptive.goal import Goal, Reason
from herobench.adaptive.rates import rate_ends

Task = TypeVar("Task", bound=Hashable)

ROUND = 4
"""The tasks of a round."""
LEAST_TASKS = 10
"""With fewer tasks nobody knows whether mistakes cluster."""
_SUFFICIENT = 1 / 2
"""The share of plans that get to their end at a length that is asked on."""
_TRIES = 2
"""The tasks of a length after which it may be given up."""
_ENOUGH = 3.0
"""The mistakes in a task from which on longer tasks tell no more of a factor, for all the decisions that they hold."""


class Tally(NamedTuple):
    """Counts over all attempts at a task."""

    decisions: float
    mistakes: float
    finished: float
    """The share of attempts that got to the end of the task."""


def with_end(decisions: int, mistakes: int, *, arrived: bool) -> tuple[int, int]:
    """Return the decisions and mistakes of an attempt. One that does not arrive ends with one more of each.

    Else a player that stops before it is unsure would be the best.
    """
    return decisions + (not arrived), mistakes + (not arrived)


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
    between = decisions / mistakes if mistakes else None
    if not decisions or len(tallies) < 2:
        return Between(between, None, None)
    least, most = rate_ends([tally.mistakes for tally in tallies], [tally.decisions for tally in tallies])
    return Between(between, 1 / most, 1 / least if least else None)


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
    open_tasks: dict[int, list[Task]] = {}
    asked_tasks = frozenset(asked)
    for task, length in lengths.items():
        if task not in asked_tasks:
            open_tasks.setdefault(_doublings(length), []).append(task)
    target, tasks = _target(goal, lengths, tallies), list[Task]()
    groups = {_doublings(length) for length in lengths.values()}
    if goal.tasks is not None and goal.tasks < ROUND * len(groups) and target < max(groups):
        size = min(size, 1)
    while open_tasks and len(tasks) < size and not (tasks and _suffices(goal, lengths, tallies, tasks)):
        nearest = max((each for each in open_tasks if each <= target), default=min(open_tasks))
        tasks.append(open_tasks[nearest].pop(0))
        if not open_tasks[nearest]:
            del open_tasks[nearest]
    return tasks


def _suffices(
    goal: Goal, lengths: Mapping[Task, float], tallies: Mapping[Task, Tally], tasks: Collection[Task]
) -> bool:
    """Return whether the goal is reached if the model errs in these tasks, too, as often as in the measured ones."""
    decisions, mistakes = (sum(tally[place] for tally in tallies.values()) for place in (0, 1))
    if goal.factor is None or not mistakes or len(tallies) + len(tasks) < LEAST_TASKS:
        return False
    a_region = decisions / sum(lengths[task] for task in tallies)
    choices = [a_region * lengths[task] for task in tasks]
    expected = [Tally(own, own * mistakes / decisions, 1.0) for own in choices]
    return measure_between([*tallies.values(), *expected]).factor <= goal.factor


def _target(goal: Goal, lengths: Mapping[Task, float], tallies: Mapping[Task, Tally]) -> float:
    """Return the group of lengths to ask: the one after the longest that was passed, or that one if more fail.

    If a factor is asked for, none is longer than the shortest whose tasks hold enough mistakes.
    """
    groups: dict[float, list[Tally]] = {}
    for task, tally in tallies.items():
        groups.setdefault(_doublings(lengths[task]), []).append(tally)
    passed = [group for group, own in groups.items() if fmean(tally.finished for tally in own) >= _SUFFICIENT]
    longest = max(passed, default=-inf)
    longer = min((group for group in map(_doublings, lengths.values()) if group > longest), default=longest)
    if len(groups.get(longer, ())) >= _TRIES:
        longer = longest if passed else min(groups)
    tell_enough = (group for group, own in groups.items() if fmean(tally.mistakes for tally in own) >= _ENOUGH)
    return longer if goal.factor is None else min(longer, min(tell_enough, default=inf))


def _doublings(length: float) -> int:
    return round(log2(length))
