"""Columns, and the schemas that are made of them."""

from typing import Any

from herobench.data.columns import (
    SAMPLE,
    Column,
    RowFormat,
    all_formats,
    blank,
    names,
    optional,
    schema_text,
)
from herobench.data.documents import schema_file
from herobench.models.model_error import ErrorKind
from herobench.suites.rpg.play.columns import DETAILS, EVENTS, SCORED
from herobench.suites.rpg.sandbox.confine import LAYERS
from tests.sizes import for_each


@for_each("row_format", list(all_formats()))
def test_the_schema_files_are_those_of_the_columns(row_format: RowFormat) -> None:
    """Where they are not: `python -m herobench.data.columns`."""
    path = schema_file(row_format.name)
    assert path.read_text(encoding="utf-8") == schema_text(row_format)


def test_the_formats_of_every_suite_are_found() -> None:
    assert {row_format.name for row_format in all_formats()} >= {"sample", "scored", "rpg-details", "rpg-events"}


@for_each("columns", [SAMPLE, DETAILS, SCORED, EVENTS])
def test_a_column_is_declared_once_and_described_in_a_sentence(columns: tuple[Column, ...]) -> None:
    assert len(set(names(columns))) == len(columns)
    assert all(column.about.endswith(".") for column in columns)


def test_a_column_of_a_scored_row_is_a_column_of_a_sample_or_of_its_details() -> None:
    told = {"outcome": "won", "progress_before_end": "progress", "tokens": "output_tokens"}
    own = {told.get(name, name) for name in names(SCORED)}
    # an answer that is scored outside of a run is a whole plan, and nobody knows what was told
    assert own | {"mode", "told"} == (own & {*names(SAMPLE)}) | {*names(DETAILS)}
    assert {*names(DETAILS)} & {*names(SAMPLE)} == {"schema"}


def test_closed_sets_are_those_of_the_code() -> None:
    schemas: dict[str, Any] = {column.name: column.schema for column in (*SAMPLE, *DETAILS)}
    assert schemas["error"]["properties"]["kind"]["enum"] == list(ErrorKind)
    assert schemas["confinement"]["items"]["enum"] == list(LAYERS)


def test_a_blank_row_has_the_number_of_its_format_and_no_other_value() -> None:
    row = blank(DETAILS)
    assert list(row) == list(names(DETAILS))
    assert {name: value for name, value in row.items() if value is not None} == {"schema": 1}


@for_each(
    ("schema", "with_null"),
    [
        ({"type": "string"}, {"type": ["string", "null"]}),
        ({"type": ["string", "null"]}, {"type": ["string", "null"]}),
        ({"enum": ["a"]}, {"enum": [None, "a"]}),
        ({"enum": [None, "a"]}, {"enum": [None, "a"]}),
        ({"oneOf": [{"type": "string"}]}, {"oneOf": [{"type": "null"}, {"type": "string"}]}),
    ],
)
def test_an_optional_value_may_be_null(schema: dict[str, Any], with_null: dict[str, Any]) -> None:
    assert optional(schema) == with_null
