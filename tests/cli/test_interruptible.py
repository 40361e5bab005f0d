"""Ctrl-C in a wait for the keyboard, also one that comes just before the wait."""

import os
import signal
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest

from herobench.cli.interruptible import interruptible


class Keyboard:
    """A standard input that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc")
def test_an_interrupt_that_was_noted_just_before_a_wait_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", Keyboard())
    before = signal.getsignal(signal.SIGALRM)
    own, theirs = os.pipe()
    ended = threading.Event()
    woken: list[str] = []
    waiter = Path(f"/proc/self/task/{threading.get_native_id()}/stat")

    def interrupt() -> None:
        looks = 0
        # asleep at each of many looks: not for want of the interpreter, but in the wait
        while looks < 20:
            looks = looks + 1 if waiter.read_text().rpartition(")")[2].split()[0] == "S" else 0
            time.sleep(0.001)
        # a signal that another thread takes is noted for the main thread, and does not wake it
        signal.pthread_kill(threading.get_ident(), signal.SIGINT)
        if not ended.wait(30):
            woken.append("by a key, so that the test fails rather than hangs")
            os.write(theirs, b"x")

    thread = threading.Thread(target=interrupt)
    thread.start()
    with pytest.raises(KeyboardInterrupt), interruptible():
        os.read(own, 1)
    ended.set()
    thread.join()
    assert not woken
    os.close(own)
    os.close(theirs)
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    assert signal.getsignal(signal.SIGALRM) == before


def test_an_interrupt_that_was_thrown_away_comes_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", Keyboard())
    before = signal.getsignal(signal.SIGINT)

    def wait() -> None:
        # as readline does with whatever its completer raises
        with suppress(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        time.sleep(30)

    with pytest.raises(KeyboardInterrupt), interruptible():
        wait()
    assert signal.getsignal(signal.SIGINT) == before
