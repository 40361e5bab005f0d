"""An engine without a cluster: calls run in this process, in another order than they came, and fail as a test says."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, cast

import pytest

from herobench.cluster.on_ray import RayEngine
from herobench.work.engine import Work

Fate = Callable[[int], BaseException | None]
"""What happens to a call by its number, from 1: an exception, or None if it is made."""


def no_fate(number: int) -> None:
    """Nothing happens to any call."""


class Here:
    """An engine that is its own crew: it holds so many calls, and makes the one that came last first."""

    losses, tries = 10, 3

    def __init__(self, width: int = 3, fate: Fate = no_fate) -> None:
        self.width = width
        self.calls = 0
        self.most = 0
        self.dropped = 0
        self._fate = fate
        self._waiting: dict[object, Any] = {}

    @contextmanager
    def crew(self, work: Work[Any, Any]) -> Iterator[Here]:
        # what is sent to a worker has to survive the way there
        self.work = pickle.loads(pickle.dumps(work))
        with self.work.open(1) as self._function:
            yield self

    def results(self, work: Work[Any, Any], things: Iterable[Any]) -> Generator[Any]:
        yield from RayEngine.results(cast("RayEngine", self), work, things)

    def submit(self, given: Any) -> object:
        handle = object()
        self._waiting[handle] = pickle.loads(pickle.dumps(given))
        self.most = max(self.most, len(self._waiting))
        return handle

    def ended(self, handles: Iterable[object]) -> Sequence[tuple[object, Any]]:
        assert set(handles) == set(self._waiting)
        handle, given = self._waiting.popitem()
        self.calls += 1
        if error := self._fate(self.calls):
            if isinstance(error, KeyboardInterrupt):
                raise error
            return [(handle, error)]
        try:
            return [(handle, self._function(given))]
        except Exception as error:
            return [(handle, error)]

    def drop(self, handles: Iterable[object]) -> None:
        self.dropped += len(list(handles))
        self._waiting.clear()


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
