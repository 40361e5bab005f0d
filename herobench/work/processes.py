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
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import Connection, wait
from queue import SimpleQueue
from types import FrameType
from typing import Any, Generic

from herobench.data.errors import UsageError
from herobench.work.engine import Given, Made, Work

_HELD = 2
"""The batches of a process: one that it works on, and one that waits for its turn."""
_AHEAD = 2
"""Batches whose results wait to leave, for each one that processes hold."""
_MOST_LOSSES = 3
"""The number of processes that may die over a batch before it is given up."""
_HELLO = "hello"


class _Batch(Generic[Given, Made]):
    """Inputs that a process is handed together, and what came of them."""

    def __init__(self, things: Sequence[Given]) -> None:
        self.things = things
        self.outcome: list[Made] | Exception | None = None
        """The results, or the exception of the work; None until a process answers."""
        self.losses = 0
        """The number of processes that died over it."""


class Processes(Generic[Given, Made]):
    """Processes that do a work on batches of inputs. They start with their first batch."""

    def __init__(self, work: Work[Given, Made], processes: int) -> None:
        self._work = work
        self._workers: list[_Worker | None] = [None] * processes
        self._has_worked = False

    def results(self, batches: Iterable[Sequence[Given]]) -> Iterator[list[Made]]:
        """Yield the results of batches in order. Raise the exception of a batch when it is its turn.

        The batches of a process that dies are handed to another one. Batches are taken as results leave.
        """
        stream, lost = map(_Batch[Given, Made], batches), deque[_Batch[Given, Made]]()
        waiting = deque[_Batch[Given, Made]]()
        room = _HELD * len(self._workers)
        while True:
            while sum(map(len, map(self._batches, range(len(self._workers))))) < room:
                if lost:
                    self._submit(lost.popleft())
                elif len(waiting) < _AHEAD * room and (batch := next(stream, None)) is not None:
                    waiting.append(batch)
                    self._submit(batch)
                else:
                    break
            if not waiting:
                return
            lost.extend(self._lost_batches())
            while waiting and (results := waiting[0].outcome) is not None:
                waiting.popleft()
                if isinstance(results, Exception):
                    raise results
                yield results

    def _batches(self, place: int) -> deque[_Batch[Given, Made]]:
        """Return the batches that a process was handed and has not answered."""
        worker = self._workers[place]
        return worker.held if worker else deque()

    def _submit(self, batch: _Batch[Given, Made]) -> None:
        """Hand a batch to the process that has least to do."""
        place = min(range(len(self._workers)), key=lambda at: len(self._batches(at)))
        worker = self._workers[place]
        if worker is None:
            resource_tracker.ensure_running()  # its start would end the mask of interrupts
            with _without_interrupts():  # a process that is not noted yet would never end
                worker = self._workers[place] = _Worker()
            worker.send(self._work)
        worker.held.append(batch)
        worker.send(batch.things)

    def _lost_batches(self) -> list[_Batch[Given, Made]]:
        """Wait for messages of processes, and return the batches of those that died."""
        pipes = {worker.pipe: place for place, worker in enumerate(self._workers) if worker and worker.held}
        return [lost for pipe in wait(list(pipes)) for lost in self._hear(pipes[pipe])]  # type: ignore[index]

    def _hear(self, place: int) -> Iterable[_Batch[Given, Made]]:
        """Read the next message of a process. Return its batches if it died."""
        worker = self._workers[place]
        assert worker is not None
        try:
            message = worker.pipe.recv()
        except (EOFError, OSError):
            self._workers[place] = None
            worker.pipe.close()
            worker.process.join()
            for batch in worker.held:
                batch.losses += 1
            cannot_start = not (worker.has_begun or self._has_worked)  # another one would print its traceback again
            if cannot_start or any(batch.losses == _MOST_LOSSES for batch in worker.held):
                raise UsageError(_ENDED_EARLY) from None
            return worker.held
        if message == _HELLO:
            worker.has_begun = True
        else:
            self._has_worked = True
            worker.held.popleft().outcome = message
        return ()

    def __enter__(self) -> Processes[Given, Made]:
        return self

    def __exit__(self, *_: object) -> None:
        """End the processes. They do not finish batches that nobody waits for. Their sandboxes end when they do."""
        workers = [worker for worker in self._workers if worker is not None]
        at_work = any(worker.held for worker in workers)
        for worker in workers:
            worker.pipe.close()
            if at_work:
                worker.process.terminate()
        for worker in workers:
            worker.process.join()
        self._workers = [None] * len(self._workers)


_ENDED_EARLY = (
    "A worker process ended early. If the memory is used up, ask for fewer processes. A Python program that starts "
    'processes keeps its own work under `if __name__ == "__main__":`, or asks for one process.'
)


class _Worker:
    """A process, its pipe, and the batches that it was handed and has not answered."""

    def __init__(self) -> None:
        context = get_context("spawn")  # a fork of a process with threads can deadlock
        self.held: deque[_Batch[Any, Any]] = deque()
        self.has_begun = False
        self.pipe, other = context.Pipe()
        self.process = context.Process(target=_serve, args=(other,), daemon=True)
        # the work is sent by our pipe: one of multiprocessing's waits for ever if the process dies before it has read
        self.process.start()
        other.close()  # so that the pipe ends when the process does

    def send(self, message: object) -> None:
        """Send the work, or the inputs of a batch. A process that is dead takes nothing, which `_hear` finds out."""
        with suppress(OSError):
            self.pipe.send(message)


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


def _serve(pipe: Connection) -> None:
    """Read the work, and answer each batch with a list of results or with an exception, until the parent closes the
    pipe."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        work: Work[Any, Any] = pipe.recv()
    except (EOFError, OSError):  # the parent has stopped early
        return
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
                    pipe.send_bytes(pickle.dumps([make(thing) for thing in batch]))
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
    pipe.send_bytes(pickled_error(error))


def pickled_error(error: Exception) -> bytes:
    """Return an exception as bytes, or one with its words in place of one that cannot be pickled."""
    try:
        content = pickle.dumps(error)
        pickle.loads(content)  # noqa: S301 - our own bytes: some exceptions cannot be made again
    except Exception:
        return pickle.dumps(RuntimeError(f"{type(error).__name__}: {error}"))
    return content


def _read(pipe: Connection, batches: SimpleQueue[Sequence[Any] | None]) -> None:
    """Put what the parent sends into a queue, and None at the end."""
    with suppress(EOFError, OSError):
        while True:
            batches.put(pipe.recv())
    batches.put(None)
