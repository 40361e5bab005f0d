"""Reads files of slim rows, strictly: others made them, and a wrong value would make every figure after it wrong."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from herobench.analysis.reading import Reading
from herobench.analysis.samples import sample_of
from herobench.analysis.sources import Source, printable
from herobench.documents import parse_line, schema_problems
from herobench.errors import InputError, Problem
from herobench.rows import Attempts

if TYPE_CHECKING:
    import pandas as pd

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
    attempts = Attempts()
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


def table_of(rows: Sequence[SlimRow], name: str, reading: Reading) -> pd.DataFrame:
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
            # only settings of the suite: a row must not bring columns of its own choice
            **{setting: row["terms"].get(setting) for setting in reading.settings},
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
    """Yield what is wrong with a replay: it is the only one of its file, and of the attempt of its row."""
    if any(other["replay"] for other in before):
        yield Problem(place, "$.replay", "null, because a row before this one has the replay of the file")
    path = f"{place} $.replay.told.row"
    try:
        sample = sample_of(row["replay"]["told"]["row"], "", path)
    except InputError as error:
        yield from error.problems
        return
    for name in ("suite", "task_id", "epoch", "won", "score"):
        if sample[name] != row[name]:
            yield Problem(place, f"$.replay.told.row.{name}", f"{row[name]!r}, as in the row itself", sample[name])
