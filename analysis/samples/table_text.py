"""Writes tables: as Markdown, as LaTeX with the rules of booktabs, as CSV in which no cell is a formula, as Parquet.

Names of models, runs and tasks come from other people, so every cell and caption is written as plain text: Markdown
makes no link, image, element or emphasis of it, and LaTeX runs no command.

A spreadsheet runs a cell that begins with = + - or @ as a formula. Such texts get an apostrophe in front, which makes
them plain text. So do texts that begin with an apostrophe: taking one away gives back what any text was. Numbers stay
numbers, negative ones included.

Parquet files have the declared types of their columns, whatever values they hold, so that files of several runs have
one schema and can be read together; a file says its version of the schema, and its suite.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from herobench.analysis.samples.refusals import SampleFault
from herobench.analysis.samples.samples import declared_columns
from herobench.data.columns import Schema
from herobench.data.errors import UsageError

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa


Cells = Sequence[str]


@dataclass(frozen=True, slots=True)
class TextTable:
    """A table whose cells are texts."""

    caption: str
    headers: Cells
    rows: Sequence[Cells]
    names: int = 1
    """The first columns, which hold names. The others hold figures or words."""


def markdown(headers: Cells, rows: Iterable[Cells], caption: str = "", names: int = 1) -> str:
    """Return a table in Markdown, under its caption. The first columns hold `names`."""
    rows = list(rows)
    rule = ["---:" if is_right else "---" for is_right in _figures(headers, rows, names)]
    lines = [map(in_markdown, headers), rule, *(map(in_markdown, row) for row in rows)]
    body = "".join(f"| {' | '.join(line)} |\n" for line in lines)
    above = _BLOCK.sub(r"\1\\\2", in_markdown(caption))
    return f"{above}\n\n{body}" if above else body


def latex(headers: Cells, rows: Iterable[Cells], caption: str = "", names: int = 1) -> str:
    """Return a table in LaTeX; a table with a caption floats."""
    rows = list(rows)
    body = "".join(" & ".join(map(_in_latex, line)) + " \\\\\n" for line in rows)
    head = " & ".join(map(_in_latex, headers))
    columns = "".join("r" if is_right else "l" for is_right in _figures(headers, rows, names))
    table = (
        f"\\begin{{tabular}}{{{columns}}}\n\\toprule\n{head} \\\\\n\\midrule\n{body}\\bottomrule\n\\end{{tabular}}\n"
    )
    if not caption:
        return table
    return f"\\begin{{table}}\n\\centering\n\\caption{{{_in_latex(caption)}}}\n{table}\\end{{table}}\n"


def _figures(headers: Cells, rows: Sequence[Cells], names: int) -> list[bool]:
    """Return for each column whether it has figures, which stand at the right."""
    cells = [[row[place] for row in rows] for place in range(names, len(headers))]
    return [False] * names + [any(char.isdigit() for cell in column for char in cell) for column in cells]


def number(value: float | None, digits: int) -> str:
    """Return a figure with this many digits; an empty text for None."""
    return "" if value is None else f"{value:.{digits}f}"


def spread(mean: float | None, deviation: float | None, digits: int) -> str:
    """Return a mean with its deviation."""
    if mean is None:
        return ""
    return number(mean, digits) + ("" if deviation is None else f" ± {number(deviation, digits)}")


_MARKED = re.compile(r"[\\`*\[\]<|~&#$]|(?<![^\W_])_|_(?![^\W_])|(?<=:)/(?=/)|(?<=www)\.", re.IGNORECASE)
"""What Markdown takes for more than text, anywhere in a line; an underscore within a word is text."""
_BLOCK = re.compile(r"^(\d*)([-+.)>])")
"""The beginning of a list, of a quotation, or of a line across the page."""
_SPECIAL = {
    "%": "\\%", "&": "\\&", "_": "\\_", "#": "\\#", "$": "\\$", "{": "\\{", "}": "\\}",
    "\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}", "±": "$\\pm$",
    "<": "$<$", ">": "$>$", "|": "\\textbar{}",
    "[": "{[}", "*": "{*}",  # either would belong to the end of the row before
}  # fmt: skip

_MINUS = re.compile(r"(?<![^\s(])-(?=\d)")
"""The sign of a number. A hyphen within a word or a range stays one."""


def in_markdown(text: str) -> str:
    """Return a text for one line of Markdown."""
    return _MARKED.sub(r"\\\g<0>", _on_one_line(text))


def _in_latex(text: str) -> str:
    return _MINUS.sub("$-$", "".join(_SPECIAL.get(char, char) for char in _on_one_line(text)))


def _on_one_line(text: str) -> str:
    """Return a text without line breaks, because a cell ends with its line, and without spaces around it."""
    return " ".join(text.splitlines()).strip()


_MARK = "'"
_BREAK = "\r\n"
_FORMULA = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20", "\t", "\r", "\n")
"""Beginnings of formulas, in full width too, and characters that spreadsheets drop before they look."""


def csv_text(samples: pd.DataFrame) -> str:
    """Return the table as CSV."""
    safe = samples.convert_dtypes()
    for name in safe.select_dtypes(["string", "object"]):
        safe[name] = safe[name].map(_cell, na_action="ignore")
    lines = _Lines()
    safe.to_csv(lines, index=False, lineterminator=_BREAK)
    return lines.getvalue()


class _Lines(io.StringIO):
    """A file of rows that end with a line feed."""

    def write(self, row: str) -> int:
        """Add a row."""
        # pandas ends rows with the longer break, so that it quotes cells with either of its characters
        return super().write(row.removesuffix(_BREAK) + "\n")


def _cell(value: Any) -> Any:
    """Mark a text that a spreadsheet would take for a formula; leave anything else as it is."""
    if isinstance(value, str) and (value.startswith(_MARK) or value.lstrip(" \u00a0").startswith(_FORMULA)):
        return _MARK + value
    return value


# -- Parquet ----------------------------------------------------------------------------------------------------------

Kind = Literal["text", "flag", "whole number", "number"]


def value_kind(schema: Schema) -> Kind:
    """Return the kind of the values of a column of facts."""
    if "enum" in schema:
        kinds = {type(value) for value in schema["enum"]} - {type(None)}
        return "whole number" if kinds == {int} else "text"
    types = {schema["type"]} if isinstance(schema["type"], str) else {*schema["type"]}
    kinds_of_json: Mapping[str, Kind] = {"boolean": "flag", "integer": "whole number", "number": "number"}
    return kinds_of_json.get((types - {"null"}).pop(), "text")


SCHEMA = 2
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
        kind = pa.array(values, from_pandas=True).type
    except pa.ArrowException as error:
        raise _wrong(values, "values of one type") from error
    return pa.string() if pa.types.is_null(kind) else kind


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


def _wrong(values: pd.Series[Any], type_words: str) -> UsageError:
    examples = ", ".join(dict.fromkeys(repr(value) for value in values.dropna().iloc[:3]))
    return UsageError(SampleFault.BAD_VALUES, name=values.name, type=type_words, examples=examples)
