"""Makes runs of the logs of other tools: a folder for each model and dataset, with run.json and samples.jsonl.

Samples are of the suite `imported`, or `imported-UNIT` if they have lengths: figures over other units do not add up.
They have only the columns that a log tells. A log with a fault makes no run at all, because figures of the rest would
be wrong without a word.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import inf, isnan
from pathlib import Path
from typing import IO, Annotated, Any, Literal

from herobench.data.columns import LONGEST_NAME, MOST_AMOUNT
from herobench.data.errors import InputError, Problem, StoreError
from herobench.data.files import file_sha256, write_text
from herobench.data.foreign_logs import LogRow, Paths, read_log, value_at
from herobench.data.options import Option
from herobench.data.rows import row_bytes

SUITE = "imported"
_COLUMN = "COLUMN"
Form = Literal["auto", "inspect", "lm-eval", "harbor", "verifiers", "table"]
Mode = Literal["plan", "feedback", "tools"]


@dataclass(frozen=True, slots=True)
class LogOptions:
    """The options by which a user tells how to read logs."""

    form: Annotated[Form, Option("The format.", "format")] = "auto"
    item: Annotated[str | None, Option("The column with the task; dots lead into JSON.", metavar=_COLUMN)] = None
    model: Annotated[str | None, Option("The column with the model.", metavar=_COLUMN)] = None
    outcome: Annotated[str | None, Option("The column, scorer or metric with the outcome.", metavar=_COLUMN)] = None
    length: Annotated[str | None, Option("The column with the length of a task, for horizons.", metavar=_COLUMN)] = None
    unit: Annotated[str | None, Option("What lengths are counted in, such as minutes; else the column's name.")] = None
    repeat: Annotated[str | None, Option("The column that numbers attempts at a task.", metavar=_COLUMN)] = None
    group: Annotated[str | None, Option("The column with the group of a task.", metavar=_COLUMN)] = None
    failure: Annotated[str | None, Option("The column with the class of a loss.", metavar=_COLUMN)] = None
    dataset: Annotated[str | None, Option("The name of the benchmark; else that in the log.", metavar="NAME")] = None
    mode: Annotated[Mode | None, Option("What helped models: nothing, several turns, or tools.")] = None
    won_at: Annotated[float, Option("The outcome from which an attempt is won.", least=0, most=1)] = 1.0

    @property
    def user_paths(self) -> dict[str, str]:
        """The columns that the user named."""
        names = ("item", "model", "outcome", "length", "repeat", "group", "failure")
        return {name: path for name in names if (path := getattr(self, name))}


_MOST_PROBLEMS = 100
_WORDS: Mapping[str, float] = {
    **dict.fromkeys("won win true yes pass passed correct success solved c".split(), 1.0),
    **dict.fromkeys("lost lose false no fail failed incorrect failure i n".split(), 0.0),
    "p": 0.5,
}
"""The outcomes that words mean; letters are those of Inspect."""
_TEXTS, _NUMBERS = ("group", "failure", "unfinished"), ("output_tokens", "cost", "seconds")
ORIGIN = ("harness", "created", "digest")
"""The columns that say which tool made the attempts of a run, when, and from which tasks."""


@dataclass(frozen=True, slots=True)
class ImportedRun:
    """The run of one model in one dataset."""

    folder: Path
    manifest: Mapping[str, Any]
    samples: IO[bytes]
    outcomes: dict[str, list[float | None]] = field(default_factory=dict)
    """The outcomes of each task; None for attempts that were not measured."""


def import_logs(logs: Sequence[Path], folder: Path, options: LogOptions) -> list[ImportedRun]:
    """Write the runs in some logs into a new folder. At a hundred problems raise InputError, and leave nothing."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError([Problem(str(folder), "", "the name of a new folder, or an empty one")])
    importer = _Importer(folder, options)
    runs = importer.runs.values()
    try:
        importer.read(logs)
        files = [{"file": log.name, "sha256": file_sha256(log)} for log in logs if log.is_file()]
        for run in runs:
            write_text(run.folder / "run.json", json.dumps({**run.manifest, "files_read": files}, indent=2) + "\n")
            run.samples.close()
    except BaseException as error:
        for run in runs:
            run.samples.close()
            shutil.rmtree(run.folder, ignore_errors=True)
        if isinstance(error, OSError):
            raise StoreError(folder, error) from error
        raise
    return list(runs)


class _Importer:
    """Adds attempts to the runs that they belong to."""

    def __init__(self, folder: Path, options: LogOptions) -> None:
        self.runs: dict[tuple[str, ...], ImportedRun] = {}
        self._folder, self._options, self._user_paths = folder, options, options.user_paths
        self._columns_met: set[str] = set()
        """The named columns that some attempt has."""
        self._columns: list[str] = []
        """All columns of the first attempt."""
        self._units: dict[str, str] = {}
        """The unit of lengths in each dataset."""
        self._lengths: dict[int, float] = {}
        self._repeats: set[int] = set()
        """Attempts with a repeat, and the lengths of tasks, are kept by hashes: a log can have millions."""

    def read(self, logs: Sequence[Path]) -> None:
        """Add the attempts of logs. Raise InputError with the first problems, if there are any."""
        problems: list[Problem] = []
        for log in logs:
            for paths, log_row in read_log(log, self._options.form, self._user_paths):
                try:
                    if isinstance(log_row, Problem):
                        raise InputError([log_row])
                    self._add_row(log_row, paths, log)
                except InputError as error:
                    problems += error.problems
                if len(problems) >= _MOST_PROBLEMS:
                    raise InputError(problems)
        names, there = ", ".join(map(str, logs)), f"there are {', '.join(self._columns)}"
        for unknown in sorted(self._user_paths.keys() - self._columns_met) if self._columns else ():
            problems.append(Problem(names, "", f"a column {self._user_paths[unknown]}", advice=there))
        if problems or not self.runs:
            raise InputError(problems or [Problem(names, "", "a log with attempts, and it has none")])

    def _add_row(self, log_row: LogRow, paths: Paths, log: Path) -> None:
        """Add an attempt to its run. Raise InputError if a value is wrong."""
        place, row = log_row
        values = {name: value_at(row, path) for name, path in paths.items()}
        if "outcomes" in row:  # of several that the tool wrote, the one that is named, or the first
            outcomes, named = row["outcomes"], self._user_paths.get("outcome")
            values["outcome"] = value_at(outcomes, named) if named else next(iter(outcomes.values()), None)
        self._columns = self._columns or list(row)
        self._columns_met |= {
            name for name, path in self._user_paths.items() if values[name] is not None or path in row
        }
        values = _check_values(place, values)
        values["dataset"] = self._options.dataset or str(values.get("dataset") or log.stem)
        task, length, repeat = str(values["item"]), values["length"], values.get("repeat")
        key = tuple(str(values.get(name) or "") for name in ("model", "dataset", "agent"))
        if length and (before := self._lengths.setdefault(hash((key[1], task)), length)) != length:
            raise _input_error(place, f"the length {before:g} that {task} had before", length)
        if repeat is not None:
            if (attempt := hash((key, task, str(repeat)))) in self._repeats:
                raise _input_error(place, f"one attempt of {key[0]} at {task} with this repeat", repeat)
            self._repeats.add(attempt)
        unit = self._options.unit or values.get("unit") or self._user_paths.get("length", "").rpartition(".")[2]
        unit = str(unit) or ("length" if length else "")
        if (before_unit := self._units.setdefault(key[1], unit)) != unit:
            raise _input_error(place, f"a length in {before_unit or 'no unit'}, as before in {key[1]}", unit)
        run = self.runs.get(key) or self._begin_run(key, values)
        attempts = run.outcomes.setdefault(task, [])
        run.samples.write(row_bytes(self._make_sample(values, run.manifest["config"]["suite"], len(attempts))))
        attempts.append(values["outcome"])

    def _begin_run(self, key: tuple[str, ...], values: Mapping[str, Any]) -> ImportedRun:
        """Begin a run, in a folder that is named by its model, and if there is one, by its dataset and agent too."""
        names, parts = {run.folder.name for run in self.runs.values()}, [_make_slug(part) for part in key if part]
        choices = ["--".join(parts[:count]) for count in (1, 2, 3)] + [f"{parts[0]}-{len(names)}"]
        folder = self._folder / next(name for name in choices if name not in names)
        unit = self._units[key[1]].lower().replace("_", " ")
        suite = f"{SUITE}-{_make_slug(unit)}" if unit else SUITE
        config: dict[str, Any] = {"suite": suite, "identity": {}, "dataset": key[1], "agent": key[2] or None}
        folder.mkdir(parents=True)
        origin = {name: None if values.get(name) is None else str(values[name]) for name in ORIGIN}
        manifest = {"config": config, "imported": origin}
        return self.runs.setdefault(key, ImportedRun(folder, manifest, (folder / "samples.jsonl").open("wb")))

    def _make_sample(self, values: Mapping[str, Any], suite: str, epoch: int) -> dict[str, Any]:
        """Return an attempt as a sample."""
        outcome, won = values["outcome"], values["won"]
        details = {"length": values["length"], "mode": self._options.mode or values.get("mode")}
        sample = {
            "schema": 2, "suite": suite, "task_id": values["item"], "epoch": epoch, "model": values["model"],
            "status": "ok", **{name: values.get(name) for name in (*_TEXTS, *_NUMBERS)}, "details": details,
        }  # fmt: skip
        if outcome is None:
            message = str(values.get("error") or "no_outcome")
            error = {"kind": re.split(r"\W", message, maxsplit=1)[0][:60], "message": message, "status": None}
            return {**sample, "status": "unmeasured", "error": error, "failure": None}
        is_won = bool(won) if won is not None else outcome >= self._options.won_at
        return {**sample, "won": is_won, "score": 100 * outcome, **({"failure": None} if is_won else {})}


def _make_slug(text: str) -> str:
    return re.sub(r"[^\w.]+", "-", text).strip("-.")[:100] or "unnamed"


def _input_error(place: str, expected: str, found: object, advice: str = "") -> InputError:
    return InputError([Problem(place, "", expected, found, advice)])


def _check_values(place: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of an attempt in their types. Raise InputError for the first that has another one."""
    result = {name: values.get(name) for name in (*values, *_NUMBERS, "length", "won")}
    for name in ("item", "model", *_TEXTS):
        value = result.get(name)
        if isinstance(value, dict | list) or len(str(value)) > LONGEST_NAME or (value is None and name not in _TEXTS):
            words = f"the {name}: a text of at most {LONGEST_NAME} characters"
            raise _input_error(place, words, value, f"--{name} names its column")
        result[name] = None if value is None else str(value)
    for name in ("length", *_NUMBERS):
        number = _read_number(result[name])
        if number is not None and (not 0 <= number < MOST_AMOUNT or (name == "length" and number == 0)):
            raise _input_error(place, f"a number above 0 as {name}", result[name])
        result[name] = round(number) if number is not None and name == "output_tokens" else number
    # our own matrix may have responses above 1, as scores of some suites are above 100
    most = MOST_AMOUNT if values.get("harness") and values.get("won") is not None else 1
    for name in ("outcome", "won"):
        text = str(result[name]).strip().lower()
        share = _WORDS[text] if text in _WORDS else _read_number(result[name])
        if share is not None and not isnan(share) and not 0 <= share <= most:
            words = "an outcome from 0 to 1, or a word such as won, lost, true, false, correct"
            raise _input_error(place, words, result[name], "--outcome names another one")
        # tools write NaN where nothing was scored
        result[name] = None if share is None or isnan(share) else share
    return {**result, "outcome": None} if result.get("error") else result


def _read_number(value: Any) -> float | None:
    """Return a number; one that no check lets through for another value."""
    try:
        return None if value is None else float(value)
    except (TypeError, ValueError):
        return inf
