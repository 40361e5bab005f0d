"""Reads what a player does: single keys where there is a terminal, else lines."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

HELP = "arrows; space or . for noop; c to click; r to start again; q to quit"
_ESCAPES = {b"A": "up", b"B": "down", b"C": "right", b"D": "left"}
_KEYS = {b" ": "noop", b".": "noop", b"c": "click", b"r": "reset", b"q": "quit", b"\x04": "quit", b"": "quit"}
_WORDS = {"": "noop", "l": "left", "r": "right", "u": "up", "d": "down", "q": "quit", "n": "noop"}


def lines() -> Iterator[str]:
    """Yield what lines say: an action, its first letter, `reset` or `quit`. An empty line is a noop."""
    for line in sys.stdin:
        word = line.strip()
        yield _WORDS.get(word, word)


@contextmanager
def single_keys(descriptor: int) -> Iterator[None]:
    """Let a terminal hand over each key at once, and put it back as it was."""
    import termios
    import tty

    before = termios.tcgetattr(descriptor)
    tty.setcbreak(descriptor, termios.TCSADRAIN)  # which keeps what was typed ahead
    try:
        yield
    finally:
        termios.tcsetattr(descriptor, termios.TCSADRAIN, before)


def key(descriptor: int) -> str:
    """Wait for a key that means something, and return what it means."""
    while True:
        pressed = os.read(descriptor, 1)
        meant = _KEYS.get(pressed, "")
        if pressed == b"\x1b" and os.read(descriptor, 1) in (b"[", b"O"):
            meant = _ESCAPES.get(os.read(descriptor, 1), "")
        if meant:
            return meant
