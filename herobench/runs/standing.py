"""How a run stands: numbers that everything which happens in it changes, and news of what happened."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

from herobench.conversation import Usage

News = Mapping[str, Any]
"""Something that happened: `event` says what, the rest what there is to say of it."""


@dataclass(slots=True)
class Standing:
    """Counts; `total` attempts in the run, `before` of them measured in earlier sessions."""

    total: int
    before: int
    tell: Callable[[News], None]
    wins: int = 0
    """Of all measured attempts, earlier sessions included."""
    measured: int = 0
    """In this session."""
    unmeasured: int = 0
    in_flight: int = 0
    """Requests that wait for their replies."""
    grading: int = 0
    """Replies that wait for their scores."""
    retries: int = 0
    usage: Usage = field(default_factory=Usage)
    """Of this session."""
    cost: float | None = None
    """Of all sessions; None where there is no price."""
    served: set[str] = field(default_factory=set)
    """The model as the server named it; more than one name means that it changed."""
    begun: float = field(default_factory=monotonic)

    @property
    def done(self) -> int:
        """Attempts measured, in all sessions."""
        return self.before + self.measured

    @property
    def owed(self) -> int:
        """Attempts without a measured sample."""
        return self.total - self.done

    @property
    def rate(self) -> float:
        """Attempts ended a second, in this session."""
        seconds = monotonic() - self.begun
        return (self.measured + self.unmeasured) / seconds if seconds > 0 else 0.0

    @property
    def left(self) -> float | None:
        """Seconds that the rest will take at this rate; None where nothing has ended yet."""
        waiting = self.owed - self.unmeasured
        return waiting / self.rate if self.rate else None

    def as_row(self) -> dict[str, Any]:
        """The counts as news and run.json have them."""
        return {
            "total": self.total,
            "measured": self.done,
            "wins": self.wins,
            "unmeasured": self.unmeasured,
            "owed": self.owed,
            "cost": self.cost,
        }
