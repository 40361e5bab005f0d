"""The exception that all of task_gen raises if a task has no plan."""

from __future__ import annotations

from herobench.errors import HeroBenchError


class Unplannable(HeroBenchError):
    """Raised when the planner finds no plan for a task; the message names the obstacle."""
