"""Files of rows: parts of input files, which workers read, and tables, which jobs write.

A file is Parquet if its name ends in .parquet, else JSONL. A job is cut into parts with a fixed number of rows. A part
of a JSONL file is a range of bytes, a part of a Parquet file is a range of rows; neither needs the rows before it. A
row of a Parquet file is a mapping without its nulls. Its column `task`, if it has one, holds a task as JSON.

In a table, numbers, texts, flags and lists of texts are columns of that type. Other nested values are JSON in a text.
Scored rows leave out their events, which are nine tenths of a row: scoring the answer again gives them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import IO, Any, Literal

from herobench.cluster.store import opened
from herobench.data.columns import Column, Schema
from herobench.data.documents import schema_problems
from herobench.data.errors import InputError, Problem, UsageError
from herobench.data.files import bounded_lines
from herobench.data.rows import RowLine, dump_row, row_line

_BATCH = 256
"""The number of rows of a Parquet file that are in memory at a time."""


@dataclass(frozen=True, slots=True)
class FileRange:
    """A range of consecutive rows of an input file."""

    file: str
    start: int
    """The first byte of a JSONL file, or the first row of a Parquet file."""
    stop: int
    first: int
    """The number of its first row in the file, from 1; in JSONL the number of the line."""
    rows: int
    """The number of its rows, blank lines included."""


def is_parquet(file: str) -> bool:
    """Return whether the name of a file says that it is Parquet."""
    return file.endswith(".parquet")


def row_place(file: str, number: int) -> str:
    """Return the place of a row, as it stands in problems."""
    return f"{file}:{number}"


def read_part(part: FileRange, schema: str) -> Iterator[tuple[int, RowLine]]:
    """Yield the rows of a part, each with its number in the file, without blank lines."""
    with opened(part.file) as file:
        if is_parquet(part.file):
            yield from _parquet_rows(file, part, schema)
            return
        file.seek(part.start)
        at = part.start
        for number, raw in enumerate(bounded_lines(file, part.file), part.first):
            if raw.strip():
                yield number, row_line(raw, row_place(part.file, number), schema)
            at += len(raw)
            if at >= part.stop:
                return


class Cut:
    """Cuts a file into parts of at most `rows` rows while its rows are read in order."""

    def __init__(self, file: str, rows: int) -> None:
        self._file = file
        self._rows = rows
        self._start = self._stop = 0
        self._first, self._last = 1, 0
        self.parts: list[FileRange] = []

    def add(self, number: int, size: int = 1) -> None:
        """Add the next row, by its number and its size in bytes; the size of a Parquet row counts as 1."""
        self._stop += size
        self._last = number
        if number - self._first + 1 == self._rows:
            self.end()

    def end(self) -> None:
        """End the current part, unless it is empty."""
        if self._stop > self._start:
            rows = self._last - self._first + 1
            self.parts.append(FileRange(self._file, self._start, self._stop, self._first, rows))
        self._start, self._first = self._stop, self._last + 1


def whole_file(file: str, content: IO[bytes]) -> FileRange:
    """Return all rows of an open Parquet file as one part."""
    rows = _parquet(content, file).metadata.num_rows
    return FileRange(file, 0, rows, 1, rows)


def _parquet_rows(file: IO[bytes], part: FileRange, schema: str) -> Iterator[tuple[int, RowLine]]:
    whole = _parquet(file, part.file)
    at = 0
    for group in range(whole.metadata.num_row_groups):
        size = whole.metadata.row_group(group).num_rows
        if at < part.stop and at + size > part.start:
            for number, row in enumerate(_rows_of_group(whole, group), at):
                if part.start <= number < part.stop:
                    yield number + 1, _row(row, row_place(part.file, number + 1), schema)
        at += size


def _rows_of_group(whole: Any, group: int) -> Iterator[Mapping[str, Any]]:
    for batch in whole.iter_batches(batch_size=_BATCH, row_groups=[group]):
        yield from batch.to_pylist()


def _row(columns: Mapping[str, Any], place: str, schema: str) -> RowLine:
    """Return a row of a Parquet file."""
    if isinstance(task := columns.get("task"), str):
        return row_line(task.encode("utf-8", "surrogatepass"), place, schema)
    row = {name: value for name, value in columns.items() if value is not None}
    problems = schema_problems(row, schema, place)
    return RowLine(place, {} if problems else row, tuple(problems))


def _parquet(file: IO[bytes], name: str) -> Any:
    from pyarrow import ArrowInvalid
    from pyarrow.parquet import ParquetFile

    try:
        return ParquetFile(file)
    except ArrowInvalid as error:
        raise InputError([Problem(name, "", f"a Parquet file ({error})")]) from error


# -- tables -----------------------------------------------------------------------------------------------------------

Format = Literal["jsonl", "parquet"]
Types = Mapping[str, str]
"""The columns of a table, each with its type: text, integer, number, flag, texts, json, or row (the whole row)."""

_OF_JSON = {"string": "text", "integer": "integer", "number": "number", "boolean": "flag"}
_AT_A_TIME = 1000
"""The number of rows that are in memory at a time."""


def column_types(columns: Iterable[Column]) -> Types:
    """Return the types of declared columns. Events are left out."""
    return {column.name: _column_type(column.schema) for column in columns if column.name != "events"}


def _column_type(schema: Schema) -> str:
    kinds = schema.get("type", "string" if "enum" in schema else "integer")
    named = [kind for kind in ([kinds] if isinstance(kinds, str) else kinds) if kind != "null"]
    if named == ["array"]:
        items = schema["items"]
        return "texts" if items.get("type") == "string" or "enum" in items else "json"
    return _OF_JSON.get(named[0], "json")


def task_types(columns: Iterable[Column]) -> Types:
    """Return the types of a table of tasks: these columns, and the whole task as `task`."""
    return {**column_types(columns), "task": "row"}


def refuse_without_parquet() -> None:
    """Raise UsageError if Parquet cannot be written here."""
    try:
        import pyarrow  # noqa: F401
    except ImportError as error:
        raise UsageError("Parquet needs pyarrow: pip install 'herobench[parquet]'.") from error


def arrow_schema(types: Types) -> Any:
    """Return the schema of a table for pyarrow."""
    import pyarrow as pa

    of = {
        "text": pa.string(),
        "integer": pa.int64(),
        "number": pa.float64(),
        "flag": pa.bool_(),
        "texts": pa.list_(pa.string()),
        "json": pa.string(),
        "row": pa.string(),
    }
    return pa.schema([(name, of[type]) for name, type in types.items()])


def arrow_table(rows: Iterable[Mapping[str, Any]], types: Types) -> Any:
    """Return rows as a table for pyarrow. Columns that a row lacks are null."""
    import pyarrow as pa

    return pa.Table.from_pylist([_fitted(row, types) for row in rows], schema=arrow_schema(types))


def write_table(file: IO[bytes], rows: Iterable[Mapping[str, Any]], types: Types) -> None:
    """Write rows to an open file as Parquet."""
    from pyarrow.parquet import ParquetWriter

    with ParquetWriter(file, arrow_schema(types), compression="zstd") as writer:
        stream = iter(rows)
        while some := list(islice(stream, _AT_A_TIME)):
            writer.write_table(arrow_table(some, types))


def rows_in(file: IO[bytes], format: Format) -> Iterator[Mapping[str, Any]]:
    """Yield the rows of an open file that a job wrote. In Parquet, nested values are texts."""
    if format == "jsonl":
        yield from map(json.loads, file)
        return
    from pyarrow.parquet import ParquetFile

    for batch in ParquetFile(file).iter_batches(batch_size=_AT_A_TIME):
        yield from batch.to_pylist()


def _fitted(row: Mapping[str, Any], types: Types) -> dict[str, Any]:
    return {name: _value(row.get(name, row if type == "row" else None), type) for name, type in types.items()}


def _value(value: Any, type: str) -> Any:
    """Return a value in the form for a column of a type."""
    if value is None:
        return None
    if type in ("json", "row"):
        return dump_row(value).rstrip("\n")
    if type == "text":
        return _text(value)
    return [_text(part) for part in value] if type == "texts" else value


def _text(value: str) -> str:
    """Return a text that UTF-8 can encode. Half a surrogate pair is escaped, as in JSONL."""
    return value.encode("utf-8", "backslashreplace").decode("utf-8")
