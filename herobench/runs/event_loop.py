"""The event loop of a session, and the signals that interrupt it.

`run_to_end` runs the coroutine of a session in any thread that calls `herobench.run`. A notebook runs an event loop in
its own thread, in which no second one can run: the session gets a thread of its own. Signals reach the main thread
only, so a session in another thread has no handlers of its own.
"""

from __future__ import annotations

import asyncio
import os
import signal
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

_Result = TypeVar("_Result")

INTERRUPTED = 130
_TICK = 0.05
"""Seconds between two looks at whether another thread has ended."""
_SIGNALS = (signal.SIGINT, signal.SIGTERM)


def run_to_end(work: Coroutine[Any, Any, _Result], interrupt: Callable[[], object]) -> _Result:
    """Run a coroutine and return its result.

    `interrupt` is called in the event loop when Ctrl-C reaches this thread while another one runs the coroutine.
    """
    return _in_a_thread(work, interrupt) if _a_loop_runs() else asyncio.run(work)


def _a_loop_runs() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def _in_a_thread(work: Coroutine[Any, Any, _Result], interrupt: Callable[[], object]) -> _Result:
    outcome: Future[_Result] = Future()
    pressed, ended = threading.Event(), threading.Event()
    loops: list[asyncio.AbstractEventLoop] = []

    def inside() -> None:
        try:
            with asyncio.Runner() as runner:
                loops.append(runner.get_loop())
                if pressed.is_set():
                    loops[0].call_soon(interrupt)
                result = runner.run(work)
        except BaseException as error:  # it is raised in the thread that waits
            outcome.set_exception(error)
        else:
            outcome.set_result(result)
        finally:
            ended.set()

    try:
        threading.Thread(target=inside, name="run").start()
        _wait(ended)
    except KeyboardInterrupt:
        pressed.set()
        for loop in loops:
            with suppress(RuntimeError):  # it has ended meanwhile
                loop.call_soon_threadsafe(interrupt)
        _wait(ended)
    return outcome.result()


def _wait(ended: threading.Event) -> None:
    """Wait without holding a lock: a signal could otherwise go unseen, or leave the lock held for ever."""
    while not ended.is_set():
        time.sleep(_TICK)


@contextmanager
def interrupts(interrupt: Callable[[], bool]) -> Iterator[None]:
    """Call `interrupt` at Ctrl-C and SIGTERM. Where it returns false, leave at once.

    Written files stay, and worker processes end with this one. Afterwards signals are handled as before.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    loop = asyncio.get_running_loop()
    before = {number: signal.getsignal(number) for number in _SIGNALS}

    def interrupted() -> None:
        if not interrupt():
            os._exit(INTERRUPTED)

    for number in _SIGNALS:
        loop.add_signal_handler(number, interrupted)
    try:
        yield
    finally:
        for number, handler in before.items():
            loop.remove_signal_handler(number)
            if handler is not None:  # one that was not set from Python cannot be put back
                signal.signal(number, handler)
