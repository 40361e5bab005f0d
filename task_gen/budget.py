"""Budgets: the number of actions that a plan may take, as a multiple of what is proven to be needed.

The generator sets the budget of a certified task; `validate` computes it again. It is a multiple of the lower bound, or
the length of the oracle's plan if that is longer, so every task can be won. A task whose bound is loose is not drawn
again for that: the same options give the same tasks with any budget.
"""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

from herobench.rpg.task import Certificate, Task

LEAST_FACTOR, MOST_FACTOR = 1, 100
"""The bounds of the multiple."""


def with_budget(task: Task, factor: float) -> Task:
    """Return a certified task with the budget that a multiple of its lower bound gives."""
    assert task.certificate, "a budget is a multiple of a proven bound"
    budget = budget_of(task.certificate, factor)
    return replace(task, mechanics=replace(task.mechanics, budget=budget, budget_factor=factor))


def budget_of(certificate: Certificate, factor: float) -> int:
    """Return a multiple of the lower bound, rounded up, or the actions of the certified plan if they are more."""
    # As the decimal number that the user wrote: in floating point 1.1 * 10 is above 11.
    return max(math.ceil(Fraction(str(factor)) * certificate.lower_bound), certificate.actions)
