"""How a run stands: its counts, the news that views show, the money that it has spent, and its stop.

The runner changes the counts, and the views read them. For each call in flight the ledger reserves the cost of the
dearest call so far. So fewer calls are in flight near the limit, at last one, and then the run stops. The cost of a
call is known when it is done: the last call can exceed the limit by as much as it costs more than any call before it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from dataclasses import dataclass, field
from time import monotonic
from typing import Any, Literal

from herobench.conversation import Usage
from herobench.models.model import Price

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
    replied: bool = False
    """True once the model has replied in this session."""
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
        """Hold back a call of about this usage until there is money for it. Stop the run when no money is left."""
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

    def booked(self, cost: float | None, guess: Callable[[], Usage]) -> float:
        """Return what a call is booked at: a guess if the server did not count its tokens, so that limits hold."""
        if cost is None and self._price is not None:
            cost = self._price.of(guess())
        return cost or 0.0

    def spend(self, cost: float | None, guess: Callable[[], Usage]) -> None:
        """Book a reply."""
        amount = self.booked(cost, guess)
        self.spent += amount
        self._shown = True
        self._dearest = max(self._dearest, amount)


Reason = Literal["interrupted", "cost", "hopeless", "unanswered"]
"""Why a run stops. It is hopeless if no attempt can be measured; unanswered if only these tasks may be the reason."""


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
