"""Waits for the keyboard that Ctrl-C ends at any moment.

Python runs its handler of Ctrl-C between two steps of a program. A Ctrl-C that comes just before a call that waits, for
example while readline draws its prompt, is only noted, and the call would wait on until the next key. One that comes
while readline asks how a word goes on is thrown away. A signal of the clock wakes the call a few times a second, and
its handler looks whether there was a Ctrl-C.
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
    looks: int | None = None  # until a Ctrl-C that was thrown away is raised again; None before there is one

    def press(number: int, frame: FrameType | None) -> None:
        nonlocal looks
        looks = 1
        raise KeyboardInterrupt

    def look(number: int, frame: FrameType | None) -> None:
        nonlocal looks
        if looks == 0:
            raise KeyboardInterrupt
        # not at the first look, which may come while the first KeyboardInterrupt is on its way out
        looks = None if looks is None else looks - 1

    before = {signal.SIGINT: signal.signal(signal.SIGINT, press), signal.SIGALRM: signal.signal(signal.SIGALRM, look)}
    try:
        signal.setitimer(signal.ITIMER_REAL, _SECONDS, _SECONDS)
        yield
    finally:
        # the clock first: the handler of before may end the program
        signal.setitimer(signal.ITIMER_REAL, 0)
        for number, handler in before.items():
            signal.signal(number, handler)
