"""Asking again: the one place that does. The SDK's own retries are off.

Waits grow and are drawn from their whole range (full jitter), so that many attempts that failed together do not come
back together; a server that says how long to wait is believed. What cannot succeed is not asked again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from random import Random
from typing import TypeVar

from herobench.models.model_error import ModelError

_Made = TypeVar("_Made")

_SPREAD = 0.1
"""How much of the jitter is added to a wait that the server asked for: all were told the same."""


@dataclass(frozen=True, slots=True)
class Retry:
    """One failure that was asked again after."""

    error: ModelError
    waited: float

    def as_row(self) -> dict[str, object]:
        """The retry as a row says it."""
        return {**self.error.as_row(), "waited": round(self.waited, 3)}


@dataclass
class Patience:
    """How often and how slowly to ask again."""

    retries: int = 5
    first: float = 2.0
    """The longest first wait, in seconds; each further one may be twice as long."""
    longest: float = 120.0
    most_told: float = 3600.0
    """The longest wait that a server may ask for; one that asks for more is given up on."""
    chance: Random = field(default_factory=Random)
    """When to come back is nothing that results depend on, so chance need not be seeded."""
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep

    async def ask(self, once: Callable[[], Awaitable[_Made]], note: Callable[[Retry], None]) -> _Made:
        """What one try makes, or the last of some. Raises the last ModelError; each retry is noted before its wait."""
        for tries in range(self.retries):
            try:
                return await once()
            except ModelError as error:
                wait = self.wait_after(error, tries)
                if wait is None:
                    raise
                note(Retry(error, wait))
            await self.sleep(wait)
        return await once()

    def wait_after(self, error: ModelError, tries: int) -> float | None:
        """Seconds to wait before asking again after so many tries before; None where it is no use."""
        if not error.passing or (error.retry_after or 0.0) > self.most_told:
            return None
        drawn = self.chance.uniform(0.0, min(self.longest, self.first * 2.0**tries))
        return drawn if error.retry_after is None else error.retry_after + drawn * _SPREAD
