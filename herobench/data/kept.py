"""Keeps the last results of a function, as many as are small enough together.

`functools.lru_cache` counts results and not their size: a few large questions of a stranger would fill the memory of a
server, and stay there. A result may grow while it is kept, so sizes are asked for anew.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from threading import Lock
from typing import ParamSpec, TypeVar

_Given = ParamSpec("_Given")
_Made = TypeVar("_Made")


def keep_last(
    count: int, most: int, size: Callable[[_Made], int]
) -> Callable[[Callable[_Given, _Made]], Callable[_Given, _Made]]:
    """Let a function keep at most `count` results, whose sizes add up to at most `most`; the last one in any case.

    Threads that ask for one result at the same time may each make it. Give arguments by their positions.
    """

    def keeping(make: Callable[_Given, _Made]) -> Callable[_Given, _Made]:
        made: dict[object, _Made] = {}
        lock = Lock()

        @wraps(make)
        def found(*args: _Given.args, **kwargs: _Given.kwargs) -> _Made:
            with lock:
                known = args in made
                if known:
                    made[args] = made.pop(args)  # the last one that was asked for comes last
                    result = made[args]
            if not known:
                result = make(*args, **kwargs)
            with lock:
                made[args] = result
                left = sum(map(size, made.values()))
                for oldest in list(made)[:-1]:
                    if len(made) <= count and left <= most:
                        break
                    left -= size(made.pop(oldest))
            return result

        return found

    return keeping
