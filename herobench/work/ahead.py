"""Run many calls in a pool and give their results in order, in constant memory. Used wherever rows are made in bulk."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Executor, Future
from typing import TypeVar

_Given = TypeVar("_Given")
_Made = TypeVar("_Made")

AHEAD = 4
"""The most calls per worker that are submitted before the first of them is finished."""


def in_order(
    pool: Executor, jobs: int, function: Callable[[_Given], _Made], given: Iterable[_Given]
) -> Generator[_Made]:
    """Yield the result of a function for each argument, in order.

    Close the generator if you stop early: it then cancels the calls that have not begun."""
    waiting: deque[Future[_Made]] = deque()
    try:
        for thing in given:
            waiting.append(pool.submit(function, thing))
            if len(waiting) > jobs * AHEAD:  # the bound on memory: arguments are taken only as results leave
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        for future in waiting:
            future.cancel()
