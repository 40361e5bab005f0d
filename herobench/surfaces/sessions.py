"""Attempts that clients of a server play turn by turn: a bounded number, and each expires when nobody plays it."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock

from herobench.scorer import Play, Result, Scorer
from herobench.surfaces.refused import Refused, refuse_unknown

MOST_SESSIONS = 256
"""How many sessions may be open at once when nothing else is said."""
EXPIRY = 600.0
"""Seconds without a call after which a session is closed, when nothing else is said."""


class Session:
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
        self._open: dict[str, Session] = {}
        self._lock = Lock()

    def __len__(self) -> int:
        with self._lock:
            self._expire()
            return len(self._open)

    def open(self, task_id: str, epoch: int = 0) -> Session:
        """Start an attempt. Raise Refused when there is no such task, or too many sessions are open."""
        refuse_unknown(self._scorer, task_id)
        self._refuse_if_full()
        session = Session(secrets.token_urlsafe(16), self._scorer.play(task_id, epoch), self._clock())
        with self._lock:
            self._refuse_if_full_now()  # others may have come while the attempt began
            self._open[session.key] = session
        return session

    def at(self, key: str) -> Session:
        """Return an open session, which lives on from now. Raise Refused when there is none."""
        with self._lock:
            self._expire()
            session = self._found(key)
            session.used = self._clock()
            return session

    def close(self, key: str) -> Session:
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

    def _found(self, key: str) -> Session:
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
