"""A sample: one attempt at a task as one row of samples.jsonl.

Its columns are declared in `herobench.data.columns`; a suite's own ones stand in `details`. What is not known is None
and never 0: an attempt without a reply has no score, a reply whose tokens nobody counted has no cost.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from herobench.conversation import Reply, Usage
from herobench.data.call_rows import replies_in
from herobench.models.model_error import ModelError
from herobench.suite.contract import TaskInfo, Verdict
from herobench.suite.recorded import reply_row

SCHEMA = 2


@dataclass(slots=True)
class CallTotals:
    """The sums over the calls of one attempt."""

    calls: int = 0
    retries: int = 0
    usage: Usage = field(default_factory=Usage)
    cost: float | None = None
    seconds: float = 0.0
    """The time spent waiting for replies, without the pauses between retries."""
    started: str | None = None
    finished: str | None = None
    served: str | None = None
    """The model of the last reply, as the server named it."""

    def add(self, call: Mapping[str, Any]) -> None:
        """Add one row of calls.jsonl. Replies that came with failures count too: they were paid for."""
        self.calls += 1
        self.retries += len(call["retries"])
        for reply in replies_in(call):
            self.usage += Usage(**reply["usage"])
        if call["reply"] is not None:
            self.served = call["reply"]["model"] or self.served
        if call["cost"] is not None:
            self.cost = (self.cost or 0.0) + call["cost"]
        self.seconds += call["seconds"]
        self.started = self.started or call["started"]
        self.finished = call["finished"]

    def as_row(self) -> dict[str, Any]:
        """Return the columns of a sample."""
        return {
            "calls": self.calls,
            "retries": self.retries,
            "input_tokens": self.usage.input,
            "output_tokens": self.usage.output,
            "reasoning_tokens": self.usage.reasoning,
            "cached_tokens": self.usage.cached,
            "cost": self.cost,
            "seconds": round(self.seconds, 3),
            "started": self.started,
            "finished": self.finished,
        }


@dataclass(slots=True)
class PlayedAttempt:
    """An attempt that was played: its calls and its replies, before it has a verdict."""

    model: str
    """The model as the user named it."""
    totals: CallTotals
    replies: Sequence[Reply] = ()
    unfinished: str | None = None
    """Why the agent ended the attempt early; None if it did not."""


def measured_row(task: TaskInfo, epoch: int, suite: str, played: PlayedAttempt, verdict: Verdict) -> dict[str, Any]:
    """Build the sample of an attempt that was graded."""
    replies = played.replies
    return {
        **_head(task, epoch, suite),
        "status": "ok",
        "error": None,
        # as the server names it: the name that a user gives may mean another model tomorrow
        "model": (replies[-1].model if replies else None) or played.totals.served or played.model,
        **verdict_columns(verdict),
        "unfinished": played.unfinished or verdict.unfinished,
        **played.totals.as_row(),
        "replies": [reply_row(reply) for reply in replies],
        "details": dict(verdict.details),
        "events": verdict.events,
    }


def unmeasured_row(
    task: TaskInfo, epoch: int, suite: str, played: PlayedAttempt, error: ModelError, blank: Mapping[str, Any]
) -> dict[str, Any]:
    """Build the sample of an attempt that got no reply. It says nothing about the model."""
    return {
        **_head(task, epoch, suite),
        "status": "unmeasured",
        "error": error.as_row(),
        "model": played.model,
        **dict.fromkeys(_JUDGED),
        "unfinished": None,
        **played.totals.as_row(),
        "replies": None,
        "details": dict(blank),
        "events": None,
    }


def rescored_row(sample: Mapping[str, Any], verdict: Verdict) -> dict[str, Any]:
    """Build a measured sample with another verdict. The columns about the calls stay."""
    return {**sample, **verdict_columns(verdict), "details": dict(verdict.details), "events": verdict.events}


def verdict_columns(verdict: Verdict) -> dict[str, Any]:
    """Return the common columns of a verdict."""
    return {name: getattr(verdict, name) for name in _JUDGED}


def stored_replies(sample: Mapping[str, Any]) -> list[Reply]:
    """Return the replies of a measured sample."""
    return [Reply.from_row({"usage": {}, **row}) for row in sample["replies"]]


_JUDGED = ("won", "score", "progress", "failure")


def _head(task: TaskInfo, epoch: int, suite: str) -> dict[str, Any]:
    return {"schema": SCHEMA, "suite": suite, "task_id": task.id, "group": task.group, "epoch": epoch}
