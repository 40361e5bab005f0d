"""The exception for what a server does not do for a client, and what surfaces refuse."""

from __future__ import annotations

from herobench.errors import HeroBenchError, UsageError, quoted
from herobench.scorer import Scorer, Wanted


class Refused(HeroBenchError):
    """Raised when a client asks for what is not there, not possible now, or too much. The message says why."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status
        """The status code of HTTP for the reason, such as 404."""


def refuse_window(wanted: Wanted) -> None:
    """Raise UsageError for a window: clients of a surface that keep the conversation say what a model is sent."""
    if "window" in dict(wanted.others):
        raise UsageError("window says which turns a model is sent. Here that is up to whoever asks it: leave it out.")


def refuse_unknown(scorer: Scorer, task_id: str) -> None:
    """Raise Refused when there is no such task."""
    if task_id not in scorer.tasks:
        raise Refused(
            404, f"There is no task {quoted(task_id)} among the {len(scorer.tasks):,} tasks of {scorer.dataset}."
        )
