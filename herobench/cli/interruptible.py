"""Waits for the keyboard that Ctrl-C ends at any moment.

Python runs its handler of Ctrl-C between two steps of a program. A Ctrl-C that comes just before a call that waits, for
example while readline draws its prompt, is only noted, and the call would wait on until the next key. A signal of the
clock wakes the call a few times a second, and Python looks at what was noted.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_SECONDS = 0.2
"""The time between two looks. Nobody notices so short a delay."""


@contextmanager
def interruptible() -> Iterator[None]:
    """Let Ctrl-C end what waits inside, also one that came just before. Without a keyboard nothing is done."""
    if not sys.stdin.isatty():
        yield
        return
    before = signal.signal(signal.SIGALRM, _look)
    try:
        signal.setitimer(signal.ITIMER_REAL, _SECONDS, _SECONDS)
        yield
    finally:
        # the clock first: the handler of before may end the program
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _look(number: int, frame: FrameType | None) -> None:
    """Do nothing: that a handler runs is enough for Python to look at other signals."""
