"""Parts of input files: a job is cut into parts of so many rows, and a worker reads the rows of one part.

A file ends in .parquet, or it is JSONL. A part of a JSONL file is a range of bytes, a part of a Parquet file a range of
rows. Both need no look at what lies before the part. A row of a Parquet file is a mapping without its nulls, and a
column named `task` holds a task as JSON, as jobs write it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import IO, Any

from herobench.cluster.store import opened
from herobench.data.errors import InputError, Problem
from herobench.data.files import bounded_lines
from herobench.data.rows import RowLine, RowSchema, row_line, row_problems

_BATCH = 256
"""The number of rows of a Parquet file that are in memory at a time."""


@dataclass(frozen=True, slots=True)
class FileRange:
    """Some rows of an input file that follow each other."""

    file: str
    start: int
    """The first byte of a JSONL file, or the first row of a Parquet file."""
    stop: int
    first: int
    """The number of its first row in the file, from 1: that of the line in JSONL."""
    rows: int
    """The number of its rows, blank lines included."""


def is_parquet(file: str) -> bool:
    """Say whether a file is Parquet, by its name."""
    return file.endswith(".parquet")


def place_of(file: str, number: int) -> str:
    """Return the place of a row as problems name it."""
    return f"{file}:{number}"


def rows_of(part: FileRange, schema: RowSchema) -> Iterator[tuple[int, RowLine]]:
    """Yield the rows of a part, each with its number in the file, without blank lines."""
    with opened(part.file) as file:
        if is_parquet(part.file):
            yield from _parquet_rows(file, part, schema)
            return
        file.seek(part.start)
        at = part.start
        for number, raw in enumerate(bounded_lines(file, part.file), part.first):
            if raw.strip():
                yield number, row_line(raw, place_of(part.file, number), schema)
            at += len(raw)
            if at >= part.stop:
                return


class Cut:
    """Cuts a file into parts of at most so many rows, while its rows are read one after the other."""

    def __init__(self, file: str, rows: int) -> None:
        self._file = file
        self._rows = rows
        self._start = self._stop = 0
        self._first, self._last = 1, 0
        self.parts: list[FileRange] = []

    def add(self, number: int, size: int = 1) -> None:
        """Take in the next row: its number, and its size in bytes, which is 1 for a row of a Parquet file."""
        self._stop += size
        self._last = number
        if number - self._first + 1 == self._rows:
            self.end()

    def end(self) -> None:
        """End the part that has begun, if one has."""
        if self._stop > self._start:
            rows = self._last - self._first + 1
            self.parts.append(FileRange(self._file, self._start, self._stop, self._first, rows))
        self._start, self._first = self._stop, self._last + 1


def whole_of(file: str, content: IO[bytes]) -> FileRange:
    """Return all rows of an open Parquet file as one part."""
    rows = _parquet(content, file).metadata.num_rows
    return FileRange(file, 0, rows, 1, rows)


def _parquet_rows(file: IO[bytes], part: FileRange, schema: RowSchema) -> Iterator[tuple[int, RowLine]]:
    whole = _parquet(file, part.file)
    at = 0
    for group in range(whole.metadata.num_row_groups):
        size = whole.metadata.row_group(group).num_rows
        if at < part.stop and at + size > part.start:
            for number, row in enumerate(_rows_of_group(whole, group), at):
                if part.start <= number < part.stop:
                    yield number + 1, _row(row, place_of(part.file, number + 1), schema)
        at += size


def _rows_of_group(whole: Any, group: int) -> Iterator[Mapping[str, Any]]:
    for batch in whole.iter_batches(batch_size=_BATCH, row_groups=[group]):
        yield from batch.to_pylist()


def _row(columns: Mapping[str, Any], place: str, schema: RowSchema) -> RowLine:
    """Return a row of a Parquet file."""
    if isinstance(task := columns.get("task"), str):
        return row_line(task.encode("utf-8", "surrogatepass"), place, schema)
    row = {name: value for name, value in columns.items() if value is not None}
    problems = row_problems(row, place, schema)
    return RowLine(place, {} if problems else row, tuple(problems))


def _parquet(file: IO[bytes], name: str) -> Any:
    from pyarrow import ArrowInvalid
    from pyarrow.parquet import ParquetFile

    try:
        return ParquetFile(file)
    except ArrowInvalid as error:
        raise InputError([Problem(name, "", f"a Parquet file ({error})")]) from error
