"""An engine without a cluster, and commands that use it."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from herobench.cluster.maps import column_types
from herobench.data.columns import Column
from herobench.work.engine import Work
from tests.program import Done, herobench, read_jsonl


class Here:
    """Works in this process on copies, as workers elsewhere do. An interrupt comes in place of call number `stop`."""

    def __init__(self, stop: int = 0) -> None:
        self.calls = 0
        self._stop = stop

    def results(self, work: Work[Any, Any], things: Iterable[Any]) -> Generator[Any]:
        copies = [pickle.dumps(thing) for thing in things]
        with pickle.loads(pickle.dumps(work)).open(1) as make:
            for copy in copies:
                self.calls += 1
                if self.calls == self._stop:
                    raise KeyboardInterrupt
                yield pickle.loads(pickle.dumps(make(pickle.loads(copy))))


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> Callable[[Here], None]:
    """Lets commands of this process use an engine instead of a cluster."""

    def use(engine: Here) -> None:
        @contextmanager
        def connected(name: str, jobs: int | None) -> Iterator[Here]:
            yield engine

        monkeypatch.setattr("herobench.cli.on_cluster.ray_engine", connected)

    use(Here())
    return use


def on(folder: Path, *words: str | Path) -> Done:
    """Run a command on the engine, which writes shards of two rows to `out` in a folder."""
    return herobench(words[0], "--shard-rows", "2", *words[1:], "--on", "ray", "-o", folder / "out")


def shards_text(folder: Path) -> str:
    """The rows of all shards."""
    return "".join(path.read_text("utf-8") for path in sorted((folder / "out").glob("part-*.jsonl")))


def cells(rows: Iterable[Mapping[str, Any]], columns: Sequence[Column], *, of_table: bool) -> list[dict[str, Any]]:
    """Rows without their events, in one form: a table has a cell for what only some rows say, and JSON in texts."""
    types = column_types(columns)
    nested = {name for name, type in types.items() if of_table and type == "json"}
    return [
        {name: json.loads(row[name]) if name in nested and row[name] else row.get(name) for name in types}
        for row in rows
    ]


def same_rows(folder: Path, *words: str | Path) -> tuple[Done, Done]:
    """Run a command on one machine and on the engine; both have to write the same rows and to say the same of them."""
    alone = herobench(*words, "-o", folder / "alone.jsonl", "--jobs", "1")
    done = on(folder, *words)
    assert (done.returncode, done.stdout) == (alone.returncode, alone.stdout), (done.stderr, alone.stderr)
    assert shards_text(folder) == (folder / "alone.jsonl").read_text("utf-8")
    return alone, done


# -- what holds of every suite ----------------------------------------------------------------------------------------


def assert_made_and_proven(folder: Path, suite: str, *words: str) -> None:
    """Tasks that are made are those of one machine, and they are proven."""
    words = ("generate", "--suite", suite, *words)
    assert same_rows(folder, *words)[1].returncode == 0
    rows = read_jsonl(folder / "alone.jsonl")
    proven = herobench("validate", "--suite", suite, folder / "alone.jsonl")
    assert (proven.returncode, proven.stdout) == (0, f"{len(rows)} of {len(rows)} tasks hold\n")
