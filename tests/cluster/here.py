"""An engine without a cluster: calls run in this process, in another order than they came, and fail as a test says."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

import pytest

from herobench.cluster.on_ray import RayEngine
from herobench.work.engine import Work
from tests.program import Done, herobench

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


Use = Callable[[Here], None]


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> Use:
    """Lets commands of this process use an engine instead of a cluster."""

    def use(engine: Here) -> None:
        @contextmanager
        def connected(name: str, jobs: int | None) -> Iterator[Here]:
            yield engine

        monkeypatch.setattr("herobench.cluster.on_ray.ray_engine", connected)

    use(Here())
    return use


def on(folder: Path, *words: str | Path) -> Done:
    """Run a command on the engine, which writes shards of two rows to `out` in a folder."""
    return herobench(words[0], "--shard-rows", "2", *words[1:], "--on", "ray", "-o", folder / "out")


def shards_text(folder: Path) -> str:
    """The rows of all shards."""
    return "".join(path.read_text("utf-8") for path in sorted((folder / "out").glob("part-*.jsonl")))


def shard_tables(folder: Path) -> list[dict[str, Any]]:
    """The rows of all shards that are tables."""
    parquet = pytest.importorskip("pyarrow.parquet")
    return [row for path in sorted((folder / "out").glob("*.parquet")) for row in parquet.read_table(path).to_pylist()]


def same_rows(folder: Path, *words: str | Path) -> tuple[Done, Done]:
    """Run a command on one machine and on the engine; both have to write the same rows and to say the same of them."""
    alone = herobench(*words, "-o", folder / "alone.jsonl", "--jobs", "1")
    done = on(folder, *words)
    assert (done.returncode, done.stdout) == (alone.returncode, alone.stdout), (done.stderr, alone.stderr)
    assert shards_text(folder) == (folder / "alone.jsonl").read_text("utf-8")
    return alone, done
