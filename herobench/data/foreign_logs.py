"""Reads the logs of other tools: Inspect, lm-eval, harbor, verifiers, and tables of item x model.

Each attempt becomes a row: all that the tool wrote of it, under `log` what it wrote of all attempts, under `outcomes`
the values that can be its outcome. The paths of a format say where in a row its item, its model and so on are; a user
may name other paths. A part that cannot be read becomes a `Problem` in its place, so that one bad line hides no other.
`imported` checks the values. The files are zip, JSON, CSV and Parquet: no reader imports the tool that wrote them.
"""

from __future__ import annotations

import csv
import io
import json
import re
import struct
import zipfile
from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from herobench.data.errors import HeroBenchError, InputError, Problem, UsageError
from herobench.data.files import LARGEST_DOCUMENT, LONGEST_LINE, open_regular, read_bytes, unreadable
from herobench.data.rows import unread_lines

_SAMPLES = re.compile(r"samples_(?P<task>.+)_(?P<date>\d{4}-\d\d-\d\dT[\d.-]+)\.jsonl")
Row = dict[str, Any]
Paths = Mapping[str, str]
"""The path of each value in a row: keys with dots between them, or several such paths with bars between them."""


class LogRow(NamedTuple):
    """One attempt of a log, with its place."""

    place: str
    row: Row


Attempts = Iterator[LogRow | Problem]


class Format(NamedTuple):
    """A format of logs: its files in a folder, what reads one of them, and its paths, as `value=path` with spaces."""

    files: tuple[str, ...]
    read: Callable[[Path, Paths], Attempts]
    paths: str


def read_log(path: Path, form: str, user_paths: Paths) -> Iterator[tuple[Paths, LogRow | Problem]]:
    """Yield the attempts of a file or a folder with the paths of its values, of which the user named some.

    `form` is a format or `auto`. Raise InputError if there is no log, and UsageError if a package is needed to read it.
    """
    form = _find_format(path) if form == "auto" else form
    files, read, text = FORMATS[form]
    paths = {"harness": "harness", **dict(part.split("=") for part in text.split()), **user_paths}
    logs = sorted({log for name in files for log in path.rglob(name)}) if path.is_dir() else [path]
    if not logs:
        yield paths, Problem(str(path), "", f"a folder with {' or '.join(files) or 'logs of a tool'}")
    for log in logs:
        last = ""
        try:
            for log_row in read(log, user_paths):
                if isinstance(log_row, LogRow) and "version" in paths:
                    log_row.row["harness"] = f"{form} {value_at(log_row.row, paths['version']) or ''}".strip()
                yield paths, log_row
                last = f"after {log_row.place if isinstance(log_row, LogRow) else log_row.file}"
        except HeroBenchError:
            raise
        except ImportError as error:
            raise UsageError(f"{log} needs {error.name}: pip install 'herobench[parquet]'.") from error
        except Exception as error:  # the file of another program can be broken in any way
            why = unreadable(log, error).expected if isinstance(error, OSError) else f"a whole {form} log ({error})"
            yield paths, Problem(str(log), last, why)


def value_at(row: Any, paths: str) -> Any:
    """Return the value at the first of some paths that has one; None if none has."""
    for path in paths.split("|"):
        value = _as_dict(row).get(path)
        if value is None and "." in path:
            value = row
            for key in path.split("."):
                value = _as_dict(value).get(key)
        if value is not None and value != "":
            return value
    return None


def _find_format(path: Path) -> str:
    """Return the format that a name and the first row show."""
    if path.is_dir():
        forms = (form for form, (files, _, _) in FORMATS.items() if any(next(path.rglob(name), None) for name in files))
        return next(forms, "table")
    if path.suffix in (".eval", ".json"):
        return "inspect"
    first = next(_read_json(path), None) if path.suffix == ".jsonl" else None
    keys = first.row.keys() if isinstance(first, LogRow) else set()
    if keys >= {"doc_id", "metrics"}:
        return "lm-eval"
    return "verifiers" if "traces" in keys or keys >= {"example_id", "reward"} else "table"


def _parse(text: bytes, place: str) -> LogRow | Problem:
    """Return an object of JSON, which may have NaN as Python writes it."""
    try:
        row = json.loads(text.strip())
    except (ValueError, RecursionError) as error:
        return Problem(place, "", f"JSON ({error})")
    return LogRow(place, row) if isinstance(row, dict) else Problem(place, "", "an object of JSON", row)


def _read_json(path: Path) -> Attempts:
    return (_parse(line, place) for place, line in unread_lines(path))


def _read_beside(file: Path, name: str) -> Row:
    """Return the document of a name beside a file; empty if there is none."""
    other = file.with_name(name)
    document = _parse(read_bytes(other), str(other)) if other.is_file() else LogRow("", {})
    if isinstance(document, Problem):
        raise InputError([document])
    return document.row


def _as_dict(value: Any) -> Row:
    return value if isinstance(value, dict) else {}


# -- the tools --------------------------------------------------------------------------------------------------------


def _read_inspect(file: Path, user_paths: Paths) -> Attempts:
    """Read an `.eval`, a zip with a member for each sample, or a `.json`, one document."""
    members = iter([_parse(read_bytes(file), str(file))]) if file.suffix == ".json" else _read_members(file)
    header = next(members)
    if isinstance(header, Problem):
        yield header
        return
    log = header.row
    if "eval" not in log:
        yield Problem(str(file), "", "a log of Inspect, with the entry `eval`")
        return
    samples = (LogRow(f"{file}: $.samples[{n}]", one) for n, one in enumerate(log.pop("samples", None) or ()))
    for read in chain(samples, members):
        if isinstance(read, LogRow):
            sample = read.row
            outcomes = {name: value_at(score, "value") for name, score in _as_dict(sample.get("scores")).items()}
            usage = _as_dict(sample.get("model_usage")).values()
            values = {
                "log": log,
                "outcomes": outcomes,
                "tokens": sum(value_at(each, "output_tokens") or 0 for each in usage) if usage else None,
                "error": None if outcomes else sample.get("error"),  # a sample may be scored in spite of an error
            }
            read = LogRow(read.place, {**sample, **values})
        yield read


def _read_members(file: Path) -> Attempts:
    """Yield the header of a log, and its samples: one member at a time, since a log can be larger than the memory."""
    with open_regular(file) as content, zipfile.ZipFile(content) as archive:
        members = {info.filename: info for info in archive.infolist()}
        # a log that was not finished has only the header that it began with
        header = "header.json" if "header.json" in members else "_journal/start.json"
        for name in [header, *(name for name in members if name.startswith("samples/"))]:
            if name not in members or members[name].file_size > LARGEST_DOCUMENT:
                raise zipfile.BadZipFile(f"{name} is not in it, or larger than {LARGEST_DOCUMENT >> 20} MiB")
            yield _parse(_unpack_member(archive, members[name], content), f"{file}: {name}")


def _unpack_member(archive: zipfile.ZipFile, info: zipfile.ZipInfo, content: io.BufferedReader) -> bytes:
    """Return a member of a zip. Inspect compresses by zstd, which Python reads from 3.14 on, and pyarrow before."""
    try:
        return archive.read(info)
    except NotImplementedError:
        import pyarrow as pa
    content.seek(info.header_offset + 26)
    content.seek(sum(struct.unpack("<HH", content.read(4))), io.SEEK_CUR)  # over the member's name and extra field
    with pa.input_stream(pa.py_buffer(content.read(info.compress_size)), compression="zstd") as stream:
        return bytes(stream.read(info.file_size))


def _read_lm_eval(file: Path, user_paths: Paths) -> Attempts:
    """Read `samples_TASK_DATE.jsonl`, with the model of the `results_DATE.json` beside it.

    It has a line for each filter of an answer: that of an outcome such as `exact_match,strict` counts, or the first.
    """
    parts = _SAMPLES.fullmatch(file.name)
    log = {"folder": file.parent.name, "task": parts["task"] if parts else file.stem}
    log |= _read_beside(file, f"results_{parts['date']}.json") if parts else {}
    filter_name = user_paths.get("outcome", "").partition(",")[2]
    for read in _read_json(file):
        if isinstance(read, LogRow):
            filter_name = filter_name or str(read.row.get("filter"))
            if read.row.get("filter") != filter_name:
                continue
            metrics = list(map(str, read.row.get("metrics") or ()))
            outcomes = {f"{name}{end}": read.row.get(name) for end in ("", f",{filter_name}") for name in metrics}
            read = LogRow(read.place, {**read.row, "log": log, "outcomes": outcomes})
        yield read


def _read_harbor(file: Path, user_paths: Paths) -> Attempts:
    """Read the `result.json` of a trial. That of a job names no trial. A trial is measured if its reward is valid."""
    trial = _parse(read_bytes(file), str(file))
    if isinstance(trial, LogRow) and "trial_name" in (row := trial.row):
        rewards = _as_dict(value_at(row, "verifier_result.rewards"))
        is_valid = row.get("reward_valid", bool(rewards))  # files of earlier versions do not say it
        error = None if is_valid else value_at(row, "exception_info.exception_type") or "no reward"
        yield LogRow(trial.place, {**row, "outcomes": rewards, "error": error, "mode": "tools"})
    elif isinstance(trial, Problem):
        yield trial


def _read_verifiers(file: Path, user_paths: Paths) -> Attempts:
    """Read `traces.jsonl`, an episode a line, or the `results.jsonl` of versions before 0.4 with its metadata.json.

    The reward of a trace is the weighted sum of its rewards, as verifiers prints it.
    """
    log = _read_beside(file, "metadata.json")
    for read in _read_json(file):
        if isinstance(read, Problem):
            yield read
        elif "traces" not in read.row:
            outcomes = {"reward": read.row.get("reward"), **_as_dict(read.row.get("metrics"))}
            yield LogRow(read.place, {**read.row, "log": log, "outcomes": outcomes})
        else:
            log = {"env_id": value_at(read.row, "env.id")}
            # other agents, such as a simulated user, have no score
            traces = [trace for trace in read.row["traces"] if value_at(trace, "agent.trainable") is not False]
            for number, trace in enumerate(map(_as_dict, traces)):
                rewards = [_as_dict(each) for each in _as_dict(trace.get("rewards")).values()]
                amounts = [each["score"] * each.get("weight", 1.0) for each in rewards if each.get("score") is not None]
                outcomes = {"reward": sum(amounts) if amounts else None, **_as_dict(trace.get("metrics"))}
                error = None if trace.get("ok") else value_at([*trace.get("errors", ()), {}][0], "type") or "not ok"
                values = {"log": log, "error": error, "mode": "tools" if trace.get("tools") else None}
                yield LogRow(f"{read.place}: $.traces[{number}]", {**trace, **values, "outcomes": outcomes})


# -- tables of item x model -------------------------------------------------------------------------------------------

_OUTCOMES = "outcome|response|score_binarized|score|correct|success|reward|won"
_ITEMS = "raw_item_id|item|item_id|task_id|example_id|task|id"
_TABLE = (
    f"item={_ITEMS} model=model|model_name|alias|subject_id "
    f"outcome={_OUTCOMES} repeat=repeat|trial|epoch dataset=dataset|benchmark_id agent=agent|test_condition won=won "
    f"length=length unit=unit group=group failure=failure error=error output_tokens=output_tokens cost=cost "
    f"seconds=seconds harness=harness created=created digest=digest"
)
"""The usual names of columns, those of Stanford's measurement-db among them."""


def _read_table(file: Path, user_paths: Paths) -> Attempts:
    """Read CSV, JSONL or Parquet: a row for each attempt; or, where no column has outcomes, a row for each item with a
    column for each model. The first column of such a row is its item where none has a usual name."""
    rows = _read_json if file.name.removesuffix(".gz").endswith((".jsonl", ".ndjson")) else _read_csv
    items = set[str]()
    others = {name for part in _TABLE.split() for name in part.split("=")[1].split("|")} | {*user_paths.values()}
    is_long = user_paths.keys() & {"model", "outcome"}
    for read in _read_parquet(file) if file.suffix == ".parquet" else rows(file):
        if isinstance(read, Problem) or is_long or read.row.keys() & _OUTCOMES.split("|"):
            yield read
            continue
        place, row = read
        values = {name: value for name, value in row.items() if name not in others}
        if values and "item" not in user_paths and row.keys().isdisjoint(_ITEMS.split("|")):
            first = next(iter(values))
            row["item"] = item = str(values.pop(first))
            if item in items:
                yield Problem(place, "", f"another {first} in each row", item, "--item names its column")
                continue
            items.add(item)
        for model, value in values.items():
            if value not in (None, ""):
                yield LogRow(f"{place}: {model}", {**row, "model": model, "outcome": value})


def _read_csv(path: Path) -> Attempts:
    """Read CSV with commas, semicolons or tabs between cells."""
    csv.field_size_limit(LONGEST_LINE)
    place = [f"{path}:1"]

    def texts() -> Iterator[str]:
        for place[0], line in unread_lines(path):
            yield line.decode("utf-8-sig")

    lines = texts()
    head = next(lines, "")
    delimiter = max(",;\t", key=head.count)
    names = next(csv.reader([head], delimiter=delimiter), [])
    if len({*names} - {""}) < max(len(names), 2):
        yield Problem(place[0], "", "the names of two columns or more, each once", names)
        return
    for cells in csv.reader(lines, delimiter=delimiter, strict=True):
        if len(cells) != len(names):
            yield Problem(place[0], "", f"{len(names)} cells, as in line 1", len(cells))
            continue
        if "subject_id" in names:  # our own tables have an apostrophe before what a spreadsheet would run as a formula
            cells = [cell.removeprefix("'") for cell in cells]
        yield LogRow(place[0], dict(zip(names, cells, strict=True)))


def _read_parquet(path: Path) -> Attempts:
    from pyarrow import parquet

    with open_regular(path) as content:
        batches = parquet.ParquetFile(content).iter_batches()
        for number, row in enumerate((row for batch in batches for row in batch.to_pylist()), 1):
            yield LogRow(f"{path}: row {number}", row)


FORMATS: Mapping[str, Format] = {
    "inspect": Format(
        ("*.eval",),
        _read_inspect,
        "item=id model=log.eval.model dataset=log.eval.task repeat=epoch error=error.message failure=limit.type "
        "unfinished=limit.type seconds=total_time output_tokens=tokens created=log.eval.created "
        "version=log.eval.packages.inspect_ai",
    ),
    "lm-eval": Format(
        ("samples_*.jsonl",),
        _read_lm_eval,
        "item=doc_id model=log.model_name|log.config.model|log.folder dataset=log.task created=log.date "
        "version=log.lm_eval_version",
    ),
    "verifiers": Format(
        ("traces.jsonl", "results.jsonl"),
        _read_verifiers,
        "item=task.data.id|task.data.name|task.data.idx|example_id model=agent.config.model|log.model error=error "
        "dataset=log.env_id mode=mode output_tokens=num_output_tokens created=log.date version=verifiers.version",
    ),
    "harbor": Format(
        ("result.json",),
        _read_harbor,
        "item=task_name model=agent_info.model_info.name|agent_info.name agent=agent_info.name dataset=source "
        "error=error mode=mode failure=exception_info.exception_type output_tokens=agent_result.n_output_tokens "
        "cost=agent_result.cost_usd created=started_at version=version",
    ),
    "table": Format((), _read_table, _TABLE),
}
