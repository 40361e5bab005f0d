"""The columns of the tidy table, each declared once: its type, whether it can be null, and what it means.

The common ones are here. A suite's own are columns of its details, or declared by its reading. Parquet files have these
types, whatever values they hold, so that files of several runs have one schema and can be read together; a file says
its version of the schema, and its suite. The tables of `docs/parquet.md` have them too, as a test says.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from herobench.analysis.reading.checked import fact_names, load_reading
from herobench.data.columns import AMOUNT, COUNT, FLAG, SAMPLE, TEXT, Column, Schema, names, optional
from herobench.data.errors import UsageError

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa


Kind = Literal["text", "flag", "whole number", "number"]

_ATTEMPT = {column.name: column for column in SAMPLE}
_LINE: Schema = {"type": ["integer", "null"]}
FACTS = (
    Column("run", TEXT, "The name of the run's folder, or of the file of rows."),
    _ATTEMPT["suite"],
    Column("group", TEXT, "The task's group; `all` for a task without one."),
    Column("measured", FLAG, "True if there was a reply to score."),
    Column("counted", FLAG, "True if the sample counts in the main figures; attempts at impossible tasks do not."),
    Column("win", optional(FLAG), "True if the attempt solved the task; null if it was not measured."),
    Column("outcome", optional(TEXT), "The same in words: win or lose."),
    _ATTEMPT["progress"],
    Column("cause", optional(TEXT), "The first cause of the loss; null for a win, or if too little is known."),
    Column("cause_line", _LINE, "The line of the plan, or the step, that the cause is at; null if it is at none."),
    Column("cause_subject", optional(TEXT), "The thing that the cause is about; null if it is about none."),
    Column("error_kind", optional(TEXT), "The kind of error for which the attempt is unmeasured; null if it is not."),
    Column("tokens", optional(COUNT), "All tokens of the replies."),
    Column("cut_off", optional(FLAG), "True if a reply was cut off; null if the replies are not known."),
    Column("model", optional(TEXT), "The model as the server named it, or as it was asked for."),
    Column("lane", TEXT, "What help the model had: bare, feedback, tools, code or solver."),
    _ATTEMPT["task_id"],
    _ATTEMPT["epoch"],
    _ATTEMPT["score"],
    _ATTEMPT["failure"],
    _ATTEMPT["input_tokens"],
    _ATTEMPT["output_tokens"],
    _ATTEMPT["reasoning_tokens"],
    Column("calls", optional(COUNT), "How often the model was called; null in scored rows and published results."),
    Column("retries", optional(COUNT), "How many failed requests were sent again; null as for calls."),
    _ATTEMPT["cost"],
    Column("seconds", optional(AMOUNT), "The time that was spent waiting for replies; null as for calls."),
    _ATTEMPT["unfinished"],
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


def value_kind(schema: Schema) -> Kind:
    """Return the kind of the values of a column of facts."""
    if "enum" in schema:
        kinds = {type(value) for value in schema["enum"]} - {type(None)}
        return "whole number" if kinds == {int} else "text"
    types = {schema["type"]} if isinstance(schema["type"], str) else {*schema["type"]}
    kinds_of_json: Mapping[str, Kind] = {"boolean": "flag", "integer": "whole number", "number": "number"}
    return kinds_of_json.get((types - {"null"}).pop(), "text")


SCHEMA = 1
"""The version of the schema. It goes up when a column is removed, or changes its type or meaning."""
_ROWS = 1 << 16
"""Rows that are written at a time."""


def write_parquet(samples: pd.DataFrame, suite: str, path: Path) -> None:
    """Write the samples of a suite. Raise ImportError without pyarrow, OSError if the file cannot be written, and
    UsageError for a value that does not fit the type of its column."""
    import pyarrow.parquet as pq

    schema = parquet_schema(samples, suite)
    with pq.ParquetWriter(path, schema, compression="zstd") as file:
        for start in range(0, len(samples), _ROWS):
            file.write_table(_table(samples.iloc[start : start + _ROWS], schema))


def parquet_schema(samples: pd.DataFrame, suite: str) -> pa.Schema:
    """Return the schema of the file. A column that is not declared has the type of its values; text if it has none."""
    import pyarrow as pa

    columns = declared_columns(suite)
    types: Mapping[Kind, Any] = {
        "text": pa.string(), "flag": pa.bool_(), "whole number": pa.int64(), "number": pa.float64()
    }  # fmt: skip
    fields = []
    for name in samples.columns:
        if name in columns:
            column = columns[name]
            fields.append(pa.field(name, types[value_kind(column.schema)], metadata={"description": column.about}))
        else:
            fields.append(pa.field(name, _arrow_type(samples[name])))
    return pa.schema(fields, metadata={"herobench.schema": str(SCHEMA), "herobench.suite.contract": suite})


def _arrow_type(values: pd.Series[Any]) -> Any:
    import pyarrow as pa

    try:
        found = pa.array(values, from_pandas=True).type
    except pa.ArrowException as error:
        raise _wrong(values, "values of one type") from error
    return pa.string() if pa.types.is_null(found) else found


def _table(samples: pd.DataFrame, schema: pa.Schema) -> pa.Table:
    import pyarrow as pa

    arrays = []
    for field in schema:
        values = samples[field.name]
        try:
            # pandas turns whole numbers into floats if some are missing
            arrays.append(pa.array(values, from_pandas=True).cast(field.type))
        except pa.ArrowException as error:
            raise _wrong(values, str(field.type)) from error
    return pa.Table.from_arrays(arrays, schema=schema)


def _wrong(values: pd.Series[Any], expected: str) -> UsageError:
    shown = ", ".join(dict.fromkeys(repr(value) for value in values.dropna().iloc[:3]))
    return UsageError(f"The column {values.name} cannot be written as {expected}; it has values such as {shown}.")
