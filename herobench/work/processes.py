"""Worker processes of this machine, each at a pipe of its own.

A process may be killed, for example because memory runs out. Its pipe then ends, also amid a message, so the parent
learns of it at once: a new process takes over its calls. A pool of the standard library or of loky has one pipe for
all results, and waits for ever for the rest of a message of a killed process.

Ctrl-C reaches all processes of a terminal. Workers ignore it: the parent ends them, and reports it once.
"""

from __future__ import annotations

import pickle
import signal
import threading
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import count
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import Connection, wait
from queue import SimpleQueue
from types import FrameType
from typing import Any, Generic

from herobench.data.errors import UsageError
from herobench.work.engine import Given, Lost, Made, Work

_HELD = 2
"""The calls of a process: one that it works on, and one that waits for its turn."""
_HELLO = "hello"


class Processes(Generic[Given, Made]):
    """A crew of processes that do a work on batches of inputs. They start at their first call."""

    losses, tries = 3, 1

    def __init__(self, work: Work[Given, Made], processes: int) -> None:
        self._work = work
        self._workers: list[_Worker | None] = [None] * processes
        self._handles = count()
        self._has_worked = False

    @property
    def width(self) -> int:
        """The number of calls that the processes hold."""
        return _HELD * len(self._workers)

    def submit(self, given: Sequence[Given]) -> object:
        """Hand a batch to the process that has least to do."""
        handle = next(self._handles)
        place = min(range(len(self._workers)), key=lambda at: len(self._calls(at)))
        worker = self._workers[place]
        if worker is None:
            resource_tracker.ensure_running()  # its start would end the mask of interrupts
            with _without_interrupts():  # a process that is not noted yet would never end
                worker = self._workers[place] = _Worker(self._work)
        worker.calls.append(handle)
        with suppress(OSError):  # it is dead, which `ended` finds out
            worker.pipe.send(given)
        return handle

    def ended(self, handles: Iterable[object]) -> Sequence[tuple[object, list[Made] | BaseException]]:
        """Wait for a message of a process, or for its end."""
        pipes = {worker.pipe: place for place, worker in enumerate(self._workers) if worker and worker.calls}
        return [end for pipe in wait(list(pipes)) for end in self._heard(pipes[pipe])]  # type: ignore[index]

    def drop(self, handles: Iterable[object]) -> None:
        """End the processes. They do not finish calls that nobody waits for. Their sandboxes end when they do."""
        at_work = bool(list(handles))
        workers = [worker for worker in self._workers if worker is not None]
        for worker in workers:
            worker.pipe.close()
            if at_work:
                worker.process.terminate()
        for worker in workers:
            worker.process.join()
        self._workers = [None] * len(self._workers)

    def __enter__(self) -> Processes[Given, Made]:
        return self

    def __exit__(self, *_: object) -> None:
        self.drop(())

    def _calls(self, place: int) -> deque[object]:
        worker = self._workers[place]
        return worker.calls if worker else deque()

    def _heard(self, place: int) -> Iterator[tuple[object, list[Made] | BaseException]]:
        """Yield the calls of a process that ended by its next message, or by its end."""
        worker = self._workers[place]
        assert worker is not None
        try:
            message = worker.pipe.recv()
        except (EOFError, OSError):
            self._workers[place] = None
            worker.pipe.close()
            worker.process.join()
            if not (worker.has_begun or self._has_worked):
                # it cannot even start: another one would print its traceback again
                raise UsageError(_ENDED_EARLY) from None
            yield from ((handle, Lost(_ENDED_EARLY)) for handle in worker.calls)
            return
        if message == _HELLO:
            worker.has_begun = True
            return
        self._has_worked = True
        yield worker.calls.popleft(), message


_ENDED_EARLY = (
    "A worker process ended early. If the memory is used up, ask for fewer processes. A Python program that starts "
    'processes keeps its own work under `if __name__ == "__main__":`, or asks for one process.'
)


class _Worker:
    """A process, its pipe, and the calls that it was handed and has not answered."""

    def __init__(self, work: Work[Any, Any]) -> None:
        context = get_context("spawn")  # a fork of a process with threads can deadlock
        self.calls: deque[object] = deque()
        self.has_begun = False
        self.pipe, other = context.Pipe()
        self.process = context.Process(target=_serve, args=(other, work), daemon=True)
        self.process.start()
        other.close()  # so that the pipe ends when the process does


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


# -- in a worker process ----------------------------------------------------------------------------------------------


def _serve(pipe: Connection, work: Work[Any, Any]) -> None:
    """Answer each batch with a list of results or with an exception, until the parent closes the pipe."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    batches: SimpleQueue[Sequence[Any] | None] = SimpleQueue()
    # read at once: a parent that waits to send would not read our results
    threading.Thread(target=_read, args=(pipe, batches), daemon=True).start()
    with suppress(BrokenPipeError, ConnectionResetError):  # the parent has stopped early
        pipe.send(_HELLO)
        _answer(pipe, batches, work)


def _answer(pipe: Connection, batches: SimpleQueue[Sequence[Any] | None], work: Work[Any, Any]) -> None:
    try:
        with work.open(1) as make:
            while (batch := batches.get()) is not None:
                try:
                    pipe.send_bytes(pickle.dumps([make(given) for given in batch]))
                except Exception as error:
                    _tell(pipe, error)
    except BrokenPipeError:
        raise
    except Exception as error:  # it could not be opened
        while batches.get() is not None:
            _tell(pipe, error)


def _tell(pipe: Connection, error: Exception) -> None:
    if isinstance(error, BrokenPipeError | ConnectionResetError):
        raise error
    try:
        told = pickle.dumps(error)
        pickle.loads(told)  # noqa: S301 - our own bytes: some exceptions cannot be made again
    except Exception:
        told = pickle.dumps(RuntimeError(f"{type(error).__name__}: {error}"))
    pipe.send_bytes(told)


def _read(pipe: Connection, batches: SimpleQueue[Sequence[Any] | None]) -> None:
    """Put what the parent sends into a queue, and None at the end."""
    with suppress(EOFError, OSError):
        while True:
            batches.put(pipe.recv())
    batches.put(None)
