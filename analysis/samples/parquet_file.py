"""Write the tidy table as Parquet, with the types that its columns are declared with, whatever values they have.

Files of several runs then have one schema, and can be read together. The file says which version of the schema it has,
and of which suite it is. `fact_columns` declares the columns.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from herobench.analysis.samples.fact_columns import Kind, declared_columns, kind_of
from herobench.data.errors import UsageError

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

SCHEMA = 1
"""The version of the schema. It goes up when a column is removed, or changes its type or meaning."""
_ROWS = 1 << 16
"""Rows that are written at a time."""


def write_parquet(samples: pd.DataFrame, suite: str, path: Path) -> None:
    """Write the samples of a suite. Raise ImportError without pyarrow, OSError if the file cannot be written, and
    UsageError for a value that does not fit the type of its column."""
    import pyarrow.parquet as pq

    schema = schema_of(samples, suite)
    with pq.ParquetWriter(path, schema, compression="zstd") as file:
        for start in range(0, len(samples), _ROWS):
            file.write_table(_table(samples.iloc[start : start + _ROWS], schema))


def schema_of(samples: pd.DataFrame, suite: str) -> pa.Schema:
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
            fields.append(pa.field(name, types[kind_of(column.schema)], metadata={"description": column.about}))
        else:
            fields.append(pa.field(name, _type_of(samples[name])))
    return pa.schema(fields, metadata={"herobench.schema": str(SCHEMA), "herobench.suite.contract": suite})


def _type_of(values: pd.Series[Any]) -> Any:
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
            # pandas has numbers of which some are missing as floats
            arrays.append(pa.array(values, from_pandas=True).cast(field.type))
        except pa.ArrowException as error:
            raise _wrong(values, str(field.type)) from error
    return pa.Table.from_arrays(arrays, schema=schema)


def _wrong(values: pd.Series[Any], expected: str) -> UsageError:
    shown = ", ".join(dict.fromkeys(repr(value) for value in values.dropna().iloc[:3]))
    return UsageError(f"The column {values.name} cannot be written as {expected}; it has values such as {shown}.")
