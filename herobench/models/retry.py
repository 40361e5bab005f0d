"""Retry requests that failed: the only place that does, since the SDK's own retries are off.

Waits grow, and each is drawn from its whole range (full jitter), so that attempts that failed together do not return
together. A server that says how long to wait is obeyed. Errors that a retry cannot help are raised at once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from random import Random
from typing import TypeVar

from herobench.models.model_error import LONGEST_WAIT, ModelError

_Made = TypeVar("_Made")

_SPREAD = 0.1
"""The share of the jitter added to a wait that the server asked for: it asks all requests for the same wait."""


@dataclass(frozen=True, slots=True)
class Retry:
    """One failed try, and the wait before the next."""

    error: ModelError
    waited: float

    def as_row(self) -> dict[str, object]:
        """Return the retry as plain data."""
        return {**self.error.as_row(), "waited": round(self.waited, 3)}


@dataclass
class RetryPolicy:
    """The number of retries, and the waits between them."""

    retries: int = 5
    first: float = 2.0
    """The longest first wait, in seconds. Each further wait may be twice as long."""
    longest: float = 120.0
    """The longest wait of our own choice, in seconds."""
    most_told: float = LONGEST_WAIT
    """The longest wait that a server may ask for. If it asks for more, the error is raised."""
    chance: Random = field(default_factory=Random)
    """Draws the waits. No result depends on them, so it needs no seed."""
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep

    async def ask(self, once: Callable[[], Awaitable[_Made]], note: Callable[[Retry], None]) -> _Made:
        """Try until one try succeeds, and return its result. Raises the last ModelError. Notes each retry first."""
        for tries in range(self.retries):
            try:
                return await once()
            except ModelError as error:
                wait = self.wait_after(error, tries)
                if wait is None:
                    raise
                note(Retry(error, wait))
            await self.sleep(wait)
        return await once()  # the last try: its error is the caller's

    def wait_after(self, error: ModelError, tries: int) -> float | None:
        """Return the seconds to wait before the next try, after this many retries; None where a retry cannot help."""
        if not error.passing or (error.retry_after or 0.0) > self.most_told:
            return None
        drawn = self.chance.uniform(0.0, min(self.longest, self.first * 2.0**tries))
        return drawn if error.retry_after is None else error.retry_after + drawn * _SPREAD
