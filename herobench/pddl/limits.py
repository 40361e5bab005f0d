"""Limits of a search: a search that reaches one ends with the answer "unknown"."""

from __future__ import annotations

import time
from dataclasses import dataclass


class BudgetSpent(Exception):
    """Raised within a search that has used up its tests. The search answers "unknown"."""


@dataclass(frozen=True, slots=True)
class SearchLimits:
    """The most states that a search may look at, the most tests that it may make, and if wanted its CPU time.

    A limit of states or tests gives the same answer everywhere. A limit of seconds does not: use it only where a late
    answer is worth less than a known "unknown".
    """

    states: int = 100_000
    seconds: float | None = None
    tests: int = 2_000_000_000
    """Looks at an action, which are what makes a state of a large task dear. A state that is kept costs `KEPT` too, so
    this bounds the memory as well. A search for a plan in the published tasks takes some millions."""


KEPT = 50
"""The tests that a state costs which is kept, for its memory."""
ORDINARY = SearchLimits()
"""The limits of a search whose caller names none."""


class SearchBudget:
    """Counts down the limits while a search goes on. Searches that work on one question share one budget."""

    def __init__(self, limits: SearchLimits, whole: SearchBudget | None = None) -> None:
        """Begin to count. What is tested counts in the budget of the whole work too, if there is one."""
        self._states = limits.states
        self._tests = limits.tests
        self._end = None if limits.seconds is None else time.process_time() + limits.seconds
        self._whole = whole

    @property
    def is_spent(self) -> bool:
        """Return whether nothing is left."""
        return self._states <= 0 or (self._end is not None and time.process_time() >= self._end)

    def take(self) -> bool:
        """Count one state; return False if nothing is left for it."""
        if self.is_spent:
            return False
        self._states -= 1
        return True

    def test(self, count: int) -> None:
        """Count tests before they are made. Raise Spent if too few are left."""
        self._tests -= count
        if self._tests < 0:
            raise BudgetSpent
        if self._whole is not None:
            self._whole.test(count)
