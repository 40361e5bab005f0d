"""The columns of rows, each declared once. JSON Schemas and tables for the documentation are made of them.

SAMPLE holds the columns that samples of every suite have. A suite declares its own in a module called `columns`, such
as `herobench.suites.rpg.play.columns`. Runs write these rows, the analysis checks them.
`python -m herobench.data.columns` writes the schemas of all such modules.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from herobench.data.documents import schema_file

Schema = Mapping[str, Any]
"""A fragment of JSON Schema."""

TEXT: Schema = {"type": "string"}
FLAG: Schema = {"type": "boolean"}
COUNT: Schema = {"type": "integer", "minimum": 0}
MOST_AMOUNT = 10**15
"""Larger amounts are refused everywhere: sums of them are not exact, and may be infinite, which is not JSON."""
AMOUNT: Schema = {"type": "number", "minimum": 0, "exclusiveMaximum": MOST_AMOUNT}
LONGEST_NAME = 1_000
"""The most characters of a name that tables and figures show."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a row: its name, the values it can have, and one sentence on what they mean."""

    name: str
    schema: Schema
    about: str
    later: bool = False
    """True for a column that a row may lack, because rows of published files do."""

    @property
    def optional(self) -> Column:
        """Return the column with null allowed, for a value that is not known."""
        return Column(self.name, optional(self.schema), self.about, self.later)


@dataclass(frozen=True, slots=True)
class RowFormat:
    """A format that a JSON Schema describes."""

    name: str
    number: int
    title: str
    about: str
    columns: tuple[Column, ...]

    def schema(self) -> dict[str, Any]:
        """Return the JSON Schema."""
        return {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "$id": f"urn:herobench:schema:{self.name}:{self.number}",
            "title": self.title,
            "description": self.about,
            **record(self.columns),
        }


def optional(schema: Schema) -> Schema:
    """Return a schema that also allows null."""
    if "enum" in schema:
        return {**schema, "enum": [None, *(value for value in schema["enum"] if value is not None)]}
    if "oneOf" in schema:
        return {**schema, "oneOf": [{"type": "null"}, *schema["oneOf"]]}
    types = [schema["type"]] if isinstance(schema["type"], str) else schema["type"]
    return {**schema, "type": [*types, *({"null"} - set(types))]}


def loosen(schema: Schema) -> dict[str, Any]:
    """Return a schema that checks types only: it also allows null, other texts of an enumeration, and new properties.

    The analysis reads rows by it, because rows of other programs have to pass.
    """
    kinds = _kinds(schema)
    if "array" in kinds:
        inner = loosen(schema.get("items", {}))
        # an entry may not be null
        plain = {"type": [kind for kind in inner["type"] if kind != "null"]} if "type" in inner else {}
        return {"type": ["array", "null"], "items": inner | plain}
    if "object" in kinds:
        others = schema.get("additionalProperties")
        return {
            "type": ["object", "null"],
            "required": list(schema.get("required", ())),
            "properties": {name: loosen(part) for name, part in schema.get("properties", {}).items()},
            "additionalProperties": loosen(others) if isinstance(others, dict) else True,
        }
    if kinds & {"integer", "number"}:
        return {"type": ["number", "null"], "exclusiveMinimum": -MOST_AMOUNT, "exclusiveMaximum": MOST_AMOUNT}
    return {"type": [*kinds, "null"]} if len(kinds) == 1 else {}


def _kinds(schema: Schema) -> set[str]:
    """Return the types that a schema allows, but for null. An enumeration with texts allows text."""
    if any(isinstance(value, str) for value in schema.get("enum", ())):
        return {"string"}
    declared_types = schema.get("type", ())
    return {declared_types} - {"null"} if isinstance(declared_types, str) else set(declared_types) - {"null"}


def record(columns: Iterable[Column]) -> dict[str, Any]:
    """Return the schema of an object that has these columns and no others."""
    columns = tuple(columns)
    return {
        "type": "object",
        "additionalProperties": False,
        "required": list(names(column for column in columns if not column.later)),
        "properties": {column.name: {**column.schema, "description": column.about} for column in columns},
    }


def names(columns: Iterable[Column]) -> tuple[str, ...]:
    """Return the names of columns in their order."""
    return tuple(column.name for column in columns)


def blank(columns: Iterable[Column]) -> dict[str, Any]:
    """Return a row without values: null in every column but those that can only have one value, such as `schema`."""
    return {column.name: column.schema.get("const") for column in columns}


# -- the columns of a sample ------------------------------------------------------------------------------------------

_ERROR_KINDS = (
    "rate_limit", "server", "connection", "timeout", "malformed", "truncated", "empty", "auth", "no_model", "quota",
    "refused", "context", "filtered", "no_answer", "player",
)  # fmt: skip
_ERROR = record(
    (
        Column("kind", {"enum": list(_ERROR_KINDS)}, "The kind of the error, from a closed set."),
        Column("message", TEXT, "What the server or the program said."),
        Column("status", {"type": ["integer", "null"]}, "The status of HTTP; null if there was no response."),
    )
)
_TOOL_CALL = record(
    (
        Column("id", TEXT, "The server's name for the call."),
        Column("name", TEXT, "The tool."),
        Column("arguments", TEXT, "The arguments as the model wrote them, usually JSON."),
    )
)
_REPLY = record(
    (
        Column("text", TEXT, "The text of the reply."),
        Column("tool_calls", {"type": "array", "items": _TOOL_CALL}, "The tools that the model called, in order."),
        Column("answer", optional(TEXT), "The final answer, if it is known apart from the text."),
        Column("reasoning", optional(TEXT), "The model's reasoning, if the server sent it."),
        Column("stop", optional(TEXT), "Why the model stopped, in the server's word, such as stop or length."),
    )
)

SAMPLE = (
    Column("schema", {"const": 2}, "The number of this format."),
    Column("suite", {"type": "string", "minLength": 1}, "The benchmark suite that the task belongs to."),
    Column("task_id", TEXT, "The task."),
    Column("group", optional(TEXT), "The task's group, such as a bracket of difficulty; null if there is none."),
    Column("epoch", COUNT, "The number of the attempt at this task, from 0."),
    Column("status", {"enum": ["ok", "unmeasured"]}, "ok if the attempt was scored, unmeasured if the model failed."),
    Column("error", optional(_ERROR), "Why the attempt was not measured; null if it was."),
    Column("model", TEXT, "The model as the server named it, or as it was asked for."),
    Column("won", optional(FLAG), "True if the attempt solved the task; null if it was not measured."),
    Column(
        "score",
        optional(AMOUNT),
        "The score in percent of an ideal attempt; null if it was not measured. Some suites give more than 100.",
    ),
    Column(
        "progress",
        optional(AMOUNT),
        "The score of what was reached, in percent, also if the attempt ended too early to earn it; null if unknown.",
    ),
    Column("failure", optional(TEXT), "The suite's class of the loss; null for a win."),
    Column(
        "unfinished",
        optional(TEXT),
        "Why the attempt ended early, such as a limit of calls or replies that did nothing; null if it did not.",
    ),
    Column("calls", COUNT, "How often the model was called; calls.jsonl has each call."),
    Column("retries", COUNT, "How many failed requests were sent again."),
    Column("input_tokens", optional(COUNT), "Tokens of the prompts, in all calls."),
    Column("output_tokens", optional(COUNT), "Tokens of the replies, in all calls."),
    Column("reasoning_tokens", optional(COUNT), "The part of the output that is reasoning."),
    Column("cached_tokens", optional(COUNT), "The part of the input that the server had in its cache."),
    Column("cost", optional(AMOUNT), "The cost by the run's price; null if no price is known."),
    Column("seconds", AMOUNT, "The time that was spent waiting for replies."),
    Column("started", optional(TEXT), "When the first call began; null if there was no call."),
    Column("finished", optional(TEXT), "When the last call ended; null if there was no call."),
    Column(
        "replies",
        optional({"type": "array", "items": _REPLY}),
        "The replies that the attempt was given, in order; null if it was not measured.",
    ),
    Column("details", {"type": "object"}, "The suite's own columns; `SUITE-details.schema.json` describes them."),
    Column(
        "events",
        {"type": ["object", "null"]},
        "What happened in the attempt, in the suite's own form; null if it was not measured or nothing is kept.",
    ),
)
"""The columns of a line of samples.jsonl, in their order."""

FORMATS = (
    RowFormat(
        "sample",
        2,
        "A sample",
        "One line of a run's samples.jsonl: one attempt at a task. A value that is not known is null, never 0.",
        SAMPLE,
    ),
)


# -- the schemas as files ---------------------------------------------------------------------------------------------


def all_formats() -> Iterator[RowFormat]:
    """Yield the formats of every module called `columns` in the package."""
    root = Path(__file__).parents[1]
    for path in sorted(root.rglob("columns.py")):
        # the links beside the package are not followed: their modules have another name
        module = ".".join((root.name, *path.relative_to(root).with_suffix("").parts))
        yield from import_module(module).FORMATS


def schema_text(row_format: RowFormat) -> str:
    """Return the text of a format's schema file."""
    return json.dumps(row_format.schema(), indent=2, ensure_ascii=False) + "\n"


def write_schemas() -> None:
    """Write the schema of every format over the file that it has."""
    for row_format in all_formats():
        Path(str(schema_file(row_format.name))).write_text(schema_text(row_format), encoding="utf-8")


if __name__ == "__main__":
    write_schemas()
