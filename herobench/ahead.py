"""Work done ahead: many calls in a pool, their results in order, in constant memory."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Executor, Future
from typing import TypeVar

_Given = TypeVar("_Given")
_Made = TypeVar("_Made")

AHEAD = 4
"""How many calls for each worker are taken on before the first of them has to be done."""


def in_order(
    pool: Executor, jobs: int, function: Callable[[_Given], _Made], given: Iterable[_Given]
) -> Generator[_Made]:
    """What a function makes of each thing given. Close it where it is not used up: what has not begun is given up."""
    waiting: deque[Future[_Made]] = deque()
    try:
        for thing in given:
            waiting.append(pool.submit(function, thing))
            if len(waiting) > jobs * AHEAD:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        for future in waiting:
            future.cancel()
