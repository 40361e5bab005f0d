"""The reading of the suite epoch: figures by level, the published columns, and settings side by side."""

import csv
import io
import json
from pathlib import Path
from typing import Any, get_args

import pytest

from herobench.analysis.reading.checked import fact_names, load_reading
from herobench.analysis.samples.frame import frame_of
from herobench.suites.epoch.game.game import Failure
from herobench.suites.epoch.reading.figures import hours_lost, mean_of_levels, outcomes, turns_between_mistakes
from tests.golden import Golden
from tests.program import herobench, write_jsonl

PUBLISHED = """
timestamp problem model run_id solved stop_reason total_steps world_valid_steps world_invalid_steps steps_to_solve_total
plan_length error_overhead overhead_ratio tool_calls_total tool_calls_ok tool_call_validity_rate world_action_accuracy
invalid_rate max_invalid_streak format_errors precondition_errors api_errors control_signals recovery_rate
recovered_streaks total_invalid_streaks milestones_reached milestones_total milestone_progress causal_efficiency
unique_states loop_detected stagnation_stop total_time tokens_in tokens_out tokens_reasoning
""".split()


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two runs on the same levels, turn by turn and by one plan."""
    folder = tmp_path_factory.mktemp("runs")
    for mode in ("tools", "plan"):
        words = (
            "--suite",
            "epoch",
            "--dataset",
            "epochs-v1",
            "-m",
            "greedy",
            "--set",
            "levels=1-2",
            "--set",
            f"mode={mode}",
        )
        assert herobench("run", *words, "-o", folder / mode).returncode == 0
    return folder


def changed(run: Path, target: Path, *rows: dict[str, Any]) -> Path:
    """Write the samples of a run again, each with other values."""
    samples = [json.loads(line) for line in (run / "samples.jsonl").read_text("utf-8").splitlines()]
    return write_jsonl(target, [sample | row for sample, row in zip(samples, rows, strict=True)])


def lost_in(mode: str, runs: Path) -> list[dict[str, Any]]:
    """What to change so that the samples of a run are lost."""
    samples = [json.loads(line) for line in (runs / mode / "samples.jsonl").read_text("utf-8").splitlines()]
    return [{"won": False, "details": {**sample["details"], "solved": False}} for sample in samples]


def test_the_csv_has_the_published_columns_and_says_what_was_not_measured(runs: Path, tmp_path: Path) -> None:
    first, second = (json.loads(line) for line in (runs / "tools/samples.jsonl").read_text("utf-8").splitlines())
    empty = {name: None if name != "schema" else 1 for name in second["details"]}
    lost = {
        "status": "unmeasured", "won": None, "score": None, "progress": None, "failure": None, "events": None,
        "error": {"kind": "server", "message": "no", "status": 500}, "details": empty,
    }  # fmt: skip
    file = changed(runs / "tools", tmp_path / "lost.jsonl", {"model": "=evil()"}, lost)
    done = herobench("analyze", file, "--format", "epoch-csv")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[0].split(",") == PUBLISHED
    rows = {row["problem"]: row for row in csv.DictReader(io.StringIO(done.stdout))}
    told = rows[first["task_id"]]
    assert (told["model"], told["run_id"], told["solved"]) == ("'=evil()", "lost-0", "True")
    assert (told["total_steps"], told["stop_reason"]) == (str(first["details"]["total_steps"]), "SOLVED")
    assert (told["overhead_ratio"], told["invalid_rate"]) == ("1.0", "0.0")
    failed = rows[second["task_id"]]
    assert [failed[name] for name in ("solved", "stop_reason", "api_errors", "total_steps")] == [
        "False", "API_FAILURE", "1", "",
    ]  # fmt: skip


def test_settings_stand_side_by_side_and_all_is_the_mean_of_the_levels(
    runs: Path, tmp_path: Path, golden: Golden
) -> None:
    golden(herobench("analyze", runs / "tools", runs / "plan", "--format", "epoch-md"))
    worse = changed(runs / "plan", tmp_path / "worse.jsonl", *lost_in("plan", runs))
    golden(herobench("analyze", runs / "tools", worse, "--format", "epoch-md"))

    lines = (runs / "tools/samples.jsonl").read_text("utf-8").splitlines()
    won, other = sorted(map(json.loads, lines), key=lambda sample: str(sample["task_id"]))
    lost = {**other, "won": False, "details": {**other["details"], "solved": False, "stop_reason": "MAX_STEPS"}}
    file = write_jsonl(tmp_path / "uneven.jsonl", [won, *({**lost, "epoch": epoch} for epoch in range(3))])
    samples = frame_of([file])
    assert mean_of_levels(samples).estimate == 0.5, "and not 1 of 4"
    assert outcomes(samples) == {"SOLVED": 1, "MAX_STEPS": 3}


def test_of_roads_turns_between_mistakes_and_hours_over_the_least_are_told(tmp_path: Path) -> None:
    words = ("--suite", "epoch", "-m", "oracle", "--set", "levels=1-2", "--set", "mode=plan")
    assert herobench("run", *words, "-o", tmp_path / "run").returncode == 0
    slow = {"hours": 63, "hours_over": 3, "mistakes": 2, "first_mistake": 4}
    lost = {"solved": False, "stop_reason": "MAX_STEPS", "hours_over": None, "mistakes": 5, "total_steps": 99}
    samples = [json.loads(line) for line in (tmp_path / "run/samples.jsonl").read_text("utf-8").splitlines()]
    changes = [{"won": False, "failure": "late"}, {"won": False, "failure": "lost"}]
    rows = [
        {**sample, **own, "details": {**sample["details"], **details}}
        for sample, own, details in zip(samples, changes, (slow, lost), strict=True)
    ]
    table = frame_of([write_jsonl(tmp_path / "worse.jsonl", rows)])
    assert outcomes(table) == {"LATE": 1, "MAX_STEPS": 1}
    assert mean_of_levels(table).estimate == 0
    turns = samples[0]["details"]["total_steps"]
    between = turns_between_mistakes(table).estimate
    assert between == pytest.approx((turns + 99 + 1) / (2 + 5 + 1)), "a lost game ends with one more"
    assert hours_lost(table).estimate == pytest.approx(100 * 3 / 60)
    done = herobench("analyze", tmp_path / "worse.jsonl")
    assert f"turns between mistakes   {between:.1f} (" in done.stdout
    assert "hours over the least     5.0 % in 1 solved" in done.stdout


def test_a_format_of_no_suite_or_of_another_one_is_refused(tmp_path: Path, golden: Golden) -> None:
    published = {"task": "9/2_Lich_kill", "result": "win", "reward": 1.0, "score": 100.0}
    file = write_jsonl(tmp_path / "published.jsonl", [published])
    golden(herobench("analyze", file, "--format", "nothing"), herobench("analyze", file, "--format", "epoch-csv"))


def test_names_of_failures_and_facts_are_those_that_there_are() -> None:
    reading = load_reading("epoch")
    assert set(reading.failures) == set(get_args(Failure))
    assert {reading.group, reading.length, *reading.groupings, *reading.settings} <= set(fact_names("epoch"))
