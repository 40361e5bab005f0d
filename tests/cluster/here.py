"""An engine without a cluster: calls run in this process, in another order than they came, and fail as a test says."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pytest

Fate = Callable[[int], BaseException | None]
"""What happens to a call by its number, from 1: an exception, or None if it is made."""


def no_fate(number: int) -> None:
    """Nothing happens to any call."""


class Here:
    """Holds so many calls, and makes the one that came last first."""

    def __init__(self, width: int = 3, fate: Fate = no_fate) -> None:
        self.width = width
        self.calls = 0
        self.most = 0
        self.dropped = 0
        self._fate = fate
        self._waiting: dict[object, tuple[Callable[[Any], Any], Any]] = {}
        self._copies: dict[int, tuple[Any, Any]] = {}

    def submit(self, function: Callable[[Any], Any], thing: Any) -> object:
        handle = object()
        # what is sent to a worker has to survive the way there
        if id(function) not in self._copies:
            self._copies[id(function)] = function, pickle.loads(pickle.dumps(function))
        self._waiting[handle] = self._copies[id(function)][1], pickle.loads(pickle.dumps(thing))
        self.most = max(self.most, len(self._waiting))
        return handle

    def ended(self, handles: Iterable[object]) -> Sequence[tuple[object, Any]]:
        assert set(handles) == set(self._waiting)
        handle, (function, thing) = self._waiting.popitem()
        self.calls += 1
        if error := self._fate(self.calls):
            if isinstance(error, KeyboardInterrupt):
                raise error
            return [(handle, error)]
        try:
            return [(handle, function(thing))]
        except Exception as error:
            return [(handle, error)]

    def drop(self, handles: Iterable[object]) -> None:
        self.dropped += len(list(handles))
        for function, _ in self._copies.values():
            if hasattr(function, "close"):
                function.close()
        for _, copy in self._copies.values():
            if hasattr(copy, "close"):
                copy.close()


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> Callable[[Here], None]:
    """Lets commands of this process use an engine instead of a cluster."""

    def use(engine: Here) -> None:
        @contextmanager
        def connected(name: str, jobs: int | None) -> Iterator[Here]:
            yield engine

        monkeypatch.setattr("herobench.cluster.on_ray.ray_engine", connected)

    use(Here())
    return use
