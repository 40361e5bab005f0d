"""Parquet tables of rows: which columns each kind of row has there, and of which type.

Numbers, texts, flags and lists of texts are columns of that type. Other nested values are texts that hold JSON. Scored
rows leave out their events, which are nine tenths of a row and can be had again by scoring the answer.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import IO, Any, Literal

from herobench.data.columns import Column, Schema
from herobench.data.errors import UsageError
from herobench.data.rows import dump_row

Format = Literal["jsonl", "parquet"]
Types = Mapping[str, str]
"""The columns of a table, each with its type: text, integer, number, flag, texts, json, or row for all of the row."""

_OF_JSON = {"string": "text", "integer": "integer", "number": "number", "boolean": "flag"}
_AT_A_TIME = 1000
"""The number of rows that are in memory at a time."""


def types_of(columns: Iterable[Column]) -> Types:
    """Return the types of declared columns. Events are left out."""
    return {column.name: _type_of(column.schema) for column in columns if column.name != "events"}


def _type_of(schema: Schema) -> str:
    kinds = schema.get("type", "string" if "enum" in schema else "integer")
    named = [kind for kind in ([kinds] if isinstance(kinds, str) else kinds) if kind != "null"]
    if named == ["array"]:
        items = schema["items"]
        return "texts" if items.get("type") == "string" or "enum" in items else "json"
    return _OF_JSON.get(named[0], "json")


def task_types(columns: Iterable[Column]) -> Types:
    """Return the types of a table of tasks: some columns of them, and the whole task as `task`."""
    return {**types_of(columns), "task": "row"}


def refuse_without_parquet() -> None:
    """Raise UsageError where Parquet cannot be written."""
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


def table_of(rows: Iterable[Mapping[str, Any]], types: Types) -> Any:
    """Return rows as a table for pyarrow. Columns that a row lacks are null."""
    import pyarrow as pa

    return pa.Table.from_pylist([_fitted(row, types) for row in rows], schema=arrow_schema(types))


def write_table(file: IO[bytes], rows: Iterable[Mapping[str, Any]], types: Types) -> None:
    """Write rows to an open file as Parquet."""
    from pyarrow.parquet import ParquetWriter

    with ParquetWriter(file, arrow_schema(types), compression="zstd") as writer:
        stream = iter(rows)
        while some := list(islice(stream, _AT_A_TIME)):
            writer.write_table(table_of(some, types))


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
    """Return a value as a column of a type takes it."""
    if value is None:
        return None
    if type in ("json", "row"):
        return dump_row(value).rstrip("\n")
    if type == "text":
        return _text(value)
    return [_text(part) for part in value] if type == "texts" else value


def _text(value: str) -> str:
    """Return a text that UTF-8 can encode. Half a surrogate pair is escaped, as it is in JSONL."""
    return value.encode("utf-8", "backslashreplace").decode("utf-8")
