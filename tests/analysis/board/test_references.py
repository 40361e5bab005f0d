"""Shipped runs of reference programs stand beneath the models of a leaderboard, and are what the programs do."""

from __future__ import annotations

import json
from importlib.resources import as_file
from pathlib import Path

import pytest

from herobench.analysis.board.entry import read_entries, read_slim
from herobench.analysis.samples.sources import read_sources
from herobench.data.documents import shipped
from herobench.suite.lanes import SOLVER
from herobench.task_gen.rpg.datasets import dataset_version, shipped_tasks
from tests.builders import Json
from tests.program import herobench, read_jsonl, write_jsonl

PROGRAMS = {"greedy"}


@pytest.fixture(scope="module")
def rows() -> dict[str, list[Json]]:
    """The shipped rows by program."""
    with as_file(shipped().joinpath("references", dataset_version("horizon"))) as folder:
        found = [read_slim(source) for source in read_sources(sorted(folder.glob("*.jsonl")))]
    return {slim[0]["model"]: [dict(row) for row in slim] for slim in found}


@pytest.fixture
def handed_in(rows: dict[str, list[Json]], tmp_path: Path) -> Path:
    """The slim rows of a model that wins what `greedy` wins."""
    return write_jsonl(tmp_path / "someone.jsonl", [{**row, "model": "someone"} for row in rows["greedy"]])


def test_each_program_has_a_row_for_each_task_of_the_set(rows: dict[str, list[Json]]) -> None:
    assert rows.keys() == PROGRAMS
    for model, own in rows.items():
        assert [row["task_id"] for row in own] == list(shipped_tasks("horizon")), model
        assert all(row["status"] == "ok" and row["replay"] is None for row in own), model


@pytest.mark.slow
def test_they_stand_beneath_a_model_that_was_asked_the_whole_set(handed_in: Path) -> None:
    said = herobench("leaderboard", handed_in).stdout
    names = [f"{model.replace(':', '-')} (shipped)" for model in PROGRAMS]
    assert all(said.index("someone") < said.index(name) for name in names)
    entries = read_entries([handed_in], with_references=True)
    assert {entry.name for entry in entries if entry.is_shipped} == set(names)
    assert all(set(entry.table.lane) == {SOLVER} for entry in entries if entry.is_shipped)
    assert all(entry.note is None for entry in entries), "their tasks are those of the shipped set"


@pytest.mark.slow
def test_the_page_has_them_and_counts_the_given_runs(handed_in: Path, tmp_path: Path) -> None:
    page = tmp_path / "board.html"
    done = herobench("leaderboard", handed_in, "--format", "html", "-o", page)
    assert done.stderr.startswith("1 run in ")
    assert "greedy (shipped)" in page.read_text("utf-8")


def test_json_has_the_given_runs_only(handed_in: Path) -> None:
    told = json.loads(herobench("leaderboard", handed_in, "--format", "json").stdout)
    assert [run["name"] for run in told["runs"]] == ["someone"]


def test_a_program_that_was_run_is_not_shown_twice(handed_in: Path, rows: dict[str, list[Json]]) -> None:
    own = write_jsonl(handed_in.with_name("own.jsonl"), rows["greedy"])
    names = {entry.name for entry in read_entries([handed_in, own], with_references=True)}
    assert names == {"someone", "own"}


@pytest.mark.parametrize("change", ["part", "other mode", "other set", "another folder", "twins"])
def test_where_figures_would_not_compare_they_are_not_shown(handed_in: Path, change: str) -> None:
    rows = read_jsonl(handed_in)
    for row in rows:
        if change == "other mode":
            row["terms"]["mode"] = "tools"
        elif change == "other set":
            row["dataset"] = "base-v2"
        elif change == "another folder":
            row["dataset"] = "../datasets"
        elif change == "twins":
            row["fresh"] = 7
    write_jsonl(handed_in, rows[:200] if change == "part" else rows)
    assert [entry.name for entry in read_entries([handed_in], with_references=True)] == ["someone"]


@pytest.mark.proves(
    "world_data/datasets", "world_data/references", "herobench/suites/rpg", "task_gen/rpg", "prompts/rpg"
)
@pytest.mark.slow
@pytest.mark.parametrize("model", sorted(PROGRAMS))
def test_the_programs_still_do_what_the_rows_say(model: str, rows: dict[str, list[Json]], tmp_path: Path) -> None:
    asked = rows[model][::40]
    chosen = [part for row in asked for part in ("--task-id", row["task_id"])]
    assert herobench("run", "--model", model, *chosen, "-o", tmp_path / "run").returncode == 0
    made = {
        row["task_id"]: row
        for row in map(json.loads, herobench("analyze", tmp_path / "run", "--format", "slim").stdout.splitlines())
    }
    assert {row["task_id"]: row for row in asked} == {name: {**row, "replay": None} for name, row in made.items()}
