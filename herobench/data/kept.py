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
        results: dict[object, _Made] = {}
        lock = Lock()

        @wraps(make)
        def lookup(*args: _Given.args, **kwargs: _Given.kwargs) -> _Made:
            with lock:
                has_result = args in results
                if has_result:
                    results[args] = results.pop(args)  # the last one that was asked for comes last
                    result = results[args]
            if not has_result:
                result = make(*args, **kwargs)
            with lock:
                results[args] = result
                left = sum(map(size, results.values()))
                for oldest in list(results)[:-1]:
                    if len(results) <= count and left <= most:
                        break
                    left -= size(results.pop(oldest))
            return result

        return lookup

    return keeping
