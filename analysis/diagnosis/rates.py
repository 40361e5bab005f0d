"""Rates over tasks: right answers on a skill, and won plans. Their intervals are clustered by task, or Wilson's."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import hypot

from herobench.analysis.diagnosis.evidence import TaskEvidence
from herobench.analysis.epochs import bounded_mean
from herobench.analysis.interval import Estimate
from herobench.analysis.rates import success_of

LEAST = 3
"""The fewest tasks with a right answer, and with a wrong one, for a difference."""


def rate_of(tasks: Iterable[TaskEvidence], skill: str) -> Estimate:
    """Return the share of right answers to the questions on a skill."""
    answers = [(task.key, right) for task in tasks for right in task.answers.get(skill, ())]
    return success_of([key for key, _ in answers], [right for _, right in answers])


def success_in(tasks: Iterable[TaskEvidence]) -> Estimate:
    """Return the share of won plans."""
    plans = [(task.key, won) for task in tasks for won in task.plans]
    return success_of([key for key, _ in plans], [won for _, won in plans])


def success_given(tasks: Sequence[TaskEvidence], skill: str, right: bool) -> Estimate:
    """Return the share of won plans over the right answers on a skill, or over the wrong ones.

    Each answer counts with the success of its task.
    """
    told = [(task.key, task.success) for task in tasks for given in task.answers.get(skill, ()) if given == right]
    return bounded_mean([key for key, _ in told], [value for _, value in told])


def difference_of(tasks: Sequence[TaskEvidence], skill: str) -> Estimate:
    """Return the success where a skill is right less that where it is wrong, for tasks of one group.

    The interval is Newcombe's: it combines those of the two rates, and stays honest where all plans of a side are won.
    Empty with too few tasks on a side.
    """
    right, wrong = (success_given(tasks, skill, side) for side in (True, False))
    counted = sum(skill in task.answers for task in tasks)
    if min(right.tasks, wrong.tasks) < LEAST or right.estimate is None or wrong.estimate is None:
        return Estimate(tasks=counted)
    value = right.estimate - wrong.estimate
    low = hypot(right.estimate - (right.low or 0.0), (wrong.high or 0.0) - wrong.estimate)
    high = hypot((right.high or 0.0) - right.estimate, wrong.estimate - (wrong.low or 0.0))
    return Estimate(value, value - low, value + high, samples=right.samples + wrong.samples, tasks=counted)
