"""Why there is no plan: what the planner says of a task it cannot solve."""

from __future__ import annotations

from herobench.errors import HeroBenchError


class Unplannable(HeroBenchError):
    """Raised when a task has no plan that the planner can find; the message says what stands in the way."""
