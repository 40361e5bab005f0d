"""Lend things that are dear to start: one at first, and further ones when the waiting has cost as much as a start.

A worker of the sandbox takes longer to start than most plans to run, so a few plans are played sooner by one worker
than by several. How long plans take is not known before, so waiting is added up: whenever borrowers have waited as long
as a start takes, one more thing is lent. Nobody then loses more than that time over the best number of things.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from threading import Condition
from time import monotonic
from typing import Generic, TypeVar

_Thing = TypeVar("_Thing")

START_SECONDS = 0.2
"""About how long a start takes."""


class Lending(Generic[_Thing]):
    """Things that threads borrow, each of which starts at its first use.

    `start` starts a thing, and does nothing with one that has started. It is called for the first thing only."""

    def __init__(self, things: Iterable[_Thing], start: Callable[[_Thing], object]) -> None:
        self._start = start
        self._fresh = deque(things)
        """Those that nobody had yet."""
        self._free: deque[_Thing] = deque()
        """Those that somebody had and gave back."""
        self._begun = False
        """True when a thing has started or failed to."""
        self._lent = 0
        self._waited = 0.0
        """The seconds that all borrowers together have waited since a fresh thing was lent."""
        self._changed = Condition()

    @contextmanager
    def lent(self) -> Iterator[_Thing]:
        """Lend a thing. What starting the first one raises is raised."""
        thing = self._take()
        try:
            if not self._begun:
                self._begin(thing)
            yield thing
        finally:
            with self._changed:
                self._lent -= 1
                self._free.append(thing)
                self._changed.notify()

    def _begin(self, thing: _Thing) -> None:
        """Start the first thing."""
        try:
            self._start(thing)
        finally:
            with self._changed:
                self._begun = True
                # All who wait have to look at the clock from now on: what the thing does next may take long.
                self._changed.notify_all()

    def _take(self) -> _Thing:
        with self._changed:
            while True:
                if self._free:
                    thing = self._free.pop()
                elif self._fresh and self._is_another_due():
                    self._waited = 0.0
                    thing = self._fresh.popleft()
                else:
                    self._wait()
                    continue
                self._lent += 1
                return thing

    def _is_another_due(self) -> bool:
        """Return whether a fresh thing is lent: the first at once, others when the waiting has cost a start."""
        return not self._lent or (self._begun and self._waited >= START_SECONDS)

    def _wait(self) -> None:
        """Wait until a thing is given back, or a fresh one is due."""
        if not (self._begun and self._fresh):
            # Nothing to weigh: while the first thing starts, another would be ready later.
            self._changed.wait()
            return
        began = monotonic()
        self._changed.wait(START_SECONDS - self._waited)
        self._waited += monotonic() - began
