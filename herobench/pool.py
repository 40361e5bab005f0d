"""Worker processes for work in bulk. Results come in order and in constant memory, however many processes there are."""

from __future__ import annotations

import signal
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import Any, TypeVar

from herobench.ahead import in_order
from herobench.errors import UsageError

_Given = TypeVar("_Given")
_Made = TypeVar("_Made")


def in_processes(
    work: Callable[[_Given], _Made],
    things: Iterable[_Given],
    jobs: int,
    start: Callable[..., None] | None = None,
    arguments: tuple[Any, ...] = (),
) -> Generator[_Made]:
    """Yield what a work makes of some inputs, in order, in new processes that begin with a call of `start`.

    The work must be a module-level function, and the main module must be importable, as always with multiprocessing.
    Close the generator if you stop early, so that its workers end.
    """
    # Spawn, not fork: a fork of a process with threads can deadlock.
    pool = _Pool(jobs, get_context("spawn"), _start, (start, arguments))
    try:
        yield from in_order(pool, jobs, work, things)
    except BrokenProcessPool as error:
        raise UsageError(
            "A process that works for this one ended early. A Python program that starts such processes keeps its own "
            'work under `if __name__ == "__main__":`, or asks for one process.'
        ) from error
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


class _Pool(ProcessPoolExecutor):
    """A pool whose processes begin without interrupts: one that comes while they import would print a traceback."""

    def submit(self, *call: Any, **named: Any) -> Future[Any]:
        """Submit a call, which may start a process."""
        # a process inherits the mask; this one gets a signal that came in the meantime as soon as it is unmasked
        before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
        try:
            return super().submit(*call, **named)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _start(start: Callable[..., None] | None, arguments: tuple[Any, ...]) -> None:
    """Start a worker process. It ignores interrupts: the parent process handles them."""
    # Ctrl-C reaches every process of the terminal; only the parent should report it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if start is not None:
        start(*arguments)
