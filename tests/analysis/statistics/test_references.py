"""Shipped runs of programs and models stand beneath those of a leaderboard. Those of programs are what these do."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from herobench.analysis.samples.sources import read_sources
from herobench.analysis.samples.variants import shipped_files
from herobench.analysis.statistics.ranking import rankings, reference_runs, sections
from herobench.suite.players import SOLVER
from herobench.suites.rpg.journey.task import shipped_journeys
from tests.builders import Json
from tests.program import herobench, read_jsonl, write_jsonl
from tests.sizes import for_each

PROGRAMS = {"sight:1", "sight:2", "sight:4"}
NAMES = {f"{model.replace(':', '-')} (shipped)" for model in PROGRAMS}


@pytest.fixture(scope="module")
def rows() -> dict[str, list[Json]]:
    """The shipped rows by program."""
    found = map(read_jsonl, shipped_files()["horizon-v4"])
    return {own[0]["model"]: own for own in found if own[0]["model"] in PROGRAMS}


@pytest.fixture
def run(rows: dict[str, list[Json]], tmp_path: Path) -> Path:
    """A run of a model that wins what `sight:2` wins, without its tasks."""
    return write_run(tmp_path / "someone", [{**row, "model": "someone"} for row in rows["sight:2"]])


def write_run(folder: Path, rows: list[Json], **config: object) -> Path:
    folder.mkdir(exist_ok=True)
    settings = {"suite": "journey", "dataset": "horizon-v4", "identity": {}, **config}
    (folder / "run.json").write_text(json.dumps({"config": settings}), "utf-8")
    write_jsonl(folder / "samples.jsonl", rows)
    return folder


def shown(*runs: Path) -> set[str]:
    """The names of the shipped runs beside some runs."""
    (section,) = sections(read_sources(list(runs)))
    return set(reference_runs(section))


def test_each_program_has_a_row_for_each_task_of_the_set(rows: dict[str, list[Json]]) -> None:
    assert rows.keys() == PROGRAMS
    for model, own in rows.items():
        assert [row["task_id"] for row in own] == list(shipped_journeys("horizon-v4")), model
        assert {(row["model"], row["status"]) for row in own} == {(model, "ok")}


@pytest.mark.slow
def test_they_stand_without_a_rank_beneath_a_model_that_was_asked_the_whole_set(run: Path) -> None:
    (section,) = sections(read_sources([run]))
    (ranking,) = rankings(section, reference_runs(section))
    assert {row.found.name for row in ranking.runs[1:]} == NAMES
    assert {row.help for row in ranking.runs[1:]} == {SOLVER}
    assert [cells[0] for cells in ranking.table().rows] == ["1", *[""] * len(NAMES)]
    assert ranking.notes() == []


def test_a_program_that_was_run_is_not_shown_twice(run: Path, rows: dict[str, list[Json]], tmp_path: Path) -> None:
    assert shown(run, write_run(tmp_path / "own", rows["sight:2"])) == NAMES - {"sight-2 (shipped)"}


@pytest.mark.parametrize("more", [False, True])
def test_a_model_that_was_asked_a_few_tasks_stands_beneath_a_run_of_just_these(more: bool, tmp_path: Path) -> None:
    (file,) = (file for file in shipped_files()["horizon-v4"] if file.stem == "smollm2-journey")
    rows = read_jsonl(file)
    others = [{**rows[0], "task_id": "4/1"}] if more else []
    run = write_run(tmp_path / "someone", [{**row, "model": "someone"} for row in (*rows, *others)])
    assert shown(run) == (set() if more else {"smollm2-journey (shipped)"})


def test_without_runs_the_shipped_ones_are_ranked(rows: dict[str, list[Json]]) -> None:
    told = json.loads(herobench("leaderboard", "--format", "json").stdout)["runs"]
    assert {run["name"] for run in told} == {file.stem for files in shipped_files().values() for file in files}
    said = herobench("leaderboard", "--suite", "journey").stdout
    assert "smollm2-journey won nothing: all 8 are lost, the shortest of 2 regions too, by: no plan 6" in said


def test_shipped_rows_of_models_have_tokens_and_ends_of_replies_and_no_words() -> None:
    models = [
        row for files in shipped_files().values() for file in files for row in read_jsonl(file) if "replies" in row
    ]
    assert {row["model"] for row in models} >= {"smollm2", "qwen-coder"}
    for row in models:
        assert row["output_tokens"] is not None
        assert {reply["text"] for reply in row["replies"]} <= {""}


@pytest.mark.slow
@pytest.mark.parametrize("change", ["part", "other lane", "other set", "another folder", "twins"])
def test_where_figures_would_not_compare_they_are_not_shown(run: Path, change: str) -> None:
    rows = read_jsonl(run / "samples.jsonl")
    config: dict[str, object] = {}
    if change == "part":
        rows = rows[:200]
    elif change == "other lane":
        rows = [{**row, "details": {**row["details"], "told": "fights"}} for row in rows]
    elif change == "twins":
        config = {"fresh": 7}
    else:
        config = {"dataset": "roads-v1" if change == "other set" else "../datasets"}
    assert shown(write_run(run, rows, **config)) == set()


@pytest.mark.slow
def test_tables_have_them_and_json_has_the_given_runs_only(tmp_path: Path) -> None:
    assert herobench("run", "--model", "noop", "-o", tmp_path / "noop").returncode == 0
    for form in ("table", "md", "latex", "csv"):
        said = herobench("leaderboard", tmp_path / "noop", "--format", form).stdout
        assert all(name in said for name in NAMES), form
    told = json.loads(herobench("leaderboard", tmp_path / "noop", "--format", "json").stdout)
    assert [run["name"] for run in told["runs"]] == ["noop"]


@pytest.mark.proves
@pytest.mark.slow
@for_each("model", sorted(PROGRAMS))
def test_the_programs_do_what_their_rows_say(model: str, rows: dict[str, list[Json]], tmp_path: Path) -> None:
    asked = rows[model][:190:20]
    chosen = [part for row in asked for part in ("--task-id", row["task_id"])]
    assert herobench("run", "--model", model, *chosen, "-o", tmp_path / "run").returncode == 0
    made = {row["task_id"]: row for row in read_jsonl(tmp_path / "run" / "samples.jsonl")}
    for row in asked:
        found = made[row["task_id"]]
        details = {name: found["details"].get(name) for name in row["details"]}
        assert {**{name: found[name] for name in row}, "details": details} == row
    assert made.keys() == {row["task_id"] for row in asked}
