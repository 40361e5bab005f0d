"""The end of a run before its time: asked for by the user, by the budget, or by a server that refuses everything.

What is in flight is finished; nothing new begins, and whoever sleeps is woken.
"""

from __future__ import annotations

import asyncio
from typing import Literal

Reason = Literal["interrupted", "cost", "hopeless"]


class Stopped(BaseException):
    """Raised in whoever would begin something after a stop: the attempt stays owed. No `Exception`, for an agent that
    outlives all of those is to end too."""


class Stop:
    """Asked by everybody before anything is begun."""

    def __init__(self) -> None:
        self.reason: Reason | None = None
        self.message = ""
        self._event = asyncio.Event()

    def now(self, reason: Reason, message: str) -> None:
        """Stop. The first reason stands."""
        if self.reason is None:
            self.reason, self.message = reason, message
            self._event.set()

    def check(self) -> None:
        """Raise Stopped if nothing is to begin any more."""
        if self.reason is not None:
            raise Stopped

    async def sleep(self, seconds: float) -> None:
        """Sleep, or be woken to raise Stopped."""
        try:
            await asyncio.wait_for(self._event.wait(), seconds)
        except TimeoutError:
            return
        raise Stopped
