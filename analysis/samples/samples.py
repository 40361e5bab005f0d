"""Samples as the analysis holds them: each line read, and checked against the declarations of its columns.

A sample is a mapping with the columns of `herobench.data.columns.SAMPLE`; a missing column is None: it is not known.
Rows of a suite's other formats become samples here too. Nothing after this module checks types, because a wrong value
would make every figure after it wrong.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from herobench.analysis.reading.checked import installed_readings, reading_of
from herobench.data.columns import LONGEST_NAME, SAMPLE, Column, Schema, blank, loosened, names
from herobench.data.documents import schema_problems
from herobench.data.errors import InputError, Problem
from herobench.data.thoughts import is_cut_off

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


def sample_of(row: Any, name: str, place: str) -> Sample:
    """Return a parsed row as a sample; `name` is the name of its source. Raise InputError for any other row."""
    if isinstance(row, dict):
        if row.keys() >= {"suite", "details"}:
            return _checked({**_BLANK, **row}, place)
        for suite, reading in installed_readings().items():
            sample = reading.adopted(row, name, place)
            if sample is not None:
                return {**_BLANK, "schema": SCHEMA, "suite": suite, **sample}
    raise InputError([Problem(place, "$", "a scored row, a sample of a run, or a published result", row)])


def group_of(sample: Sample) -> str:
    """Return the name of a sample's group."""
    return sample["group"] or NO_GROUP


def cut_off(sample: Sample) -> bool | None:
    """Return whether a reply of the attempt ended before it was whole; None if its replies are not known."""
    replies = sample["replies"]
    return any(is_cut_off(row.get("text") or "", row.get("stop")) for row in replies) if replies else None


def is_measured(sample: Sample) -> bool:
    """Return whether the attempt was scored."""
    return bool(sample["status"] == "ok")


# -- checks -----------------------------------------------------------------------------------------------------------


def _checked(sample: dict[str, Any], place: str) -> Sample:
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
    told = {column.name: loosened(column.schema) for column in columns}
    return json.dumps({"type": "object", "properties": {**told, **strict}})


@cache
def _blank_details(suite: str) -> Mapping[str, Any]:
    return blank(reading_of(suite).columns)


@cache
def _sample_schema(suite: str) -> str:
    details = json.loads(loose_schema(reading_of(suite).columns, {}))
    return loose_schema(SAMPLE, {**_STRICT, "details": details})
