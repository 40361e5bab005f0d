"""Worker processes for work in bulk. Results come in order and in constant memory, however many processes there are.

A process may be killed, for example where memory runs out. What it worked on is then given to new processes, so a
killed process costs time and never a result. Work that ends its process each time is told in a sentence.
"""

from __future__ import annotations

import signal
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from functools import partial
from itertools import chain, islice
from multiprocessing import get_context
from types import FrameType
from typing import Any, Generic, TypeVar

from herobench.data.errors import UsageError
from herobench.work.ahead import AHEAD

_Given = TypeVar("_Given")
_Made = TypeVar("_Made")

_SECONDS_BETWEEN_LOOKS = 2.0
"""The time between two looks whether all processes live, while a result is waited for."""
_STARTS = 3
"""The most times that processes are started for one result."""


def in_processes(
    work: Callable[[_Given], _Made],
    things: Iterable[_Given],
    jobs: int,
    start: Callable[..., None] | None = None,
    arguments: tuple[Any, ...] = (),
    at_a_time: int = 1,
) -> Generator[_Made]:
    """Yield what a work makes of some inputs, in order, in new processes that begin with a call of `start`.

    A process is handed so many inputs `at_a_time`: several for work that is done in milliseconds.

    The work must be a module-level function that makes the same of the same input, since an input is given out again
    when a process ends early. The main module must be importable, as always with multiprocessing. Close the generator
    if you stop early, so that its workers end.
    """
    crew = _Crew(partial(_each, work), jobs, start, arguments)
    stream = iter(things)
    try:
        while batch := list(islice(stream, at_a_time)):
            crew.give(batch)
            if len(crew.waiting) > jobs * AHEAD:  # the bound on memory: inputs are taken only as results leave
                yield from crew.next()
        while crew.waiting:
            yield from crew.next()
    finally:
        crew.end()


def worth_processes(things: Iterable[_Given], jobs: int, each: int) -> tuple[bool, Iterator[_Given]]:
    """Return whether so many inputs come that `jobs` processes pay for their start, and all of the inputs.

    `each` is the number of inputs that pays for one process.
    """
    stream = iter(things)
    first = list(islice(stream, jobs * each)) if jobs > 1 else []
    return jobs > 1 and len(first) == jobs * each, chain(first, stream)


def _each(work: Callable[[_Given], _Made], batch: list[_Given]) -> list[_Made]:
    return [work(thing) for thing in batch]


class _Crew(Generic[_Given, _Made]):
    """Processes, and the inputs whose results have not left yet. New processes take over from those that ended."""

    def __init__(
        self,
        work: Callable[[_Given], _Made],
        jobs: int,
        start: Callable[..., None] | None,
        arguments: tuple[Any, ...],
    ) -> None:
        self.waiting: deque[tuple[_Given, Future[_Made]]] = deque()
        self._work = work
        self._jobs = jobs
        self._start = (start, arguments)
        self._pool = self._started()
        self._working = False
        """True when a result has left."""

    def give(self, thing: _Given) -> None:
        """Give an input to the processes."""
        try:
            future = self._pool.submit(self._work, thing)
        except BrokenProcessPool as error:
            future = Future()
            future.set_exception(error)  # it is given out again with those before it
        self.waiting.append((thing, future))

    def next(self) -> _Made:
        """Return the next result."""
        for _ in range(_STARTS - 1):
            with suppress(BrokenProcessPool):
                return self._first()
            if not (self._working or any(not _is_lost(future) for _, future in self.waiting)):
                break  # they cannot even start: to try again would print their tracebacks again
            self._start_anew()
        try:
            return self._first()
        except BrokenProcessPool as error:
            raise UsageError(
                "A process that works for this one ended early. If the memory is used up, ask for fewer processes. A "
                "Python program that starts such processes keeps its own work under "
                '`if __name__ == "__main__":`, or asks for one process.'
            ) from error

    def end(self) -> None:
        """End the processes, and wait for it. Work that nobody waits for any more is not done to its end."""
        if self.waiting:
            self._pool.terminate()
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _first(self) -> _Made:
        future = self.waiting[0][1]
        while not wait([future], _SECONDS_BETWEEN_LOOKS).done:
            self._pool.look()
        made = future.result()
        self.waiting.popleft()
        self._working = True
        return made

    def _start_anew(self) -> None:
        """Give all inputs without a result to new processes. Results that are there are kept."""
        self.end()
        self._pool = self._started()
        waiting, self.waiting = self.waiting, deque()
        for thing, future in waiting:
            if _is_lost(future):
                self.give(thing)
            else:
                self.waiting.append((thing, future))

    def _started(self) -> _Pool:
        # Spawn, not fork: a fork of a process with threads can deadlock.
        return _Pool(self._jobs, get_context("spawn"), _begin, self._start)


def _is_lost(future: Future[Any]) -> bool:
    """Return whether a call will have no result, now that its processes have ended."""
    return not future.done() or future.cancelled() or isinstance(future.exception(), BrokenProcessPool)


class _Pool(ProcessPoolExecutor):
    """A pool that is not interrupted while it starts processes: one that it has not noted yet would never end."""

    def submit(self, *call: Any, **named: Any) -> Future[Any]:
        """Submit a call, which may start processes."""
        with _without_interrupts():
            return super().submit(*call, **named)

    def look(self) -> None:
        """End all processes if one was killed and the pool does not notice.

        It waits for ever for the rest of a result that a process was about to tell.
        """
        if any(not process.is_alive() for process in list((self._processes or {}).values())):
            self.terminate()
            results: Any = self._result_queue
            results._writer.close()  # the last end to write to: now the pool is told that nothing comes

    def terminate(self) -> None:
        """End the processes amid their work. Their sandboxes end when they do."""
        for process in list((self._processes or {}).values()):
            process.terminate()


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Put off interrupts. One that comes meanwhile is handled at the end.

    New processes inherit the mask: an interrupt that comes while they import would print a traceback. For this process
    the mask is not enough, since a thread of a library, such as numpy's, may take the signal.
    """
    handler = signal.getsignal(signal.SIGINT)
    by_python = threading.current_thread() is threading.main_thread() and callable(handler)
    came = False

    def note(number: int, frame: FrameType | None) -> None:
        nonlocal came
        came = True

    if by_python:
        signal.signal(signal.SIGINT, note)
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        if by_python:
            signal.signal(signal.SIGINT, handler)
        if came:
            signal.raise_signal(signal.SIGINT)


def _begin(start: Callable[..., None] | None, arguments: tuple[Any, ...]) -> None:
    """Start a worker process. It ignores interrupts: the parent process handles them."""
    # Ctrl-C reaches every process of the terminal; only the parent should report it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if start is not None:
        start(*arguments)
