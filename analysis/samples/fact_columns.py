"""The columns of the tidy table, each declared once: its type, whether it can be null, and what it means.

The common ones are here. A suite's own are columns of its details, or declared by its reading. Parquet files are made
from these declarations, and so are the tables of the page on them, `docs/parquet.md`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from herobench.analysis.reading.checked import installed_readings, reading_of
from herobench.data.columns import AMOUNT, COUNT, FLAG, SAMPLE, TEXT, Column, Schema, names, optional

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
    reading = reading_of(suite)
    # details are checked for each sample, and may all be unknown
    own = {column.name: column.optional for column in reading.columns if "const" not in column.schema}
    own |= {column.name: column for column in reading.fact_columns}
    return {column.name: column for column in FACTS} | {name: own[name] for name in reading.fact_names if name in own}


def kind_of(schema: Schema) -> Kind:
    """Return the kind of the values of a column of facts."""
    if "enum" in schema:
        kinds = {type(value) for value in schema["enum"]} - {type(None)}
        return "whole number" if kinds == {int} else "text"
    types = {schema["type"]} if isinstance(schema["type"], str) else {*schema["type"]}
    kinds_of_json: Mapping[str, Kind] = {"boolean": "flag", "integer": "whole number", "number": "number"}
    return kinds_of_json.get((types - {"null"}).pop(), "text")


def can_be_null(schema: Schema) -> bool:
    """Return whether a column can be null."""
    return None in schema["enum"] if "enum" in schema else "null" in schema["type"]


def markdown_of(columns: Mapping[str, Column]) -> str:
    """Return columns as a table of the page on Parquet."""
    lines = ["| column | type | null | meaning |", "|---|---|---|---|"]
    lines += [
        f"| `{name}` | {kind_of(column.schema)} | {'yes' if can_be_null(column.schema) else 'never'} | {column.about} |"
        for name, column in columns.items()
    ]
    return "\n".join(lines) + "\n"


def page_tables() -> dict[str, str]:
    """Return the tables of the page on Parquet: the common columns, then those of each suite that is installed."""
    common = {column.name: column for column in FACTS}
    own = {
        suite: {name: column for name, column in declared_columns(suite).items() if name not in common}
        for suite in sorted(installed_readings())
    }
    return {"all": markdown_of(common)} | {suite: markdown_of(columns) for suite, columns in own.items()}
