"""A sample: one attempt at a task as one flat row, a superset of a scored row.

What is not known is None and never 0: an attempt without a reply has no outcome, a reply whose tokens nobody counted no
cost.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from herobench.conversation import Reply, Usage
from herobench.models.failure import ModelError

SCHEMA = 1


@dataclass(slots=True)
class Tolls:
    """What the calls of one attempt took, all together."""

    calls: int = 0
    retries: int = 0
    usage: Usage = field(default_factory=Usage)
    cost: float | None = None
    seconds: float = 0.0
    """Waiting for replies; the time between tries is not in it."""
    started: str | None = None
    finished: str | None = None

    def add(self, call: Mapping[str, Any]) -> None:
        """Take in one row of calls.jsonl."""
        self.calls += 1
        self.retries += len(call["retries"])
        if call["reply"] is not None:
            self.usage += Usage(**call["reply"]["usage"])
        if call["cost"] is not None:
            self.cost = (self.cost or 0.0) + call["cost"]
        self.seconds += call["seconds"]
        self.started = self.started or call["started"]
        self.finished = call["finished"]

    def as_row(self) -> dict[str, Any]:
        """The columns of a sample."""
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


_OF_THE_ASKING = ("schema", "model", "tokens")
"""Columns that a scored row has too, and a sample knows better."""


def with_scores(sample: Mapping[str, Any], scored: Mapping[str, Any]) -> dict[str, Any]:
    """A sample with what another scored row says."""
    return {**sample, **{name: value for name, value in scored.items() if name not in _OF_THE_ASKING}}


def measured_row(scored: Mapping[str, Any], model: str, reply: Reply, tolls: Tolls) -> dict[str, Any]:
    """The sample of a reply that was scored."""
    return {
        **scored,
        "schema": SCHEMA,
        "status": "ok",
        "error": None,
        "model": reply.model or model,
        "tokens": tolls.usage.output,
        "answer": reply.text,
        "plan": reply.plan,
        "stop": reply.stop,
        **tolls.as_row(),
    }


def unmeasured_row(blank: Mapping[str, Any], model: str, error: ModelError, tolls: Tolls) -> dict[str, Any]:
    """The sample of an attempt that got no reply: none of it says anything about the model."""
    return {
        **blank,
        "schema": SCHEMA,
        "status": "unmeasured",
        "error": error.as_row(),
        "model": model,
        "tokens": None,
        "answer": None,
        "plan": None,
        "stop": None,
        **tolls.as_row(),
    }
