"""Counts the money that a run has spent, and stops the run before it exceeds its limit.

For each call in flight the cost of the dearest call so far is reserved. So fewer calls are in flight near the limit, at
last one, and then the run stops. The cost of a call is known when it is done: the last call can exceed the limit by as
much as it costs more than any call before it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from typing import Literal

from herobench.conversation import Usage
from herobench.models.prices import Price


class Ledger:
    """Counts money. Without a price no cost is known; without a limit no call is held back."""

    def __init__(self, price: Price | None, limit: float | None, spent: float = 0.0) -> None:
        self.spent = spent
        self._price = price
        self._limit = limit
        self._dearest = 0.0
        self._shown = False
        self._in_flight = 0
        self._change = asyncio.Condition()

    @property
    def known(self) -> float | None:
        """The money spent; None when there is no price."""
        return None if self._price is None else self.spent

    def cost(self, usage: Usage) -> float | None:
        """Return the cost of a call; None when it is not known."""
        return None if self._price is None else self._price.of(usage)

    def room(self, guess: Usage, stop: StopSignal) -> AbstractAsyncContextManager[None]:
        """Hold back a call of about this usage until there is money for it. Stop the run when there is none left."""
        return nullcontext() if self._limit is None else self._limited_room(guess, stop)

    @asynccontextmanager
    async def _limited_room(self, guess: Usage, stop: StopSignal) -> AsyncIterator[None]:
        self._dearest = max(self._dearest, self.cost(guess) or 0.0)
        async with self._change:
            # nobody can guess the length of a reply without a limit: then the first call goes alone, and
            # shows a cost
            while self._in_flight and (self._full() or not (self._shown or guess.output)):
                await self._change.wait()
            if self._full():
                stop.now("cost", f"The run has cost {self.spent:.4f}, and another call could exceed {self._limit:g}.")
            stop.check()
            self._in_flight += 1
        try:
            yield
        finally:
            async with self._change:
                self._in_flight -= 1
                self._change.notify_all()

    def _full(self) -> bool:
        return self.spent + self._dearest * (self._in_flight + 1) > (self._limit or 0.0)

    def booked(self, cost: float | None, guess: Usage) -> float:
        """Return what a call is booked at: a guess if the server did not count its tokens, so that limits hold."""
        return (self.cost(guess) or 0.0) if cost is None else cost

    def spend(self, cost: float | None, guess: Usage) -> None:
        """Book a call."""
        amount = self.booked(cost, guess)
        self.spent += amount
        self._shown = True
        self._dearest = max(self._dearest, amount)


Reason = Literal["interrupted", "cost", "hopeless"]


class Stopped(BaseException):
    """Raised in a task that would begin something after a stop; its attempt stays owed.

    It is no `Exception`, because an agent that catches every `Exception` must end too.
    """


class StopSignal:
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
