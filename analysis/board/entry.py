"""The entries of a leaderboard: runs, scored files and files of slim rows, each as a table with what else is told."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from herobench.analysis.board.slim import SlimRow, is_slim, read_slim, replay_of, table_of
from herobench.analysis.reading.checked import reading_of
from herobench.analysis.reading.contract import Reading
from herobench.analysis.samples.frame import frame
from herobench.analysis.samples.sources import AskedDataset, Source, printable, read_sources
from herobench.analysis.samples.variants import Apart, KeptTasks, tasks_of, told_apart
from herobench.data.errors import InputError, Problem
from herobench.suite.task_rows import is_of_shipped, is_twin, note_of_others

if TYPE_CHECKING:
    import pandas as pd

Replay = Mapping[str, Any]

_TASKS = "tasks"
"""The column that keeps runs apart whose tasks are not those of the dataset that they name."""
_AS_NAMED = "as named"
"""Its value for all other runs, which comes first in the order of values."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One run in a leaderboard."""

    source: Source
    table: pd.DataFrame
    agent: str | None
    asked: AskedDataset | None
    replay: Callable[[], Replay | None]
    """Returns the replay of one attempt; None if there is none."""
    kept: KeptTasks
    note: str | None = None
    """Says that its tasks are not those of the dataset that it names; None if nothing says so."""

    @property
    def name(self) -> str:
        """The name of the run or file."""
        return self.source.name

    @property
    def model(self) -> str:
        """The model; several are named one after the other, and the text is empty if none is known."""
        return ", ".join(sorted({str(model) for model in self.table.model.dropna()} - {""}))

    def tasks(self, samples: pd.DataFrame) -> set[str]:
        """Return the tasks of some of its samples. Private twins go by their originals: `fresh_notes` tells of them."""
        ids = samples.task_id
        if self.asked is not None and self.asked.fresh is not None and "twin_of" in samples:
            ids = samples.twin_of.fillna(ids)
        return set(ids)


def read_entries(paths: Sequence[Path], suite: str | None = None) -> list[Entry]:
    """Return the entries at some paths; a folder that is no run stands for the files of rows in it.

    With a suite, only its samples are read. Raise InputError or UsageError for what cannot be read.
    """
    files = [file for path in paths for file in _files(path)]
    sources = read_sources(files, suite=suite)
    entries = [_slim_entry(source) if _has_slim(source) else _entry(source) for source in sources]
    apart = told_apart([entry.kept for entry in entries])
    return [_told(entry, apart.get(entry.name)) for entry in entries] if apart else entries


def separates(entries: Iterable[Entry], reading: Reading) -> Sequence[str]:
    """Return the columns whose values are never ranked together."""
    others = [_TASKS] if any(entry.note for entry in entries) else []
    return [*others, *reading.separates]


def _told(entry: Entry, apart: Apart | None) -> Entry:
    """Return an entry with the column that keeps other tasks of one name apart."""
    if apart is None:
        return replace(entry, table=entry.table.assign(**{_TASKS: _AS_NAMED}))
    table = entry.table.assign(**{_TASKS: f"of {apart.asked.name}"})
    return replace(entry, table=table, asked=apart.asked, note=apart.note)


def _files(path: Path) -> Iterator[Path]:
    if not path.is_dir() or (path / "run.json").exists():
        yield path
        return
    found = sorted(file for pattern in ("*.jsonl", "*.jsonl.gz") for file in path.glob(pattern))
    if not found:
        raise InputError([Problem(str(path), "", "a run, or a folder with files of rows, such as model.jsonl")])
    yield from found


def _has_slim(source: Source) -> bool:
    return source.manifest is None and is_slim(source)


def _entry(source: Source) -> Entry:
    table = frame([source])
    kept = tasks_of(source, map(str, table.task_id.unique()))
    return Entry(source, table, source.agent, source.asked, partial(replay_of, source), kept)


def _slim_entry(source: Source) -> Entry:
    rows = read_slim(source)
    first = rows[0]
    if source.suite not in (None, first["suite"]):
        return Entry(source, frame([]), None, None, lambda: None, KeptTasks(source.name, "", None, {}))
    dataset, agent = first["dataset"], first["agent"]
    asked = AskedDataset(printable(dataset), first["fresh"]) if dataset is not None else None
    table = table_of(rows, source.name, reading_of(first["suite"]))
    digests = {row["task_id"]: row["task"] for row in rows if row.get("task") is not None}
    twins = {row["task_id"] for row in rows if is_twin(row)}
    named = {"config": {name: first[name] for name in ("suite", "dataset", "fresh")}}
    note = note_of_others(source.name, named, digests, twins, whole=False)
    kept = KeptTasks(source.name, first["suite"], asked, digests, note, is_of_shipped(named))
    return Entry(source, table, None if agent is None else printable(agent), asked, partial(_kept_replay, rows), kept)


def _kept_replay(rows: Sequence[SlimRow]) -> Replay | None:
    return next((row["replay"] for row in rows if row["replay"]), None)
