"""Samples as the analysis holds them: each line read, and checked against the declarations of its columns.

A sample is a mapping with the columns of `herobench.data.columns.SAMPLE`; a missing column is None: it is not known.
Rows of a suite's other formats become samples here too. Nothing after this module checks types, because a wrong value
would make every figure after it wrong.

The columns of the tidy table, in which each sample is a row, are declared here: type, whether it can be null, meaning.
The common ones come first. A suite's own are columns of its details, or declared by its reading. The tables of
`docs/exports.md` have them too, as a test says.

With samples are read the repairs of a run's lost plans, which `herobench repair` writes beside its samples. They are
for readers of results: nothing that asks a model reads them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from herobench.analysis.reading.checked import fact_names, installed_readings, load_reading
from herobench.conversation import is_cut_off
from herobench.data.columns import (
    AMOUNT,
    COUNT,
    FLAG,
    LONGEST_NAME,
    SAMPLE,
    TEXT,
    Column,
    Schema,
    blank,
    loosen,
    names,
    optional,
    record,
)
from herobench.data.documents import parse_line, schema_problems
from herobench.data.errors import InputError, Problem, SuiteError
from herobench.data.files import bounded_lines, open_regular, unreadable

Sample = Mapping[str, Any]

SCHEMA = 2
NO_GROUP = "all"
"""The name of the group that tasks without a group form."""
_BLANK: Mapping[str, None] = dict.fromkeys(names(SAMPLE))
_NAME: Schema = {"type": "string", "maxLength": LONGEST_NAME}
ATTEMPT: Mapping[str, Schema] = {"task_id": _NAME, "epoch": {"type": "integer", "minimum": 0, "maximum": 10**9}}
"""The columns that name an attempt, which may not be null."""
_STRICT: Mapping[str, Schema] = {
    **{column.name: column.schema for column in SAMPLE if column.name in ("schema", "suite", "status")},
    **{name: {**_NAME, "type": ["string", "null"]} for name in ("group", "model", "failure")},
    **ATTEMPT,
}
"""Common columns whose values are checked more closely than by their types."""


def parse_sample(row: Any, name: str, place: str) -> Sample:
    """Return a parsed row as a sample; `name` is the name of its source. Raise InputError for any other row."""
    if isinstance(row, dict):
        if row.keys() >= {"suite", "details"}:
            return _check_sample({**_BLANK, **row}, place)
        for suite, reading in installed_readings().items():
            sample = reading.adopted(row, name, place)
            if sample is not None:
                return {**_BLANK, "schema": SCHEMA, "suite": suite, **sample}
    raise InputError([Problem(place, "$", "a scored row, a sample of a run, or a published result", row)])


def group_name(sample: Sample) -> str:
    """Return the name of a sample's group."""
    return sample["group"] or NO_GROUP


def cut_off(sample: Sample) -> bool | None:
    """Return whether a reply of the attempt ended before it was whole; None if its replies are not known."""
    replies = sample["replies"]
    return any(is_cut_off(row.get("text") or "", row.get("stop")) for row in replies) if replies else None


def limit_words(losses: Iterable[bool | None]) -> str:
    """Say that most losses were cut off by the limit of the output; an empty text if they were not.

    `losses` says of each lost attempt whether a reply was cut off; None where that is not known.
    """
    cuts = list(losses)
    count = sum(one is True for one in cuts)
    words = f"{count} of {len(cuts)} losses were cut off: the limit of the output ended this horizon, and not the model"
    return words if count and 2 * count >= len(cuts) else ""


def is_measured(sample: Sample) -> bool:
    """Return whether the attempt was scored."""
    return bool(sample["status"] == "ok")


# -- checks -----------------------------------------------------------------------------------------------------------


def _check_sample(sample: dict[str, Any], place: str) -> Sample:
    """Return the sample if its values are of the declared types. Raise InputError with all problems if one is not."""
    suite, details = sample["suite"], sample["details"]
    suite = suite if isinstance(suite, str) else ""
    if details is None or isinstance(details, dict):
        # a reading relies on all of its columns, and those that are missing are not known
        sample["details"] = {**_blank_details(suite), **(details or {})}
    refuse_wrong(sample, _sample_schema(suite), place)
    if is_measured(sample):
        # every figure is built on these two, so a measured sample without them would be counted wrongly
        refuse_unknown(sample, ("won", "score"), place)
    sample["epoch"] = int(sample["epoch"])  # 1.0 is a whole number too
    return sample


def refuse_wrong(row: Mapping[str, Any], schema: str, place: str) -> None:
    """Raise InputError with every problem that a schema, given as text, finds in a row."""
    if problems := schema_problems(row, schema, place):
        raise InputError(problems)


def refuse_unknown(row: Mapping[str, Any], columns: Iterable[str], place: str) -> None:
    """Raise InputError if a column of an attempt that was measured is null."""
    unknown = [name for name in columns if row.get(name) is None]
    if unknown:
        raise InputError(
            Problem(place, f"$.{name}", "a value, because the attempt was measured", None) for name in unknown
        )


def loose_schema(columns: Iterable[Column], strict: Mapping[str, Schema]) -> str:
    """Return the schema by which rows are read, as text: the types of all columns, and more of the `strict` ones."""
    loosened_columns = {column.name: loosen(column.schema) for column in columns}
    return json.dumps({"type": "object", "properties": {**loosened_columns, **strict}})


@cache
def _blank_details(suite: str) -> Mapping[str, Any]:
    return blank(load_reading(suite).columns)


@cache
def _sample_schema(suite: str) -> str:
    details = json.loads(loose_schema(load_reading(suite).columns, {}))
    return loose_schema(SAMPLE, {**_STRICT, "details": details})


# -- the columns of the tidy table ------------------------------------------------------------------------------------

_SAMPLE = {column.name: column for column in SAMPLE}
_LINE: Schema = {"type": ["integer", "null"]}
FACTS = (
    Column("run", TEXT, "The name of the run's folder, or of the file of rows."),
    _SAMPLE["suite"],
    Column("group", TEXT, "The task's group; `all` for a task without one."),
    Column("measured", FLAG, "True if there was a reply to score."),
    Column("counted", FLAG, "True if the sample counts in the main figures; attempts at impossible tasks do not."),
    Column("win", optional(FLAG), "True if the attempt solved the task; null if it was not measured."),
    Column("outcome", optional(TEXT), "The same in words: win or lose."),
    _SAMPLE["progress"],
    Column("cause", optional(TEXT), "The first cause of the loss; null for a win, or if too little is known."),
    Column("cause_line", _LINE, "The line of the plan, or the step, that the cause is at; null if it is at none."),
    Column("cause_subject", optional(TEXT), "The thing that the cause is about; null if it is about none."),
    Column("error_kind", optional(TEXT), "The kind of error for which the attempt is unmeasured; null if it is not."),
    Column("tokens", optional(COUNT), "All tokens of the replies."),
    Column("cut_off", optional(FLAG), "True if a reply was cut off; null if the replies are not known."),
    Column("model", optional(TEXT), "The model as the server named it, or as it was asked for."),
    Column("help", TEXT, "What help the model had: bare, feedback, tools, code or solver."),
    _SAMPLE["task_id"],
    _SAMPLE["epoch"],
    _SAMPLE["score"],
    _SAMPLE["failure"],
    _SAMPLE["input_tokens"],
    _SAMPLE["output_tokens"],
    _SAMPLE["reasoning_tokens"],
    Column("calls", optional(COUNT), "How often the model was called; null in scored rows and published results."),
    Column("retries", optional(COUNT), "How many failed requests were sent again; null as for calls."),
    _SAMPLE["cost"],
    Column("seconds", optional(AMOUNT), "The time that was spent waiting for replies; null as for calls."),
    _SAMPLE["unfinished"],
)
"""The columns that samples of every suite have, in their order."""
COMMON = names(FACTS)


def declared_columns(suite: str) -> Mapping[str, Column]:
    """Return the declared columns of a suite's table by name: the common ones, then its own in their order.

    A fact that neither the reading nor the details declare is not there.
    """
    reading = load_reading(suite)
    # details are checked for each sample, and may all be unknown
    own = {column.name: column.optional for column in reading.columns if "const" not in column.schema}
    own |= {column.name: column for column in reading.fact_columns}
    return {column.name: column for column in FACTS} | {name: own[name] for name in fact_names(suite) if name in own}


@cache
def tidy_columns(suite: str) -> tuple[str, ...]:
    """Return the columns of the tidy table for the samples of a suite."""
    reading = load_reading(suite)
    own = fact_names(suite)
    if twice := sorted({*own} & {*COMMON}):
        raise SuiteError(f"The reading of the suite {suite} has a fact {twice[0]!r}, which is a common column.")
    named_columns = {reading.group, *reading.groupings, *reading.settings, *reading.listed, *reading.remarked}
    if unknown := sorted(named_columns - {*COMMON, *own}):
        raise SuiteError(f"The reading of the suite {suite} names {unknown[0]!r}, which is not one of its facts.")
    return (*COMMON, *own)


# -- repairs -----------------------------------------------------------------------------------------------------------

FILE = "repairs.jsonl"
"""The name of the file in a run's folder."""
_STEP = record(
    (
        Column("action", TEXT, "The name of the action."),
        Column("args", {"type": "array"}, "Its arguments."),
    )
)
_EDIT = record(
    (
        Column("edit", {"enum": ["put in", "leave out", "change"]}, "What is done."),
        Column("kind", TEXT, "What it mends, such as a wrong count."),
        Column("at", COUNT, "The number of calls of the plan before it."),
        Column("line", optional({"type": "integer"}), "The line of the plan; null behind its end."),
        Column("old", optional({**_STEP, "additionalProperties": True}), "The step that is there now."),
        Column("new", optional({**_STEP, "additionalProperties": True}), "The step that takes its place."),
    )
)
REPAIR = (
    Column("task_id", ATTEMPT["task_id"], "The task."),
    Column("epoch", ATTEMPT["epoch"], "The number of the attempt at it, from 0."),
    Column("calls", optional(COUNT), "The calls of the plan; null if the answer has no plan."),
    Column(
        "lost",
        optional(record((Column("after", COUNT, ""), Column("by", optional(COUNT), "")))),
        "The goal was in reach after `after` calls, and out of reach after `by` calls (null if unknown). "
        "Null if it was in reach to the end.",
    ),
    Column(
        "fewest",
        optional(record((Column("least", COUNT, ""), Column("most", optional(COUNT), "")))),
        "The fewest edits that win: fewer than `least` are proven not to, and `most` are known to. Equal if exact.",
    ),
    Column("edits", optional({"type": "array", "items": _EDIT}), "Edits that win; null if none are known."),
    Column("kinds", {"type": "object", "additionalProperties": COUNT}, "The number of edits of each kind."),
)
"""The columns of a repair."""
_SCHEMA = json.dumps(record(REPAIR))


def with_repair(sample: Sample, file: Path) -> Sample:
    """Return a sample of a run with its repair under `repair`; unchanged if the file has none."""
    if sample["won"] is not False:
        return sample
    repair_row = repairs_in(file).get((sample["task_id"], sample["epoch"]))
    return {**sample, "repair": repair_row} if repair_row else sample


def repairs_in(file: Path) -> Mapping[tuple[str, int], Mapping[str, Any]]:
    """Return the repairs of a run by attempt. Raise InputError at a wrong row, or if the file cannot be read."""
    try:
        return _read(file, file.stat().st_mtime_ns)
    except OSError as error:
        raise InputError([unreadable(file, error)]) from error


@lru_cache(maxsize=8)
def _read(path: Path, change_time: int) -> Mapping[tuple[str, int], Mapping[str, Any]]:
    """Read the file once, and again when it has changed."""
    rows: dict[tuple[str, int], Mapping[str, Any]] = {}
    with open_regular(path) as file:
        for number, line in enumerate(bounded_lines(file, str(path)), 1):
            row, problems = parse_line(line, f"{path}:{number}")
            if problems:
                raise InputError(problems)
            refuse_wrong(row, _SCHEMA, f"{path}:{number}")
            rows[row["task_id"], row["epoch"]] = row
    return rows
