"""The exception for what a server does not do for a client."""

from __future__ import annotations

from herobench.errors import HeroBenchError, quoted
from herobench.scorer import Scorer


class Refused(HeroBenchError):
    """Raised when a client asks for what is not there, not possible now, or too much. The message says why."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status
        """The status code of HTTP for the reason, such as 404."""


def refuse_unknown(scorer: Scorer, task_id: str) -> None:
    """Raise Refused when there is no such task."""
    if task_id not in scorer.tasks:
        raise Refused(
            404, f"There is no task {quoted(task_id)} among the {len(scorer.tasks):,} tasks of {scorer.dataset}."
        )
