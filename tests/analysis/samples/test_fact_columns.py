"""Samples as Parquet: the schema is the declared one for every suite, and the page on it says the same."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from herobench.analysis.reading.checked import installed_readings
from herobench.analysis.samples.frame import frame_of
from herobench.analysis.samples.refusals import SampleFault
from herobench.analysis.samples.samples import FACTS, declared_columns, tidy_columns
from herobench.analysis.samples.table_text import SCHEMA, parquet_schema, value_kind, write_parquet
from herobench.data.columns import Column, Schema
from herobench.data.documents import load_schema
from tests.made_runs import changed, make_run
from tests.program import read_jsonl, write_jsonl
from tests.refusals import raises
from tests.sizes import for_each
from tests.surfaces.environment import make_environment

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
pq = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")

PAGE = Path(__file__).parents[3] / "docs" / "exports.md"
TYPES = {"text": pa.string(), "flag": pa.bool_(), "whole number": pa.int64(), "number": pa.float64()}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_run(tmp_path_factory.mktemp("runs") / "greedy", "greedy", [8, 9], 10)


def can_be_null(schema: Schema) -> bool:
    return None in schema["enum"] if "enum" in schema else "null" in schema["type"]


def as_markdown(columns: Mapping[str, Column]) -> str:
    lines = ["| column | type | null | meaning |", "|---|---|---|---|"]
    for name, column in columns.items():
        null = "yes" if can_be_null(column.schema) else "never"
        lines.append(f"| `{name}` | {value_kind(column.schema)} | {null} | {column.about} |")
    return "\n".join(lines) + "\n"


def written(path: Path, samples: pd.DataFrame, suite: str = "rpg") -> Any:
    write_parquet(samples, suite, path)
    return pq.read_table(path)


@for_each("suite", sorted(installed_readings()))
def test_each_column_of_a_suite_is_declared(suite: str) -> None:
    assert list(declared_columns(suite)) == list(tidy_columns(suite))


def test_the_page_has_the_common_columns_and_what_the_analysis_adds_for_each_suite() -> None:
    page = PAGE.read_text("utf-8")
    table = as_markdown({column.name: column for column in FACTS})
    assert f"\n{table}\n" in page, f"docs/exports.md lacks this table:\n{table}"
    others = page.partition("### Columns of a suite")[2]
    for suite in installed_readings():
        printed = {column.name for column in FACTS} | load_schema(f"{suite}-details")["properties"].keys()
        (line,) = re.findall(rf"^\| `{suite}` \| (.*) \|$", others, re.MULTILINE)
        assert re.findall(r"`(\w+)`", line) == [name for name in declared_columns(suite) if name not in printed]
    assert f"`herobench.schema` = `{SCHEMA}`" in page


def test_a_file_has_the_schema_of_the_declarations(run: Path, tmp_path: Path) -> None:
    table = written(tmp_path / "x.parquet", frame_of([run]))
    declared = [(name, TYPES[value_kind(column.schema)]) for name, column in declared_columns("rpg").items()]
    assert declared == [(field.name, field.type) for field in table.schema]
    assert table.num_rows == 10
    never = [name for name, column in declared_columns("rpg").items() if not can_be_null(column.schema)]
    assert all(table[name].null_count == 0 for name in never)
    assert table.schema.metadata[b"herobench.schema"] == str(SCHEMA).encode()
    assert table.schema.metadata[b"herobench.suite.contract"] == b"rpg"


def test_the_schema_does_not_depend_on_the_values(run: Path, tmp_path: Path) -> None:
    whole = written(tmp_path / "whole.parquet", frame_of([run])).schema
    published = {"task": "1/1_Chicken_kill", "result": "win", "reward": 1, "score": 100}
    few = written(tmp_path / "few.parquet", frame_of([write_jsonl(tmp_path / "few.jsonl", [published])]))
    assert few.schema.equals(whole, check_metadata=True)
    both = pq.ParquetDataset([tmp_path / "whole.parquet", tmp_path / "few.parquet"])
    assert both.read().num_rows == 11
    # what is never null is known of rows that say as little as can be
    assert all(few[name].null_count == 0 for name, c in declared_columns("rpg").items() if not can_be_null(c.schema))


def test_values_are_those_of_the_table_with_nulls_for_what_is_not_known(run: Path, tmp_path: Path) -> None:
    rows = read_jsonl(run / "samples.jsonl")
    rows[1] = changed(rows[1], status="unmeasured", won=None, score=None, progress=None, actions=None)
    rows[2] = changed(rows[2], cost=0.5, reasoning_tokens=7, model="\ud800")
    samples = frame_of([write_jsonl(tmp_path / "x.jsonl", rows)])
    for told, expected in zip(
        written(tmp_path / "x.parquet", samples).to_pylist(), samples.to_dict("records"), strict=True
    ):
        for name, value in expected.items():
            assert told[name] == (None if pd.isna(value) else value), name
            assert type(told[name]) is not float or value_kind(declared_columns("rpg")[str(name)].schema) == "number"


def test_a_column_of_many_rows_has_one_type(run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("herobench.analysis.samples.table_text._ROWS", 3)
    samples = frame_of([run])
    table = written(tmp_path / "x.parquet", samples)
    assert table["task_id"].to_pylist() == list(samples.task_id)


def test_a_fact_that_is_not_declared_has_the_type_of_its_values() -> None:
    samples = pd.DataFrame({"run": ["a", "b"], "doors": [1, 2], "keys": [None, None], "mixed": ["x", 5]})
    schema = parquet_schema(samples[["run", "doors", "keys"]], "elsewhere")
    assert [str(field.type) for field in schema] == ["string", "int64", "string"]
    with raises(SampleFault.BAD_VALUES, "mixed", "values of one type"):
        parquet_schema(samples, "elsewhere")


def test_a_value_that_does_not_fit_is_named_with_its_column(run: Path, tmp_path: Path) -> None:
    samples = frame_of([run])
    samples["actions"] = 1.5
    with raises(SampleFault.BAD_VALUES, "actions", "int64", "1.5"):
        write_parquet(samples, "rpg", tmp_path / "x.parquet")


@pytest.mark.slow
def test_duckdb_and_polars_run_the_queries_of_the_page(
    run: Path, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    made = make_environment(tmp_path_factory.mktemp("queries"), "duckdb>=1.1", "polars>=1.9", herobench=None)
    samples = frame_of([run])
    write_parquet(samples, "rpg", tmp_path / "samples.parquet")
    blocks = re.findall(r"^```py\n(.*?)^```$", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    _, duckdb, polars = blocks
    shown = made.run("python", "-c", duckdb, cwd=tmp_path)
    assert shown.returncode == 0, shown.stderr
    for bracket, own in samples.groupby("bracket"):
        assert re.search(rf"│ greedy +│ {bracket} +│ +{len(own)} +│ +{own.win.mean():g} +│", shown.stdout), shown.stdout
    causes = samples[~samples.win.astype(bool)].cause.value_counts()
    shown = made.run("python", "-c", polars, cwd=tmp_path)
    assert shown.returncode == 0, shown.stderr
    assert len(causes)
    for cause, count in causes.items():
        assert re.search(rf"│ greedy ┆ {cause} +┆ {count} +│", shown.stdout), shown.stdout
    metadata = "import duckdb; print(duckdb.sql(\"SELECT * FROM parquet_kv_metadata('samples.parquet')\"))"
    assert "herobench.schema" in made.run("python", "-c", metadata, cwd=tmp_path).stdout
