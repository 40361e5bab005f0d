"""Threads that score for a server, behind a bounded queue. The event loop only waits for them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Lock
from typing import Any, TypeVar

from herobench.surfaces.refused import Refused

_Made = TypeVar("_Made")

MOST_WAITING = 1_000
"""How many calls may wait or run at once when nothing else is said."""


class Work:
    """Calls that score. Close it, so that its threads end."""

    def __init__(self, threads: int, most: int = MOST_WAITING) -> None:
        self.most = most
        self._pool = ThreadPoolExecutor(threads, "score")
        self._count = 0
        self._lock = Lock()

    @property
    def waiting(self) -> int:
        """The number of calls that wait or run."""
        return self._count

    async def one(self, call: Callable[..., _Made], *given: Any) -> _Made:
        """Return what a call returns. Raise Refused when the queue is full."""
        (made,) = await self.all([lambda: call(*given)])
        return made

    async def all(self, calls: Sequence[Callable[[], _Made]]) -> list[_Made]:
        """Return what calls return, in their order. Raise Refused when the queue has no room for all of them."""
        self._enter(len(calls))
        futures = [self._pool.submit(call) for call in calls]
        for future in futures:
            future.add_done_callback(self._leave)
        try:
            return await asyncio.gather(*map(asyncio.wrap_future, futures))
        finally:
            # a client that went away, or a call that failed, leaves calls that nobody waits for
            for future in futures:
                future.cancel()

    def close(self) -> None:
        """Drop the calls that wait, and wait for those that run."""
        self._pool.shutdown(cancel_futures=True)

    def _enter(self, count: int) -> None:
        if count > self.most:
            raise Refused(413, f"The queue has {self.most:,} places: send fewer answers at once.")
        with self._lock:
            if self._count + count > self.most:
                raise Refused(429, f"The queue is full: {self._count:,} of {self.most:,} places are taken. Try again.")
            self._count += count

    def _leave(self, _: Future[Any]) -> None:
        with self._lock:
            self._count -= 1
