"""The number of requests that may be in flight: fixed, or adapted to what the server bears.

An adaptive window begins small. Each reply that comes while the window is full makes it larger, and each sign that the
server is crowded halves it: after the first such sign it grows by one a round only, so that it settles below what the
server refuses (additive increase, multiplicative decrease). `pace` asks for a place before each request.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from herobench.models.model_error import ErrorKind, ModelError

_FIRST = 2
"""The places of an adaptive window at the start."""
_CROWDED = {ErrorKind.RATE_LIMIT, ErrorKind.SERVER, ErrorKind.TIMEOUT, ErrorKind.CONNECTION}
"""The errors by which a server shows that it has too much to do."""


class Window:
    """Gives out places to requests, in the order in which they came."""

    def __init__(self, most: int, *, adaptive: bool = False) -> None:
        self._most = most
        self._adaptive = adaptive
        self._size = float(min(most, _FIRST) if adaptive else most)
        self._places = self.size
        """The places that are held or free. After a shrink they are more than the size, until requests end."""
        self._free = asyncio.Semaphore(self._places)
        self._shrinks = 0

    @property
    def size(self) -> int:
        """The number of requests that may be in flight now."""
        return int(self._size)

    @asynccontextmanager
    async def place(self) -> AsyncIterator[None]:
        """Hold a place for one request. A ModelError that leaves the block tells how the server fares."""
        await self._free.acquire()
        shrinks = self._shrinks
        try:
            yield
        except ModelError as error:
            # requests that were in flight together fail together: only the first of them counts
            if self._adaptive and error.kind in _CROWDED and shrinks == self._shrinks:
                self._shrinks += 1
                self._size = max(1.0, self.size / 2)
            raise
        else:
            # a window that is not full says nothing about a larger one
            if self._adaptive and self._free.locked():
                self._size = min(float(self._most), self._size + (1 / self.size if self._shrinks else 1))
        finally:
            self._give_back()

    def _give_back(self) -> None:
        if self._places > self.size:
            self._places -= 1
        else:
            self._free.release()
        while self._places < self.size:
            self._free.release()
            self._places += 1
