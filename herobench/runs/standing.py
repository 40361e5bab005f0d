"""The counts of a run while it goes on, and the news that views show. The runner changes them, the views read them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

from herobench.conversation import Usage

News = Mapping[str, Any]
"""One event of a run. `event` is its kind, such as `sample` or `retry`; the other entries describe it."""


@dataclass(slots=True)
class Standing:
    """Counts; `total` attempts in the run, `before` of them measured in earlier sessions."""

    total: int
    before: int
    tell: Callable[[News], None]
    wins: int = 0
    """Won attempts in all sessions."""
    measured: int = 0
    """Attempts measured in this session."""
    unmeasured: int = 0
    in_flight: int = 0
    """Requests that wait for a reply."""
    grading: int = 0
    """Attempts that wait for their verdict."""
    retries: int = 0
    usage: Usage = field(default_factory=Usage)
    """Tokens of this session."""
    cost: float | None = None
    """The cost of all sessions; None when there is no price."""
    served: set[str] = field(default_factory=set)
    """The names that the server gave the model; more than one when it changed."""
    begun: float = field(default_factory=monotonic)

    @property
    def done(self) -> int:
        """Attempts measured in all sessions."""
        return self.before + self.measured

    @property
    def owed(self) -> int:
        """Attempts without a measured sample."""
        return self.total - self.done

    @property
    def rate(self) -> float:
        """Attempts that end in a second, in this session."""
        seconds = monotonic() - self.begun
        return (self.measured + self.unmeasured) / seconds if seconds > 0 else 0.0

    @property
    def left(self) -> float | None:
        """Seconds that the rest takes at this rate; None when no attempt has ended yet."""
        # unmeasured attempts are owed, but not asked again in this session
        waiting = self.owed - self.unmeasured
        return waiting / self.rate if self.rate else None

    def as_row(self) -> dict[str, Any]:
        """Return the counts as news and run.json have them."""
        return {
            "total": self.total,
            "measured": self.done,
            "wins": self.wins,
            "unmeasured": self.unmeasured,
            "owed": self.owed,
            "cost": self.cost,
        }
