"""Stops a run early: at the user's wish, at the cost limit, or when the server refuses everything.

Requests in flight are finished and no new one begins. Tasks that sleep before a retry are woken.
"""

from __future__ import annotations

import asyncio
from typing import Literal

Reason = Literal["interrupted", "cost", "hopeless"]


class Stopped(BaseException):
    """Raised in a task that would begin something after a stop; its attempt stays owed.

    It is no `Exception`, because an agent that catches every `Exception` must end too.
    """


class Stop:
    """Tells all tasks of a session whether the run is being stopped."""

    def __init__(self) -> None:
        self.reason: Reason | None = None
        self.message = ""
        self._event = asyncio.Event()

    def now(self, reason: Reason, message: str) -> None:
        """Stop the run. The first reason stands."""
        if self.reason is None:
            self.reason, self.message = reason, message
            self._event.set()

    def check(self) -> None:
        """Raise Stopped if the run is being stopped."""
        if self.reason is not None:
            raise Stopped

    async def sleep(self, seconds: float) -> None:
        """Sleep. Raise Stopped as soon as the run is being stopped."""
        try:
            await asyncio.wait_for(self._event.wait(), seconds)
        except TimeoutError:
            return
        raise Stopped
