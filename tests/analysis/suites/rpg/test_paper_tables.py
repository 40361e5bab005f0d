"""The paper's tables, and figures of refusals, which never lift a run in the main ones."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from herobench.analysis.samples.frame import frame_of, lacking, select_counted
from herobench.analysis.suites.rpg.paper_tables import (
    Refusals,
    hardest,
    plain,
    published_tables,
    refusals_in,
    table1,
    table2,
    table3,
    table4,
)
from herobench.data.documents import schema_problems
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.play.execution import FileAnswer, score_answer
from herobench.suites.rpg.sandbox import Sandbox
from herobench.suites.rpg.worlds.content import load_rules
from tests.analysis.samples.samples import as_table, sample
from tests.analysis.statistics.simulated import ladder
from tests.builders import TINY, craft_task
from tests.golden import Golden
from tests.program import herobench, write_jsonl
from tests.sizes import for_each

LOST = {"failure": "gear", "high_level_errors": 2, "execution_errors": 1}
INVALID = {"failure": "invalid_code", "high_level_errors": 0, "execution_errors": 0}
HARD = as_table(
    sample("9/1", True, tokens=100, score=90.0, failure=None, high_level_errors=0, execution_errors=0),
    sample("9/2", False, tokens=300, score=40.0, **LOST),
    sample("9/3", False, tokens=None, score=10.0, **LOST),
    sample("9/4", False, tokens=500, score=0.0, **INVALID),
)


def test_table_3_is_over_samples() -> None:
    row = table3(HARD)
    assert row["success"] == 25
    assert row["score"] == np.mean([90, 40, 10, 0])
    assert row["score_sd"] == pytest.approx(np.std([90, 40, 10, 0]))
    assert (row["tokens"], row["tokens_sd"]) == (300, pytest.approx(np.std([100, 300, 500])))


def test_table_4_counts_errors_per_sample_with_valid_code_and_deviates_over_them() -> None:
    row = table4(HARD)
    assert (row["failed"], row["only_gear"], row["invalid_code"]) == (75, 50, 25)
    assert (row["high_level_mean"], row["high_level_sd"]) == (
        pytest.approx(4 / 3),
        pytest.approx(np.std([0, 2, 2], ddof=1)),
    )
    assert (row["execution_mean"], row["execution_sd"]) == (
        pytest.approx(2 / 3),
        pytest.approx(np.std([0, 1, 1], ddof=1)),
    )


def test_over_one_bracket_there_is_no_deviation() -> None:
    assert table1(HARD)["score_sd"] is None
    assert table2(HARD)["high_level_sd"] is None


def test_what_was_not_measured_counts_as_nothing_in_table_3() -> None:
    assert table3(as_table(sample("9/1", True, tokens=5), sample("9/2", None)))["success"] == 100
    assert set(table3(as_table(sample("9/2", None))).values()) == {None}


def test_the_hardest_bracket_is_sorted_by_mechanics() -> None:
    samples = as_table(
        sample("8/1", True, mechanics="leveling"),
        sample("9/1", True),
        sample("9/2", True, mechanics="leveling"),
        sample("9/3", True, mechanics="noise"),
        sample("9/4", True, mechanics="leveling and noise"),
        sample("9/5", True, mechanics=None),
    )
    found = {mechanics: list(part.task_id) for mechanics, part in hardest(samples)}
    assert found == {
        "none": ["9/1"], "leveling": ["9/2"], "noise": ["9/3"], "leveling and noise": ["9/4"], "unknown": ["9/5"],
    }  # fmt: skip


def test_further_mechanics_are_kept_out_of_tables_1_and_2() -> None:
    samples = as_table(
        sample("1/1", True), sample("1/2", False, mechanics="leveling"), sample("1/3", True, mechanics=None)
    )
    assert list(plain(samples).task_id) == ["1/1", "1/3"]
    assert table1(plain(samples))["success"] == 100


def test_a_table_without_rows_is_not_printed() -> None:
    easy = as_table(sample("1/1", False, **LOST))
    assert [table.caption[:7] for table in published_tables({"a": easy})] == ["Table 1", "Table 2"]
    assert [table.caption[6] for table in published_tables({"a": easy, "b": HARD})] == ["1", "2", "3", "4"]
    leveling = HARD.assign(mechanics="leveling")
    (third, fourth) = published_tables({"b": leveling})
    assert (third.caption[6], fourth.caption[6]) == ("3", "4")
    assert third.headers[:3] == ("Model", "Mechanics", "Success %")
    assert third.rows == [("b", "leveling", "25.0", "35.0 ± 35.0", "300 ± 163")]
    assert fourth.rows == [("b", "leveling", "1.33 ± 1.15", "0.67 ± 0.58", "75.0", "50.0", "0.0", "0.0", "25.0")]


def test_where_it_is_not_known_what_a_sample_was_lost_by_nothing_is_said_of_it() -> None:
    published = HARD.assign(failure=None, high_level_errors=None, execution_errors=None)
    assert {name: value for name, value in table2(published).items() if value is not None} == {"failed": 75}
    told = next(table for table in published_tables({"a": published}) if table.caption.startswith("Table 4"))
    assert told.rows == [("a", "none", "", "", "75.0", "", "", "", "")]
    assert table2(published, HARD) == table2(HARD)


def test_losses_may_be_those_of_another_scoring_and_its_last_word_counts() -> None:
    other = pd.concat([HARD, HARD.assign(failure="execution")])
    row = table4(HARD, other)
    assert (row["only_gear"], row["only_execution"], row["failed"]) == (0, 75, 75)


def test_of_what_was_not_measured_nothing_is_said() -> None:
    unmeasured = as_table(sample("9/1", None), sample("9/2", None))
    assert set(table2(unmeasured).values()) == set(table4(unmeasured).values()) == {None}
    assert table2(unmeasured).keys() == table2(HARD).keys()


def test_lost_samples_that_another_scoring_lacks_are_counted() -> None:
    assert lacking(HARD, HARD) == (0, 3)
    assert lacking(HARD, HARD[HARD.task_id != "9/2"]) == (1, 3)
    assert lacking(HARD, HARD[HARD.task_id != "9/1"]) == (0, 3)


REFUSES = 'give_up("it always does", p=0.5)'
BAR = 'move("Hero", 1, 1)\ngather("Hero", 4)\nmove("Hero", 2, 1)\ncraft("Hero", "bar", 1)\n'
TASKS = 8
"""Half of them are impossible: those with odd numbers."""


def task(world: World, number: int) -> Task:
    mechanics = {"leveling": False, "drop_scale": None, "exchange": "told", "plan": "straight", "closed": [[3, 1]]}
    row = craft_task(world, "bar", mechanics=mechanics).as_row() | {"id": f"1/{number}_Bar_craft"}
    if number % 2:
        row["impossible"] = {"level": 10, "skills": {}, "items": [], "beaten": []}
    return Task.from_row(row)


PLAYERS: Mapping[str, Callable[[int], str]] = {
    "refuser": lambda number: REFUSES,
    "one_win": lambda number: BAR if number == 0 else "pass",
    "planner": lambda number: BAR,
    "oracle": lambda number: 'give_up("no", p=1)' if number % 2 else BAR,
    "unsure": lambda number: f'give_up("no", p={0.75 if number % 2 else 0.25})' if number < 4 else "pass",
}


@pytest.fixture(scope="module")
def scored(tiny: World, tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Path]:
    """The answers of each player, scored."""
    folder = tmp_path_factory.mktemp("scored")
    found = {}
    with Sandbox(tiny, load_rules()) as sandbox:
        for name, plan in PLAYERS.items():
            found[name] = write_jsonl(
                folder / f"{name}.jsonl",
                [
                    score_answer(sandbox, each := task(tiny, number), FileAnswer(each.id, 0, plan(number), None, None))
                    for number in range(TASKS)
                ],
            )
    return found


def refusals(path: Path) -> Refusals:
    found = refusals_in(frame_of([path]))
    assert found is not None
    return found


@for_each(
    ("name", "recognized", "false", "brier", "stated", "claimed", "right"),
    [
        ("refuser", 1, 1, 0.25, 8, 0.5, 0.5),
        ("one_win", 0, 0, None, 0, None, None),
        ("planner", 0, 0, None, 0, None, None),
        ("oracle", 1, 0, 0, 4, 1, 1),
        ("unsure", 0.5, 0.5, 0.0625, 4, 0.5, 0.5),
    ],
)
def test_refusals_are_counted_by_what_the_task_was(
    scored: Mapping[str, Path],
    name: str,
    recognized: float,
    false: float,
    brier: float | None,
    stated: int,
    claimed: float | None,
    right: float | None,
) -> None:
    found = refusals(scored[name])
    assert (found.recognized.estimate, found.false.estimate) == (recognized, false)
    assert (found.brier.estimate, found.stated) == (brier, stated)
    assert (found.claimed, found.right.estimate) == (claimed, right)


def test_the_main_figures_are_of_the_tasks_that_can_be_done(scored: Mapping[str, Path]) -> None:
    samples = frame_of([scored["refuser"]])
    assert list(samples.counted) == list(samples.solvable) == [True, False] * 4
    assert not select_counted(samples).win.any()
    assert samples.win.sum() == 4, "it wins those that are impossible"


def test_whoever_refuses_everything_ranks_below_whoever_wins_one(scored: Mapping[str, Path]) -> None:
    done = herobench("leaderboard", *scored.values(), "--format", "json")
    ranks = json.loads(done.stdout)["runs"]
    # equal figures are ranked by name
    assert [Path(row["name"]).stem for row in ranks] == ["oracle", "planner", "one_win", "refuser", "unsure"]
    figures = [(row["success"]["estimate"], row["score"]["estimate"], row["samples"]) for row in ranks]
    assert figures[:2] == [(100, 100, 4), (100, 100, 4)]
    assert figures[2][0] == 25
    assert figures[3:] == [(0, 0, 4), (0, 0, 4)]


LENGTHS = ladder(60).round().astype(int).tolist()


def make_rows(won: Callable[[int], bool], gives_up: bool) -> list[dict[str, Any]]:
    """The scored rows of a run on tasks of many lengths, every second one impossible; the columns that matter."""
    return [make_row(number, number % 2 == 0, won, gives_up) for number in range(2 * len(LENGTHS))]


def make_row(number: int, solvable: bool, won: Callable[[int], bool], gives_up: bool) -> dict[str, Any]:
    is_won = won(number // 2) if solvable else gives_up
    return {
        "task_id": f"1/{number}_x_kill", "epoch": 0, "outcome": "win" if is_won else "lose", "score": 100.0 * is_won,
        "closed": 12, "solvable": solvable, "gave_up": gives_up, "stated": None, "actions": 0,
        "oracle_actions": 20 if solvable else None, "decisions": LENGTHS[number // 2] if solvable else None,
    }  # fmt: skip


def test_whoever_refuses_everything_has_no_horizon_and_ranks_last(tmp_path: Path) -> None:
    """Also below planners whose wins do not tell a horizon, because they are rare or do not fall with length."""
    chosen: Mapping[str, tuple[Callable[[int], bool], bool]] = {
        "a_refuser": (lambda task: False, True),
        "rare": (lambda task: task % 20 == 0, False),
        "even": (lambda task: task % 2 == 0, False),
        "far": (lambda task: task < 45, False),
    }
    files = [write_jsonl(tmp_path / f"{name}.jsonl", make_rows(*how)) for name, how in chosen.items()]
    ranks = json.loads(herobench("leaderboard", *files, "--format", "json").stdout)["runs"]
    assert [row["name"] for row in ranks] == ["far", "even", "rare", "a_refuser"]
    found = {row["name"]: row for row in ranks}
    assert found["far"]["horizon"]["verdict"] == "determined"
    assert found["even"]["horizon"]["verdict"] == "not determined"
    refuser = found["a_refuser"]
    assert (refuser["horizon"]["verdict"], refuser["horizon"]["h50"]["estimate"]) == ("below the range", None)
    assert (refuser["success"]["estimate"], refuser["score"]["estimate"], refuser["samples"]) == (0, 0, len(LENGTHS))
    assert refuser["horizon"]["without_length"] == 0, "impossible tasks are no tasks without a length"


def test_the_report_tells_refusals_beside_the_figures(scored: Mapping[str, Path], tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    assert herobench("analyze", scored["unsure"], scored["planner"], "--format", "html", "-o", page).returncode == 0
    (text,) = re.findall(r'<script type="application/json" id="index">(.*?)</script>', page.read_text("utf-8"))
    first, second = json.loads(text)["runs"]
    assert (first["uncounted"], first["figures"]["attempts"], second["uncounted"]) == (4, 4, 4)
    assert first["remarks"]["false refusals"] == "50.0 % (15.0 to 85.0) of 4"
    assert second["remarks"] == {"recognized impossible": "0.0 % (0.0 to 49.0) of 4",
                                 "false refusals": "0.0 % (0.0 to 49.0) of 4"}  # fmt: skip


def test_the_figures_of_refusals_have_rows_of_their_own(scored: Mapping[str, Path], golden: Golden) -> None:
    golden(herobench("analyze", scored["unsure"]))
    document = json.loads(herobench("analyze", scored["unsure"], "--format", "json").stdout)
    assert schema_problems(document, "analysis", "stdout") == []
    (told,) = document["runs"]
    assert (told["samples"], told["uncounted"], told["refusals"]["stated"]) == (4, 4, 4)


def test_two_runs_are_compared_on_the_tasks_that_can_be_done(scored: Mapping[str, Path]) -> None:
    told = json.loads(herobench("compare", scored["refuser"], scored["planner"], "--json").stdout)
    assert schema_problems(told, "comparison", "stdout") == []
    success = told["success"]
    assert (success["shared"], success["better"], success["worse"]) == (4, 0, 4)
    assert told["remarks"]["first"]["recognized impossible"].startswith("100.0 %")
    shown = " ".join(herobench("compare", scored["refuser"], scored["planner"]).stdout.split())
    assert "recognized impossible 100.0 % (51.0 to 100.0) of 4 against 0.0 % (0.0 to 49.0) of 4" in shown


def test_a_scored_file_adds_up_the_tasks_that_can_be_done(tiny: World, tmp_path: Path) -> None:
    made = [task(tiny, number) for number in range(TASKS)]
    tasks = write_jsonl(tmp_path / "tasks.jsonl", [each.as_row() for each in made])
    answers = write_jsonl(tmp_path / "answers.jsonl", [{"schema": 1, "task_id": t.id, "code": REFUSES} for t in made])
    done = herobench("score", tasks, answers, "-o", tmp_path / "scored.jsonl", "--world", TINY)
    assert "all 4 0 0.0 %" in " ".join(done.stdout.split())


def test_a_run_says_what_it_does_not_count_and_fails_by_the_rest(tiny: World, tmp_path: Path, golden: Golden) -> None:
    made = [task(tiny, number) for number in range(TASKS)]
    tasks = write_jsonl(tmp_path / "tasks.jsonl", [each.as_row() for each in made])
    words = ("--world", TINY, "--tasks", tasks, "--fail-under", "40")
    golden(herobench("run", "--model", "refuser", *words, "-o", tmp_path / "refuser"))
    assert herobench("run", "--model", "oracle", *words, "-o", tmp_path / "oracle").returncode == 0
    page = tmp_path / "page.html"
    assert herobench("analyze", tmp_path / "refuser", "--format", "html", "-o", page).returncode == 0
