"""Limits of a search: a search that reaches one ends with the answer "unknown"."""

from __future__ import annotations

import time
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """The most states that a search may look at, and if wanted its CPU time.

    A limit of states gives the same answer everywhere. A limit of seconds does not: use it only where a late answer is
    worth less than a known "unknown".
    """

    states: int = 100_000
    seconds: float | None = None


ORDINARY = Limits()
"""The limits of a search whose caller names none."""


class Budget:
    """Counts down the limits while a search goes on. Searches that work on one question share one budget."""

    def __init__(self, limits: Limits) -> None:
        self._states = limits.states
        self._end = None if limits.seconds is None else time.process_time() + limits.seconds

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
