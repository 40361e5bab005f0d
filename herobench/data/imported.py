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
from herobench.data.foreign_logs import Logged, Paths, read_log, value_at
from herobench.data.options import Option
from herobench.data.rows import row_bytes

SUITE = "imported"
_COLUMN = "COLUMN"
Form = Literal["auto", "inspect", "lm-eval", "harbor", "verifiers", "table"]
Mode = Literal["plan", "feedback", "tools"]


@dataclass(frozen=True, slots=True)
class LogOptions:
    """What a user says of logs."""

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
    def named(self) -> dict[str, str]:
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
OF_RUN = ("harness", "created", "digest")
"""Where the attempts of a run come from."""


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
    except OSError as error:
        raise StoreError(folder, error) from error
    except InputError:
        for run in runs:
            run.samples.close()
            shutil.rmtree(run.folder, ignore_errors=True)
        raise
    return list(runs)


class _Importer:
    """Adds attempts to the runs that they belong to."""

    def __init__(self, folder: Path, options: LogOptions) -> None:
        self.runs: dict[tuple[str, ...], ImportedRun] = {}
        self._folder, self._options, self._named = folder, options, options.named
        self._met: set[str] = set()
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
            for paths, logged in read_log(log, self._options.form, self._named):
                try:
                    if isinstance(logged, Problem):
                        raise InputError([logged])
                    self._add(logged, paths, log)
                except InputError as error:
                    problems += error.problems
                if len(problems) >= _MOST_PROBLEMS:
                    raise InputError(problems)
        names, there = ", ".join(map(str, logs)), f"there are {', '.join(self._columns)}"
        for unknown in sorted(self._named.keys() - self._met) if self._columns else ():
            problems.append(Problem(names, "", f"a column {self._named[unknown]}", advice=there))
        if problems or not self.runs:
            raise InputError(problems or [Problem(names, "", "a log with attempts, and it has none")])

    def _add(self, logged: Logged, paths: Paths, log: Path) -> None:
        """Add an attempt to its run. Raise InputError if a value is wrong."""
        place, row = logged
        known = {name: value_at(row, path) for name, path in paths.items()}
        if "outcomes" in row:  # of several that the tool wrote, the one that is named, or the first
            first = next(iter(row["outcomes"].values()), None)
            known["outcome"] = value_at(row["outcomes"], self._named["outcome"]) if "outcome" in self._named else first
        self._columns = self._columns or list(row)
        self._met |= {name for name, path in self._named.items() if known[name] is not None or path in row}
        known = _checked(place, known)
        known["dataset"] = self._options.dataset or str(known.get("dataset") or log.stem)
        task, length, repeat = str(known["item"]), known["length"], known.get("repeat")
        key = tuple(str(known.get(name) or "") for name in ("model", "dataset", "agent"))
        if length and (before := self._lengths.setdefault(hash((key[1], task)), length)) != length:
            raise _wrong(place, f"the length {before:g} that {task} had before", length)
        if repeat is not None:
            if (attempt := hash((key, task, str(repeat)))) in self._repeats:
                raise _wrong(place, f"one attempt of {key[0]} at {task} with this repeat", repeat)
            self._repeats.add(attempt)
        unit = self._options.unit or known.get("unit") or self._named.get("length", "").rpartition(".")[2]
        unit = str(unit) or ("length" if length else "")
        if (before_unit := self._units.setdefault(key[1], unit)) != unit:
            raise _wrong(place, f"a length in {before_unit or 'no unit'}, as before in {key[1]}", unit)
        run = self.runs.get(key) or self._begin(key, known)
        outcomes = run.outcomes.setdefault(task, [])
        run.samples.write(row_bytes(self._sample(known, run.manifest["config"]["suite"], len(outcomes))))
        outcomes.append(known["outcome"])

    def _begin(self, key: tuple[str, ...], known: Mapping[str, Any]) -> ImportedRun:
        """Begin a run, in a folder that is named by its model, and if there is one, by its dataset and agent too."""
        names, parts = {run.folder.name for run in self.runs.values()}, [_slug(part) for part in key if part]
        choices = ["--".join(parts[:count]) for count in (1, 2, 3)] + [f"{parts[0]}-{len(names)}"]
        folder = self._folder / next(name for name in choices if name not in names)
        unit = self._units[key[1]].lower().replace("_", " ")
        suite = f"{SUITE}-{_slug(unit)}" if unit else SUITE
        config: dict[str, Any] = {"suite": suite, "identity": {}, "dataset": key[1], "agent": key[2] or None}
        folder.mkdir(parents=True)
        imported = {name: None if known.get(name) is None else str(known[name]) for name in OF_RUN}
        manifest = {"config": config, "imported": imported}
        return self.runs.setdefault(key, ImportedRun(folder, manifest, (folder / "samples.jsonl").open("wb")))

    def _sample(self, known: Mapping[str, Any], suite: str, epoch: int) -> dict[str, Any]:
        """Return an attempt as a sample."""
        outcome, won = known["outcome"], known["won"]
        details = {"length": known["length"], "mode": self._options.mode or known.get("mode")}
        sample = {
            "schema": 2, "suite": suite, "task_id": known["item"], "epoch": epoch, "model": known["model"],
            "status": "ok", **{name: known.get(name) for name in (*_TEXTS, *_NUMBERS)}, "details": details,
        }  # fmt: skip
        if outcome is None:
            message = str(known.get("error") or "no_outcome")
            error = {"kind": re.split(r"\W", message, maxsplit=1)[0][:60], "message": message, "status": None}
            return {**sample, "status": "unmeasured", "error": error, "failure": None}
        is_won = bool(won) if won is not None else outcome >= self._options.won_at
        return {**sample, "won": is_won, "score": 100 * outcome, **({"failure": None} if is_won else {})}


def _slug(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9._]+", "-", text).strip("-.")[:100] or "unnamed"


def _wrong(place: str, expected: str, found: object, advice: str = "") -> InputError:
    return InputError([Problem(place, "", expected, found, advice)])


def _checked(place: str, known: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of an attempt in their types. Raise InputError for the first that has another one."""
    checked = {name: known.get(name) for name in (*known, *_NUMBERS, "length", "won")}
    for name in ("item", "model", *_TEXTS):
        value = checked.get(name)
        if isinstance(value, dict | list) or len(str(value)) > LONGEST_NAME or (value is None and name not in _TEXTS):
            words = f"the {name}: a text of at most {LONGEST_NAME} characters"
            raise _wrong(place, words, value, f"--{name} names its column")
        checked[name] = None if value is None else str(value)
    for name in ("length", *_NUMBERS):
        number = _number(checked[name])
        if number is not None and (not 0 <= number < MOST_AMOUNT or (name == "length" and number == 0)):
            raise _wrong(place, f"a number above 0 as {name}", checked[name])
        checked[name] = round(number) if number is not None and name == "output_tokens" else number
    # our own matrix may have responses above 1, as scores of some suites are above 100
    most = MOST_AMOUNT if known.get("harness") and known.get("won") is not None else 1
    for name in ("outcome", "won"):
        text = str(checked[name]).strip().lower()
        share = _WORDS[text] if text in _WORDS else _number(checked[name])
        if share is not None and not isnan(share) and not 0 <= share <= most:
            words = "an outcome from 0 to 1, or a word such as won, lost, true, false, correct"
            raise _wrong(place, words, checked[name], "--outcome names another one")
        # tools write NaN where nothing was scored
        checked[name] = None if share is None or isnan(share) else share
    return {**checked, "outcome": None} if checked.get("error") else checked


def _number(value: Any) -> float | None:
    """Return a number; one that no check lets through for another value."""
    try:
        return None if value is None else float(value)
    except (TypeError, ValueError):
        return inf
