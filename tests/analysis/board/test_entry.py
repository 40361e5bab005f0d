"""Slim rows: what is kept of a run, and what is refused in rows that others made."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from herobench.analysis.samples.sources import Source, read_sources
from herobench.data.errors import SuiteError
from tests.analysis.board.made import TASKS, run
from tests.program import herobench, read_jsonl, refuses, write_jsonl
from tests.sizes import for_each

Json = dict[str, Any]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return run(tmp_path_factory.mktemp("runs") / "best", "someone", 20, output_tokens=1000, cost=0.5)


@pytest.fixture(scope="module")
def rows(folder: Path) -> list[Json]:
    path = folder.parent / "rows" / "best.jsonl"
    path.parent.mkdir()
    assert herobench("analyze", folder, "--format", "slim", "-o", path).stderr == f"{TASKS} slim rows in {path}\n"
    return read_jsonl(path)


def test_a_run_and_its_slim_rows_have_the_same_figures(folder: Path, rows: list[Json]) -> None:
    (full,), (slim,) = (
        json.loads(herobench("leaderboard", path, "--format", "json").stdout)["runs"]
        for path in (folder, folder.parent / "rows")
    )
    assert full["horizon"]["verdict"] == "determined"
    # causes and oracle's actions are not in slim rows
    less = {"causes": {}, "economy": {**full["economy"], "actions_per_oracle_action": None, "wasted_actions": None}}
    assert {**full, **less} == {**slim, "causes": {}}


def test_the_longest_win_is_replayed_and_no_other_row_has_replies_or_events(rows: list[Json]) -> None:
    (shown,) = (row for row in rows if row["replay"])
    assert shown["length"] == max(row["length"] for row in rows if row["won"])
    assert shown["replay"]["told"]["row"]["task_id"] == shown["task_id"]
    assert len(shown["replay"]["told"]["panel"]["changes"]) > 0
    assert max(len(json.dumps(row)) for row in rows if not row["replay"]) < 700


def of(column: str, value: Any) -> Callable[[list[Json]], None]:
    return lambda rows: rows[1].update({column: value})


def replayed(column: str, value: Any) -> Callable[[list[Json]], None]:
    return lambda rows: rows[19]["replay"]["told"]["row"].update({column: value})


def without_cost(rows: list[Json]) -> None:
    del rows[19]["replay"]["told"]["row"]["cost"]


def other_cause(rows: list[Json]) -> None:
    rows[19]["replay"]["told"]["found"] = {"cause": 7, "line": None, "subject": None}


def twice(rows: list[Json]) -> None:
    rows[1] = rows[0]


def second_replay(rows: list[Json]) -> None:
    rows[20]["replay"] = {**rows[19]["replay"], "told": {**rows[19]["replay"]["told"]}}


@for_each(
    ("spoil", "said"),
    [
        (of("won", "yes"), ':2: $.won: expected boolean or nothing, found "yes"'),
        (of("score", None), ":2: $.score: expected a value, because the attempt was scored"),
        (of("status", "unmeasured"), ":2: $.won: expected null, because the attempt was not measured, found true"),
        (of("model", "other"), ":2: $.model: expected 'someone', as in the first row of the file, found \"other\""),
        (of("answer", "move()"), ":2: $.answer: "),
        (twice, ":2: $: expected an attempt that is not there before it"),
        (replayed("task_id", "else"), ":20: $.replay.told.row.task_id: expected '1/19_Frost Drake_kill', as in"),
        (replayed("calls", "many"), ":20 $.replay.told.row: $.calls: expected number or nothing"),
        (without_cost, ":20: $.replay.told.row: expected the property 'cost'"),
        (other_cause, ":20: $.replay.told.found.cause: "),
        (second_replay, ":21: $.replay: expected null, because a row before this one has the replay"),
    ],
)
def test_a_row_that_cannot_be_is_named_with_its_file_and_path(
    rows: list[Json], tmp_path: Path, spoil: Callable[[list[Json]], None], said: str
) -> None:
    spoilt = json.loads(json.dumps(rows))
    spoil(spoilt)
    path = write_jsonl(tmp_path / "rows.jsonl", spoilt)
    done = herobench("leaderboard", path)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"{path}{said}" in done.stderr


def test_terms_of_other_names_change_no_figure(rows: list[Json], tmp_path: Path) -> None:
    told = [{**row, "terms": {**row["terms"], "win": "1", "measured": "1"}} for row in rows]
    shown = herobench("leaderboard", write_jsonl(tmp_path / "best.jsonl", told)).stdout
    assert f"{100 * 20 / TASKS:.1f}" in shown


def test_what_cannot_be_slim_rows_is_refused(folder: Path, tmp_path: Path) -> None:
    other = write_jsonl(tmp_path / "other.txt", [])
    assert refuses(herobench("analyze", folder, other, "--format", "slim")).startswith("A file of slim rows is of one")
    assert refuses(herobench("leaderboard", tmp_path)) == (
        f"{tmp_path}: expected a run, or a folder with files of rows, such as model.jsonl"
    )
    assert "-o leaderboard.html" in refuses(herobench("leaderboard", folder, "--format", "html"))
    assert "--format html" in refuses(herobench("leaderboard", folder, "-o", tmp_path / "x"))


def test_a_file_of_rows_has_slim_rows_without_a_replay(folder: Path) -> None:
    from herobench.analysis.board.entry import slim_rows

    assert not any(row["replay"] for row in slim_rows(Source("best", folder / "samples.jsonl", None)))


@pytest.mark.parametrize("call", ["sample", "task"])
def test_a_panel_that_returns_what_json_cannot_say_is_named(
    call: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from herobench.analysis.board.entry import best_replay
    from herobench.analysis.suites.rpg.panel import PlanPanel

    monkeypatch.setattr(PlanPanel, call, lambda *_: {"x": {1}})
    [source] = read_sources([folder])
    with pytest.raises(
        SuiteError, match=r"The panel of the suite rpg failed in the replay of 1/.*, epoch 0: TypeError"
    ):
        best_replay(source)
