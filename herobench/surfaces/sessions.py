"""Attempts that clients of a server play turn by turn: a bounded number, and each expires when nobody plays it."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from threading import Lock
from typing import Any, TypeVar
from weakref import WeakSet

from herobench.conversation import Message
from herobench.data.errors import HeroBenchError, UsageError, quoted
from herobench.scorer import Play, Result, Said, Scorer, TaskQuery
from herobench.scorer.play import reply_of, size_of


class Refused(HeroBenchError):
    """Raised when a client asks for something missing, impossible now, or too large. The message says why."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status
        """The status code of HTTP for the reason, such as 404."""


def refuse_window(wanted: TaskQuery) -> None:
    """Raise UsageError for a window: clients of a surface that keep the conversation say what a model is sent."""
    if "window" in dict(wanted.others):
        raise UsageError("window says which turns a model is sent. Here that is up to whoever asks it: leave it out.")


def refuse_unknown_task(scorer: Scorer, task_id: str) -> None:
    """Raise Refused when there is no such task."""
    if task_id not in scorer.tasks:
        raise Refused(
            404, f"There is no task {quoted(task_id)} among the {len(scorer.tasks):,} tasks of {scorer.dataset}."
        )


_Made = TypeVar("_Made")

MOST_WAITING = 1_000
"""How many calls may wait or run at once when nothing else is said."""


class ScoringQueue:
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


MOST_SESSIONS = 256
"""How many sessions may be open at once when nothing else is said."""
EXPIRY = 600.0
"""Seconds without a call after which a session is closed, when nothing else is said."""


class ClientSession:
    """An attempt of one client. A client takes one turn at a time."""

    def __init__(self, key: str, play: Play, now: float) -> None:
        self.key = key
        self.play = play
        self.used = now
        self._lock = Lock()

    @property
    def busy(self) -> bool:
        """True while a turn is being played."""
        return self._lock.locked()

    @contextmanager
    def turn(self, *, wait: bool = False) -> Iterator[Play]:
        """Play for as long as the context. While another call plays, wait, or raise Refused."""
        if not self._lock.acquire(blocking=wait):
            raise Refused(409, "The session takes one call at a time: wait for the answer to the one before.")
        try:
            yield self.play
        finally:
            self._lock.release()

    def result(self) -> Result:
        """Return the verdict on the turns so far."""
        with self.turn() as play:
            return play.result()


class Sessions:
    """The sessions of a server. Threads may share them."""

    def __init__(
        self,
        scorer: Scorer,
        most: int = MOST_SESSIONS,
        expiry: float = EXPIRY,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._scorer, self._most, self._expiry, self._clock = scorer, most, expiry, clock
        self._open: dict[str, ClientSession] = {}
        self._lock = Lock()

    def __len__(self) -> int:
        with self._lock:
            self._expire()
            return len(self._open)

    def open(self, task_id: str, epoch: int = 0) -> ClientSession:
        """Start an attempt. Raise Refused when there is no such task, or too many sessions are open."""
        refuse_unknown_task(self._scorer, task_id)
        self._refuse_if_full()
        session = ClientSession(secrets.token_urlsafe(16), self._scorer.play(task_id, epoch), self._clock())
        with self._lock:
            self._refuse_if_full_now()  # others may have come while the attempt began
            self._open[session.key] = session
        return session

    def at(self, key: str) -> ClientSession:
        """Return an open session, which lives on from now. Raise Refused when there is none."""
        with self._lock:
            self._expire()
            session = self._found(key)
            session.used = self._clock()
            return session

    def close(self, key: str) -> ClientSession:
        """Take a session out, so that its result can be read once. Raise Refused when there is none."""
        with self._lock:
            session = self._found(key)
            if session.busy:
                raise Refused(409, "The session is in the middle of a turn: wait for its answer before you close it.")
            return self._open.pop(key)

    def end(self, key: str) -> Result:
        """Return the result of a session, and take it out. It stays when this fails, so that a client can try again."""
        result = self.at(key).result()
        self.close(key)
        return result

    def _found(self, key: str) -> ClientSession:
        if key not in self._open:
            raise Refused(
                404, f"There is no such session. One ends when it is closed, or unused for {self._expiry:g} s."
            )
        return self._open[key]

    def _refuse_if_full(self) -> None:
        with self._lock:
            self._refuse_if_full_now()

    def _refuse_if_full_now(self) -> None:
        self._expire()
        if len(self._open) >= self._most:
            raise Refused(429, f"All {self._most:,} sessions are taken: close one, or try again later.")

    def _expire(self) -> None:
        oldest = self._clock() - self._expiry
        for key in [key for key, session in self._open.items() if session.used < oldest and not session.busy]:
            del self._open[key]


MOST = 16 * 2**20
"""The most characters of a conversation: four times what the longest contexts of models hold."""
IN_ALL = 16 * MOST
"""The most characters of all conversations of a process. Short conversations continue nevertheless."""
_SHORT = MOST // 16

_played: WeakSet[Play] = WeakSet()
_lock = Lock()


def say_within(play: Play, said: Said, most: int = MOST, in_all: int = IN_ALL) -> Sequence[Message]:
    """Play a turn. Raise Refused, and leave the attempt as it is, when conversations would hold more characters."""
    reply = reply_of(said)
    size = play.size + size_of(reply)
    if size > most:
        raise Refused(
            413,
            f"The conversation of an attempt may have {most:,} characters, and with this turn it has more: say less, "
            "or end the attempt, which is scored by its turns so far.",
        )
    with _lock:
        _played.add(play)
        others = sum(one.size for one in _played if one is not play)
    if size > _SHORT and others + size > in_all:
        raise Refused(
            429,
            f"The conversations of all attempts have more than {in_all:,} characters. Until others end, those of more "
            f"than {_SHORT:,} take no turns: end the attempt, or try again later.",
        )
    return play.say(reply)
