"""Samples as the analysis holds them: each line read strictly, each column checked against its declaration.

A sample is a mapping with the columns of `herobench.data.columns.SAMPLE`; a missing column is None: it is not known.
Rows of a suite's other formats become samples here too. Nothing after this module checks types, because a wrong value
would make every figure after it wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from types import NoneType
from typing import Any, NamedTuple

from herobench.analysis.reading.checked import installed_readings, reading_of
from herobench.data.columns import LONGEST_NAME, SAMPLE, Column, Schema, blank, names
from herobench.data.errors import InputError, Problem
from herobench.data.thoughts import is_cut_off

Sample = Mapping[str, Any]

SCHEMA = 2
NO_GROUP = "all"
"""The name of the group that tasks without a group form."""
_BLANK: Mapping[str, None] = dict.fromkeys(names(SAMPLE))
_FORMER = frozenset({"status", "calls", "outcome"})
"""Columns that only samples of format 1 have together."""
_MOST = 1e15
"""Sums of larger whole numbers are not exact, and nothing that is counted here is so large."""
_MOST_EPOCHS = 10**9


def sample_of(row: Any, name: str, place: str) -> Sample:
    """Return a parsed row as a sample. Raise InputError if it is none; `name` is that of its source."""
    if isinstance(row, dict):
        if row.keys() >= {"suite", "details"}:
            _refuse_other_formats(row, place)
            return _checked({**_BLANK, **row}, place)
        if row.keys() >= _FORMER:
            # without this, such a row would pass as a scored row and lose what belongs to the asking
            _refuse_other_formats(row, place)
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


def _refuse_other_formats(row: Mapping[str, Any], place: str) -> None:
    if row.get("schema") != SCHEMA:
        advice = "run `herobench` again, or read the run with the version that wrote it"
        raise InputError([Problem(place, "$.schema", f"{SCHEMA}, the format of samples", row.get("schema"), advice)])


# -- checks -----------------------------------------------------------------------------------------------------------


class Check(NamedTuple):
    """A test for the value of a column, and what it expects in words."""

    holds: Callable[[Any], bool]
    expected: str
    passing: frozenset[type] = frozenset()
    """Types all of whose values pass. They are looked up first, because most values are of one of them."""


_ANYTHING = Check(lambda value: True, "anything")


def _checked(sample: dict[str, Any], place: str) -> Sample:
    """Return the sample if its values are of the declared types. Raise InputError at the first that is not."""
    refuse_wrong(_COMMON, sample, place)
    # a reading relies on all of its columns, and those that are missing are not known
    sample["details"] = {**_blank_details(sample["suite"]), **(sample["details"] or {})}
    refuse_wrong(_checks_of_details(sample["suite"]), sample["details"], place, "$.details")
    # every figure is built on these two, so a measured sample without them would be counted wrongly
    if is_measured(sample):
        refuse_unknown({"won": "true or false", "score": NUMBER}, sample, place)
    return sample


def refuse_wrong(checks: Mapping[str, Check], row: Mapping[str, Any], place: str, path: str = "$") -> None:
    """Raise InputError at the first column whose value does not pass its check."""
    get = row.get
    for column, (holds, expected, passing) in checks.items():
        value = get(column)
        if type(value) not in passing and not holds(value):
            raise InputError([Problem(place, f"{path}.{column}", expected, value)])


def refuse_unknown(columns: Mapping[str, str], row: Mapping[str, Any], place: str) -> None:
    """Raise InputError if a column of a measured sample is null; each is given with what is expected."""
    for column, expected in columns.items():
        if row.get(column) is None:
            raise InputError([Problem(place, f"$.{column}", expected, None, "this sample was measured")])


@cache
def _blank_details(suite: str) -> Mapping[str, Any]:
    return blank(reading_of(suite).columns)


@cache
def _checks_of_details(suite: str) -> Mapping[str, Check]:
    return checks_of(reading_of(suite).columns)


def checks_of(columns: Iterable[Column]) -> dict[str, Check]:
    """Return the checks of columns."""
    return {column.name: check_of(column.schema) for column in columns}


def check_of(schema: Schema) -> Check:
    """Return the check of a schema's types. Null always passes, and so do enumerated texts that are not known here.

    It is looser than the schema on purpose: rows of other versions and of other programs are read as well.
    """
    # an enumeration has no type in these schemas; all that there are have texts
    kind = schema.get("type", "string" if any(type(value) is str for value in schema.get("enum", ())) else None)
    kinds = {kind} if isinstance(kind, str) else set(kind or ())
    if "array" in kinds:
        return _list_check(schema)
    if "object" in kinds:
        return _object_check(schema)
    if kinds & {"integer", "number"}:
        return Check(_is_number, f"{NUMBER}, or nothing", frozenset({NoneType}))
    if "boolean" in kinds:
        return _type_check(frozenset({NoneType, bool}), "true, false or nothing")
    if "string" in kinds:
        return _type_check(frozenset({NoneType, str}), "text or nothing")
    return _ANYTHING


def _type_check(kinds: frozenset[type], expected: str) -> Check:
    return Check(lambda value: type(value) in kinds, expected, kinds)


def _is_number(value: Any) -> bool:
    return value is None or (type(value) in (int, float) and -_MOST < value < _MOST)


def _list_check(schema: Schema) -> Check:
    part_holds, inside, passing = check_of(schema["items"]) if "items" in schema else _ANYTHING
    passing -= {NoneType}

    def holds(value: Any) -> bool:
        if value is None:
            return True
        if type(value) is not list:
            return False
        # most lists are of one plain type, and then the parts need not be looked at one at a time
        return passing.issuperset(map(type, value)) or all(part is not None and part_holds(part) for part in value)

    return Check(holds, f"a list of {inside.removesuffix(' or nothing').removesuffix(', or nothing')}, or nothing")


def _object_check(schema: Schema) -> Check:
    needed = schema.get("required", ())
    all_needed = frozenset(needed)
    inner = {name: check_of(part) for name, part in schema.get("properties", {}).items()}
    others = schema.get("additionalProperties")
    rest = check_of(others) if isinstance(others, dict) else _ANYTHING

    def holds(value: Any) -> bool:
        if value is None:
            return True
        if type(value) is not dict or not value.keys() >= all_needed:
            return False
        for name, part in value.items():
            check = inner.get(name, rest)
            if type(part) not in check.passing and not check.holds(part):
                return False
        return True

    told = f"an object with {', '.join(needed)}" if needed else "an object"
    return Check(holds, f"{told}, or nothing")


def _is_name(value: Any) -> bool:
    return type(value) is str and len(value) <= LONGEST_NAME


NUMBER = f"a number of less than {_MOST:.0e}"
_NAME = f"text of at most {LONGEST_NAME:,} characters"
ATTEMPT: Mapping[str, Check] = {
    "task_id": Check(_is_name, _NAME),
    "epoch": Check(
        lambda value: type(value) is int and 0 <= value <= _MOST_EPOCHS, f"a whole number from 0 to {_MOST_EPOCHS}"
    ),
}
"""The checks of the columns that name an attempt, which may not be null."""
_COMMON: Mapping[str, Check] = {
    **checks_of(SAMPLE),
    **dict.fromkeys(("group", "model", "failure"), Check(_is_name, f"{_NAME}, or nothing", frozenset({NoneType}))),
    "suite": Check(lambda value: type(value) is str and bool(value), "the name of a suite"),
    **ATTEMPT,
    "status": Check(lambda value: value in ("ok", "unmeasured"), '"ok" or "unmeasured"'),
}
"""The checks of the common columns."""
