"""The entries of a leaderboard: runs, scored files and files of slim rows, each as a table with what else is told.

A slim row is what a submitter hands in of an attempt: what a leaderboard needs, without replies and events, and the
replay of one attempt. Figures are computed from full samples when slim rows are made, because a slim row has no events
from which they could be computed later.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from importlib.resources import as_file
from pathlib import Path
from typing import TYPE_CHECKING, Any

from herobench.analysis.reading.checked import load_reading
from herobench.analysis.reading.contract import Reading
from herobench.analysis.report.talk import attempt_block
from herobench.analysis.samples.facts import checked
from herobench.analysis.samples.frame import common_suite, frame
from herobench.analysis.samples.samples import Sample, is_measured, parse_sample
from herobench.analysis.samples.sources import AskedDataset, Source, printable, read_sources, runs_at
from herobench.analysis.samples.variants import Apart, KeptTasks, read_tasks, told_apart
from herobench.analysis.statistics.lane_costs import LaneCosts, lane_costs
from herobench.data.documents import parse_line, schema_problems, shipped
from herobench.data.errors import InputError, Problem
from herobench.data.rows import SeenAttempts, dump_row
from herobench.suite.checked import plugin_errors
from herobench.suite.lanes import attempt_lane
from herobench.suite.task_rows import MADE, is_of_shipped, is_twin, note_of_others

if TYPE_CHECKING:
    import pandas as pd


Replay = Mapping[str, Any]

_TASKS = "tasks"
"""The column that separates runs whose tasks differ from the dataset that they name."""
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
    """Says that its tasks differ from the dataset that it names; None if nothing says so."""
    is_shipped: bool = False
    """True for the shipped run of a reference program."""

    @property
    def name(self) -> str:
        """The name of the run or file."""
        return self.source.name

    @property
    def model(self) -> str:
        """The model; several are named one after the other, and the text is empty if none is known."""
        return ", ".join(sorted({str(model) for model in self.table.model.dropna()} - {""}))

    def tasks(self, samples: pd.DataFrame) -> set[str]:
        """Return the tasks of some of its samples.

        Private twins go by their originals: `fresh_notes` tells of them. Those that a run made go by their seed too.
        """
        ids = samples.task_id
        if self.asked is None or self.asked.fresh is None:
            return set(ids)
        if "twin_of" in samples:
            ids = samples.twin_of.fillna(ids)
        return {f"{task_id} of seed {self.asked.fresh}" if task_id.startswith(MADE) else task_id for task_id in ids}


def read_entries(paths: Sequence[Path], suite: str | None = None, *, with_references: bool = False) -> list[Entry]:
    """Return the entries at some paths; a folder that is not a run stands for the files of rows in it.

    With a suite, only its samples are read. With references, the shipped runs of reference programs follow. Raise
    InputError or UsageError for what cannot be read.
    """
    files = [file for path in paths for file in _files(path)]
    sources = read_sources(files, suite=suite)
    entries = [_slim_entry(source) if _has_slim(source) else _entry(source) for source in sources]
    if with_references:
        entries += _references(entries)
    apart = told_apart([entry.kept for entry in entries])
    return [_told(entry, apart.get(entry.name)) for entry in entries] if apart else entries


def by_suite(entries: Iterable[Entry]) -> dict[str, list[Entry]]:
    """Return the entries of each suite, without those that have no samples. Raise UsageError for one of several."""
    found: dict[str, list[Entry]] = {}
    for entry in entries:
        if not entry.table.empty:
            found.setdefault(common_suite([entry.table]), []).append(entry)
    return found


def _references(entries: Sequence[Entry]) -> Iterator[Entry]:
    """Yield the shipped runs of reference programs on the sets that some entries asked whole.

    Of a program that is among the entries there is no other run. Figures of other tasks, modes or tracks would not
    compare, so a program is shown where some entry has all of its tasks under the same conditions.
    """
    public = [entry for entry in entries if entry.asked and entry.asked.fresh is None]
    # a row may name any dataset, so its name is compared with those of the folders and never made a path
    for folder in sorted(shipped().joinpath("references").iterdir(), key=lambda folder: folder.name):
        asked = [entry for entry in public if entry.asked and entry.asked.dataset == folder.name]
        known, given = {entry.model for entry in asked}, [_conditions(entry) for entry in asked]
        for file in sorted(folder.iterdir(), key=lambda file: file.name) if asked else ():
            with as_file(file) as path:
                (source,) = read_sources([path])
                found = _slim_entry(replace(source, name=f"{source.name} (shipped)"))
            wanted = _conditions(found)
            if not any(wanted <= conditions for conditions in given):
                break  # the programs were asked the same tasks under the same conditions
            if found.model not in known:
                yield replace(found, is_shipped=True)


def _conditions(entry: Entry) -> set[tuple[str, ...]]:
    """Return the tasks of an entry, each under what is never ranked together."""
    columns = load_reading(entry.kept.suite).separates
    return set(entry.table[["task_id", *columns]].itertuples(index=False, name=None))


def separates(entries: Iterable[Entry], reading: Reading) -> Sequence[str]:
    """Return the columns whose values are never ranked together."""
    others = [_TASKS] if any(entry.note for entry in entries) else []
    return [*others, *reading.separates]


def entry_costs(entries: Iterable[Entry], reading: Reading) -> list[LaneCosts]:
    """Return what planning costs each model that was asked in several lanes."""
    known = list(entries)
    manifests = {entry.name: entry.source.manifest for entry in known}
    return lane_costs({entry.name: entry.table for entry in known}, reading, manifests)


def _told(entry: Entry, apart: Apart | None) -> Entry:
    """Return an entry with the column that keeps other tasks of one name apart."""
    if apart is None:
        return replace(entry, table=entry.table.assign(**{_TASKS: _AS_NAMED}))
    table = entry.table.assign(**{_TASKS: f"of {apart.asked.name}"})
    return replace(entry, table=table, asked=apart.asked, note=apart.note)


def _files(path: Path) -> Iterator[Path]:
    runs = runs_at(path)
    if runs != [path] or not path.is_dir() or (path / "run.json").exists():
        yield from runs
        return
    found = sorted(file for pattern in ("*.jsonl", "*.jsonl.gz") for file in path.glob(pattern))
    if not found:
        raise InputError([Problem(str(path), "", "a run, or a folder with files of rows, such as model.jsonl")])
    yield from found


def _has_slim(source: Source) -> bool:
    return source.manifest is None and is_slim(source)


def _entry(source: Source) -> Entry:
    table = frame([source])
    kept = read_tasks(source, map(str, table.task_id.unique()))
    return Entry(source, table, source.agent, source.asked, partial(best_replay, source), kept)


def _slim_entry(source: Source) -> Entry:
    rows = read_slim(source)
    first = rows[0]
    if source.suite not in (None, first["suite"]):
        return Entry(source, frame([]), None, None, lambda: None, KeptTasks(source.name, "", None, {}))
    dataset, agent = first["dataset"], first["agent"]
    asked = AskedDataset(printable(dataset), first["fresh"]) if dataset is not None else None
    table = slim_table(rows, source.name, load_reading(first["suite"]))
    digests = {row["task_id"]: row["task"] for row in rows if row.get("task") is not None}
    twins = {row["task_id"] for row in rows if is_twin(row)}
    named = {"config": {name: first[name] for name in ("suite", "dataset", "fresh")}}
    note = note_of_others(source.name, named, digests, twins, whole=False)
    kept = KeptTasks(source.name, first["suite"], asked, digests, note, is_of_shipped(named))
    return Entry(source, table, None if agent is None else printable(agent), asked, partial(_kept_replay, rows), kept)


def _kept_replay(rows: Sequence[SlimRow]) -> Replay | None:
    return next((row["replay"] for row in rows if row["replay"]), None)


SCHEMA = 1
_Attempt = tuple[str, int]


def slim_rows(source: Source) -> Iterator[dict[str, Any]]:
    """Yield the slim row of each sample. The row of the attempt to replay has its replay."""
    shown = _attempt_to_replay(source)
    digests = read_tasks(source).digests
    for sample in checked(source):
        row = {**_slim(source, sample), "task": digests.get(sample["task_id"])}
        if (sample["task_id"], sample["epoch"]) == shown:
            row["replay"] = _replay(source, sample)
        yield row


def best_replay(source: Source) -> Mapping[str, Any] | None:
    """Return the replay of the run's longest win, or of the attempt that got farthest without one. None for a file."""
    shown = _attempt_to_replay(source)
    found = (sample for sample in source.samples() if (sample["task_id"], sample["epoch"]) == shown)
    return next((_replay(source, sample) for sample in found), None)


def _slim(source: Source, sample: Sample) -> dict[str, Any]:
    reading, asked = load_reading(sample["suite"]), source.asked
    facts = reading.facts(sample)
    kept = ("task_id", "group", "epoch", "status", "won", "score", "progress", "failure", "output_tokens", "cost")
    return {
        "schema": SCHEMA,
        "suite": sample["suite"],
        "model": sample["model"] or "",
        "agent": source.agent,
        "dataset": asked.dataset if asked else None,
        "fresh": asked.fresh if asked else None,
        "twin_of": facts.get("twin_of"),
        "counted": reading.counts(sample),
        "length": _length(reading, facts),
        # a usual value is left out, as in rows from before the setting
        "terms": {
            name: None if (told := facts[name]) is None else str(told)
            for name in reading.settings
            if name not in reading.usual or facts[name] != reading.usual[name]
        },
        **{name: sample[name] for name in kept},
        "replay": None,
    }


def _length(reading: Reading, facts: Mapping[str, Any]) -> float | None:
    return facts[reading.length] if reading.length else None


def _attempt_to_replay(source: Source) -> _Attempt | None:
    """Return the attempt that is replayed: a rule chooses it, so that nobody can pick a flattering one."""
    if source.folder is None:  # a file of rows has no tasks, and without them nothing is replayed
        return None
    best: tuple[tuple[bool, float, float], _Attempt] | None = None
    for sample in source.samples():
        if not is_measured(sample):
            continue
        reading = load_reading(sample["suite"])
        length = _length(reading, reading.facts(sample)) or 0.0
        worth = (bool(sample["won"]), length if sample["won"] else 0.0, sample["progress"] or 0.0)
        if best is None or worth > best[0]:
            best = worth, (sample["task_id"], sample["epoch"])
    return best[1] if best else None


def _replay(source: Source, sample: Sample) -> dict[str, Any]:
    reading = load_reading(sample["suite"])
    panel = reading.panel(source.folder, source.manifest)
    given = panel.task(sample["task_id"])
    told = attempt_block(sample, reading.cause(sample), panel, None)
    found = {"setting": dict(panel.setting()), "given": given and dict(given), "told": told}
    at = f"{sample['task_id']}, epoch {sample['epoch']}"
    with plugin_errors(f"The panel of the suite {sample['suite']} failed in the replay of {at}"):
        dump_row(found)
    return found


SlimRow = Mapping[str, Any]

_OF_ONE_RUN = ("suite", "model", "agent", "dataset", "fresh")
"""Columns that are the same in all rows of a file."""
_OF_SCORED = ("won", "score")
"""Columns that are known if and only if an attempt was scored."""
_MOST_PROBLEMS = 20
_MARKS = frozenset({"terms", "counted"})
"""Columns that only slim rows have."""


def is_slim(source: Source) -> bool:
    """Return whether the first row of a file is a slim row, whole or not."""
    first = next((line for _, line in source.lines() if line.strip()), b"")
    row, problems = parse_line(first, "") if first else (None, [])
    return not problems and isinstance(row, dict) and bool(_MARKS & row.keys())


def read_slim(source: Source) -> list[SlimRow]:
    """Return the rows of a file. Raise InputError with the problems of all of its lines, up to some number."""
    rows: list[SlimRow] = []
    problems: list[Problem] = []
    attempts = SeenAttempts()
    for number, line in source.lines():
        if not line.strip():
            continue
        place = source.place(number)
        row, found = parse_line(line, place)
        found = found or schema_problems(row, "slim-row", place) or list(_odd(row, rows, place))
        problems += found
        if len(problems) >= _MOST_PROBLEMS:
            break
        if not found:
            attempts.add(row, place)
            rows.append(row)
    if problems:
        raise InputError(problems[:_MOST_PROBLEMS])
    return rows


def slim_table(rows: Sequence[SlimRow], name: str, reading: Reading) -> pd.DataFrame:
    """Return slim rows as a table with those columns of the tidy table that rankings use."""
    import pandas as pd

    unknown = dict.fromkeys(("cause", "error_kind", "unfinished"))
    told = [
        {
            "run": name,
            **{key: row[key] for key in ("suite", "model", "task_id", "epoch", "score", "progress", "failure", "cost")},
            **unknown,
            "group": row["group"] or "all",
            "measured": row["status"] == "ok",
            "counted": row["counted"],
            "win": row["won"],
            "tokens": row["output_tokens"],
            "twin_of": row["twin_of"],
            "lane": attempt_lane(row["suite"], row["model"], row["terms"]),
            # only settings of the suite: a row must not bring columns of its own choice
            # rows from before a setting have its usual value
            **{setting: row["terms"].get(setting) or reading.usual.get(setting) for setting in reading.settings},
            **({reading.length: row["length"]} if reading.length else {}),
        }
        for row in rows
    ]
    texts = ({key: printable(v) if type(v) is str else v for key, v in row.items()} for row in told)
    return pd.DataFrame(texts).astype({"epoch": "int64", "measured": "bool", "counted": "bool"})


def _odd(row: SlimRow, before: Sequence[SlimRow], place: str) -> Iterator[Problem]:
    """Yield what no schema can say: that rows are of one run, and that scored attempts have scores."""
    for name in _OF_ONE_RUN:
        if before and row[name] != before[0][name]:
            yield Problem(place, f"$.{name}", f"{before[0][name]!r}, as in the first row of the file", row[name])
    is_scored = row["status"] == "ok"
    for name in _OF_SCORED:
        if is_scored and row[name] is None:
            yield Problem(place, f"$.{name}", "a value, because the attempt was scored")
        elif not is_scored and row[name] is not None:
            yield Problem(place, f"$.{name}", "null, because the attempt was not measured", row[name])
    if row["replay"] is not None:
        yield from _odd_replay(row, before, place)


def _odd_replay(row: SlimRow, before: Sequence[SlimRow], place: str) -> Iterator[Problem]:
    """Yield the faults of a replay. It must be the only one in its file, and show the attempt of its row."""
    if any(other["replay"] for other in before):
        yield Problem(place, "$.replay", "null, because a row before this one has the replay of the file")
    path = f"{place} $.replay.told.row"
    try:
        sample = parse_sample(row["replay"]["told"]["row"], "", path)
    except InputError as error:
        yield from error.problems
        return
    for name in ("suite", "task_id", "epoch", "won", "score"):
        if sample[name] != row[name]:
            yield Problem(place, f"$.replay.told.row.{name}", f"{row[name]!r}, as in the row itself", sample[name])
