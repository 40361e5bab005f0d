"""The tolls of each role: how many calls, tokens and how much money the parts cost that a model plays for its agent.

Agents of several calls have roles, such as a decomposer and a critic. The sums over all roles equal the sums over the
samples.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from herobench.analysis.samples.calls import Call, Calls
from herobench.analysis.samples.sources import printable
from herobench.analysis.statistics.findings import numbers
from herobench.conversation import Usage

if TYPE_CHECKING:
    from pathlib import Path

    import pandas as pd

HEADERS = ("role", "calls", "input tokens", "output tokens", "reasoning tokens", "cost")
NO_ROLE = "none"
"""The name of the calls without a role, beside others."""
_COUNTS = ("input", "output", "reasoning", "cached")


@dataclass(slots=True)
class RoleTolls:
    """The sums over the calls in one role. Only known tokens and costs are added; None if nothing is known."""

    role: str | None
    calls: int = 0
    usage: Usage = field(default_factory=Usage)
    cost: float | None = None

    def add(self, call: Call) -> None:
        """Add a call."""
        self.calls += 1
        self.usage += call_usage(call)
        if call["cost"] is not None:
            self.cost = (self.cost or 0.0) + call["cost"]

    def as_row(self) -> dict[str, Any]:
        """Return the sums as plain data."""
        return {
            "role": self.role,
            "calls": self.calls,
            "input_tokens": self.usage.input,
            "output_tokens": self.usage.output,
            "reasoning_tokens": self.usage.reasoning,
            "cost": self.cost,
        }

    def cells(self) -> tuple[str, ...]:
        """Return the sums under HEADERS as they are printed."""
        tokens = (self.usage.input, self.usage.output, self.usage.reasoning)
        return (
            self.role or NO_ROLE,
            f"{self.calls:,}",
            *("" if count is None else f"{count:,}" for count in tokens),
            "" if self.cost is None else f"{self.cost:.4f}",
        )


def call_usage(call: Call) -> Usage:
    """Return the tokens of a call."""
    told: Mapping[str, Any] = (call["reply"] or {}).get("usage") or {}
    return Usage(**{name: told.get(name) for name in _COUNTS})


def totals_by_role(file: Path | None, samples: pd.DataFrame) -> list[RoleTolls]:
    """Return the tolls of each role over some samples of a run, by name; none if no call has a role.

    `file` has the calls of the run; None for a file of rows, which has none. It is not read if each attempt was one
    call, because then there is nothing to split.
    """
    counts = numbers(samples, "calls")
    if file is None or max((count or 0 for count in counts), default=0) <= 1:
        return []
    calls = Calls(file)
    attempts = zip(samples.task_id, samples.epoch, counts, strict=True)
    return _split(
        call
        for task_id, epoch, count in attempts
        for call in calls.of(task_id, int(epoch), None if count is None else int(count))
    )


def _split(calls: Iterable[Call]) -> list[RoleTolls]:
    found: dict[str | None, RoleTolls] = {}
    for call in calls:
        role = None if call["role"] is None else printable(call["role"])
        found.setdefault(role, RoleTolls(role)).add(call)
    return sorted(found.values(), key=lambda tolls: (tolls.role is None, tolls.role)) if found.keys() - {None} else []
