"""Limits of a search: a search that reaches one ends with the answer "unknown"."""

from __future__ import annotations

from dataclasses import dataclass


class BudgetSpent(Exception):
    """Raised within a search that has used up its tests. The search answers "unknown"."""


@dataclass(frozen=True, slots=True)
class SearchLimits:
    """The most states that a search may look at, and the most tests that it may make: the same answer everywhere."""

    states: int = 100_000
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
        self._whole = whole

    @property
    def is_spent(self) -> bool:
        """Return whether nothing is left."""
        return self._states <= 0

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
