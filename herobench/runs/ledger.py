"""What a run has spent, and whether it may spend more.

A limit is held by setting aside, for each call in flight, as much as the dearest call so far has cost: near the limit
fewer calls are in flight, at last one, and then the run stops. What a call costs is known when it is done, so that the
last one can overstep the limit by what it costs more than any before it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from herobench.conversation import Usage
from herobench.models.prices import Price
from herobench.runs.stop import Stop


class Ledger:
    """Counts money. Without a price nothing is known, and without a limit nothing held back."""

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
        """What has been spent; None where there is no price."""
        return None if self._price is None else self.spent

    def cost(self, usage: Usage) -> float | None:
        """What a call cost; None where that is not known."""
        return None if self._price is None else self._price.of(usage)

    @asynccontextmanager
    async def room(self, guess: Usage, stop: Stop) -> AsyncIterator[None]:
        """Hold back a call of about this usage until there is money for it; where there is none left, stop the run."""
        if self._limit is None:
            yield
            return
        self._dearest = max(self._dearest, self.cost(guess) or 0.0)
        async with self._change:
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

    def spend(self, cost: float | None, guess: Usage) -> None:
        """Book a call. One whose tokens the server did not count is booked as guessed, for the sake of the limit."""
        amount = (self.cost(guess) or 0.0) if cost is None else cost
        self.spent += amount
        self._shown = True
        self._dearest = max(self._dearest, amount)
