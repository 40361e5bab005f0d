"""Limit how fast a server is asked: requests at once, requests a minute, tokens a minute.

The number of requests at once is fixed, or adapts to the server.
"""

from __future__ import annotations

import asyncio
import resource
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import partial
from time import monotonic

from herobench.data.errors import UsageError
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

    def place(self, tokens: int = 0) -> AbstractAsyncContextManager[RequestTurn]:
        """Hold a place for a request of some tokens. A ModelError that leaves the block tells how the server fares."""
        return _Place(self, tokens)

    async def take(self) -> int:
        """Wait for a place. Return how often the window has shrunk."""
        await self._free.acquire()
        return self._shrinks

    def give_back(self, error: BaseException | None, shrinks: int) -> None:
        """Give a place back. `error` is how its request ended, `shrinks` what `take` returned."""
        if error is None:
            # a window that is not full says nothing about a larger one
            if self._adaptive and self._free.locked():
                self._size = min(float(self._most), self._size + (1 / self.size if self._shrinks else 1))
        # requests that were in flight together fail together: only the first of them counts
        elif self._is_crowded(error) and shrinks == self._shrinks:
            self._shrinks += 1
            self._size = max(1.0, self.size / 2)
        if self._places > self.size:
            self._places -= 1
        else:
            self._free.release()
        while self._places < self.size:
            self._free.release()
            self._places += 1

    def _is_crowded(self, error: BaseException) -> bool:
        return self._adaptive and isinstance(error, ModelError) and error.kind in _CROWDED


class _Place(AbstractAsyncContextManager["RequestTurn"]):
    """A request's place in a window. It is a class because a generator would take longer than many a turn."""

    __slots__ = ("_shrinks", "_tokens", "_window")

    def __init__(self, window: Window, tokens: int) -> None:
        self._window, self._tokens = window, tokens

    async def __aenter__(self) -> RequestTurn:
        self._shrinks = await self._window.take()
        return RequestTurn(0.0, self._tokens)

    async def __aexit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        self._window.give_back(error, self._shrinks)


MINUTE = 60.0
_OTHER_FILES = 200
"""File descriptors for everything that is not a connection: files, pipes to workers, libraries."""


_ON_THE_WAY = 0.5
"""The seconds within which a request that has left has surely arrived."""


@dataclass(slots=True)
class RequestTurn:
    """One request that has begun. `tokens` is a guess until the caller corrects it."""

    begun: float
    tokens: int
    left: bool = False
    """True once the request has left. `begun` is then the time at which it arrives."""


_leave: ContextVar[Callable[[], None] | None] = ContextVar("leave", default=None)
"""Notes that a request of the present turn has left."""


def request_left() -> None:
    """Note that a request has been sent. One that is sent again within its turn counts twice."""
    if leave := _leave.get():
        leave()


class Pace:
    """Lets requests begin one after the other, in the order in which they came."""

    def __init__(
        self,
        connections: int | Window,
        requests: int | None = None,
        tokens: int | None = None,
        clock: Callable[[], float] = monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._window = Window(connections) if isinstance(connections, int) else connections
        self._requests = requests
        self._tokens = tokens
        self._clock = clock
        self._sleep = sleep
        self._recent: deque[RequestTurn] = deque()
        self._door = asyncio.Lock()

    def turn(self, guess: int) -> AbstractAsyncContextManager[RequestTurn]:
        """Hold a connection for one request of about this many tokens."""
        # without limits a minute, nothing needs to be remembered
        is_limited = self._requests is not None or self._tokens is not None
        return self._limited_turn(guess) if is_limited else self._window.place(guess)

    @asynccontextmanager
    async def _limited_turn(self, guess: int) -> AsyncIterator[RequestTurn]:
        async with self._window.place(guess) as turn:
            # One request at a time waits for its minute, so that a small one never overtakes a large one for ever.
            async with self._door:
                while wait := self._to_wait(guess):
                    await self._sleep(wait)
                turn.begun = self._clock()
                self._recent.append(turn)
            _leave.set(partial(self._left, turn))
            yield turn

    def _left(self, turn: RequestTurn) -> None:
        arrives = self._clock() + _ON_THE_WAY
        if turn.left:
            self._recent.append(RequestTurn(arrives, 0, left=True))
        else:
            turn.begun, turn.left = arrives, True

    def _to_wait(self, guess: int) -> float:
        """Return the seconds until the oldest request no longer counts; 0 where a request may begin."""
        now = self._clock()
        while self._recent and self._recent[0].begun <= now - MINUTE:
            self._recent.popleft()
        if not self._recent:
            return 0.0  # also for a request that is larger than the limit of a minute: it would never begin otherwise
        crowded = self._requests is not None and len(self._recent) >= self._requests
        spent = self._tokens is not None and sum(turn.tokens for turn in self._recent) + guess > self._tokens
        # Rounding may make the wait 0, which would mean no wait.
        return max(self._recent[0].begun + MINUTE - now, 0.001) if crowded or spent else 0.0


def allow_descriptors(connections: int) -> None:
    """Raise this process's limit of open files so far that it can hold these connections.

    Each connection takes a file descriptor, and the usual limit is 1,024. Raises UsageError where the system's own
    limit is lower than that.
    """
    wanted = connections + _OTHER_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return
    if hard != resource.RLIM_INFINITY and hard < wanted:
        told = f"{connections} connections need {wanted} open files, and the system allows {hard}"
        most = hard - _OTHER_FILES
        raise UsageError(f"{told}: give at most {most} connections." if most > 0 else f"{told}.")
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
