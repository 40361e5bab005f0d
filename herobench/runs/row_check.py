"""Checks the rows of a run's journals as they are read: people edit these files, and every row is trusted afterwards.

Each row is held against the schema of its format; that of samples is made of the declared columns. It is stricter than
the analysis, which reads rows of other programs too: a run reads only what it wrote itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from herobench.call_rows import EARLIER, SCHEMA
from herobench.documents import schema_problems
from herobench.errors import InputError, Problem
from herobench.rows import Attempts

Row = Mapping[str, Any]


def refuse_wrong_call(row: Row, place: str) -> None:
    """Raise InputError when a row is no line of calls.jsonl, of this format or of the one before it."""
    numbered = {**row, "schema": SCHEMA} if row.get("schema") == EARLIER else row
    _refuse_first(schema_problems(numbered, "call", place))


def refuse_wrong_sample(row: Row, place: str, suite: str | None) -> None:
    """Raise InputError when a row is no sample of a run of a suite; None is any suite."""
    _refuse_first(schema_problems(row, "sample", place))
    _refuse_first(list(contradictions(row, place, suite)))


def contradictions(row: Row, place: str, suite: str | None) -> Iterator[Problem]:
    """Yield what is wrong with the columns of a sample that depend on others. The schema must have accepted the row."""
    if suite not in (None, row["suite"]):
        yield Problem(place, "$.suite", f"{suite}, the suite of the run", row["suite"])
    if row["status"] == "ok":
        for column in ("won", "score", "replies"):
            if row[column] is None:
                yield Problem(place, f"$.{column}", "a value, because the attempt was measured", None)
    elif row["error"] is None:
        yield Problem(place, "$.error", "a value, because the attempt was not measured", None)


class SampleCheck:
    """Raises InputError at a row that is no sample of a run: another suite's, unfinished, or there before."""

    def __init__(self, suite: str | None) -> None:
        """`suite` is that of the run; None for any."""
        self._suite = suite
        self._attempts = Attempts()

    def __call__(self, row: Row, place: str) -> None:
        """Check the next row."""
        refuse_wrong_sample(row, place, self._suite)
        self._attempts.add(row, place)


def _refuse_first(problems: Sequence[Problem]) -> None:
    """Raise InputError with the first problem, since a row of another format has many. Its number says the most."""
    if problems:
        raise InputError([min(problems, key=lambda problem: problem.path != "$.schema")])
