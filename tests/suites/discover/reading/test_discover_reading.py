"""The reading of the suite discover: lanes are kept apart, and what an exploration cost is told."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from herobench.analysis.statistics.lane_costs import lane_costs
from herobench.data.documents import schema_problems
from herobench.suites.discover.reading.reading import DiscoverReading, MysteryPanel, goals_at
from herobench.suites.rpg.game.episode import write_trace
from herobench.suites.rpg.game.task import Goal
from herobench.suites.rpg.game.world import World
from tests.analysis.statistics.test_lane_costs import table
from tests.golden import Golden
from tests.plays import drake_task, played
from tests.program import herobench, read_jsonl

TASKS = 2


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("discover")
    for lane in ("found", "told"):
        asked = ("--suite", "discover", "-m", "experimenter", "--limit", TASKS, "--lane", lane)
        done = herobench("run", *asked, "-o", folder / lane)
        assert done.returncode == 0, done.stderr
    return {lane: folder / lane for lane in ("found", "told")}


def analyzed(*folders: Path) -> Any:
    done = herobench("analyze", *folders, "--format", "json")
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert schema_problems(document, "analysis", "stdout") == []
    return document


def test_samples_keep_what_the_exploration_cost(runs: dict[str, Path]) -> None:
    found, told = (read_jsonl(runs[lane] / "samples.jsonl") for lane in ("found", "told"))
    for sample in found:
        assert schema_problems(sample["details"], "discover-details", "details") == []
        assert schema_problems(sample["events"], "discover-events", "events") == []
        assert sample["details"]["named"] is True
        assert 1 <= sample["details"]["decisive"] <= sample["details"]["explored"]
    assert {sample["details"]["explored"] for sample in told} == {None}


def test_remarks_tell_the_means_of_a_run_with_an_exploration(runs: dict[str, Path], golden: Golden) -> None:
    golden(herobench("analyze", runs["found"]), herobench("analyze", runs["told"]))


def test_lanes_are_never_ranked_together(runs: dict[str, Path], golden: Golden) -> None:
    document = analyzed(runs["found"], runs["told"])
    assert len(document["runs"]) == 2
    golden(herobench("analyze", runs["found"], runs["told"]))


def test_a_sample_is_scored_again_without_a_model(runs: dict[str, Path], tmp_path: Path) -> None:
    before = read_jsonl(runs["found"] / "samples.jsonl")
    done = herobench("score", runs["found"], "-o", tmp_path / "again.jsonl")
    assert done.returncode == 0, done.stderr
    again = {row["task_id"]: row for row in read_jsonl(tmp_path / "again.jsonl")}
    assert {row["task_id"]: row["won"] for row in before} == {task: row["won"] for task, row in again.items()}


def test_the_panel_tells_what_each_call_told_and_replays_the_plan(runs: dict[str, Path]) -> None:
    panel = open_panel(runs["found"])
    for sample in read_jsonl(runs["found"] / "samples.jsonl"):
        details, shown = sample["details"], panel.sample(sample)
        calls = zip(sample["events"]["exploration"], shown["found"], strict=True)
        told = [found for call, found in calls if "status" in call["answer"]]
        assert [found["surprise"] for found in told].index(True) + 1 == details["decisive"]
        assert sum(found["nothing"] for found in told) == details["told_nothing"]
        assert shown["plan"] in sample["replies"][-2]["text"]
        assert shown["differs_at"] is None
        assert len(shown["goals_at"]) == details["goals"]
        given = panel.task(sample["task_id"])
        assert given is not None
        assert len(given["differ"]) == details["changes"]
        assert given["prompt"].startswith("You control a hero")
        assert given["target"] in given["world"]["monsters"]


def test_the_steps_at_which_goals_are_reached_count_equal_events_once(tiny: World) -> None:
    task = replace(drake_task(tiny), kind="craft", target="brick", missing={}, then=(Goal("kill", "rat"),))
    move, gather, *rest = played(tiny, task, "move 0 1; gather 3; move 2 1; craft brick 1; move 1 0; fight").events
    trace = write_trace([move, gather, gather, *rest])
    assert goals_at(task, trace) == [4, 6]
    assert goals_at(drake_task(tiny), trace) == []


def test_a_panel_without_the_mystery_or_the_events_says_why_it_shows_nothing(runs: dict[str, Path]) -> None:
    sample = read_jsonl(runs["told"] / "samples.jsonl")[0]
    panel = open_panel(runs["told"])
    assert panel.sample(sample)["found"] == []
    assert "no events" in panel.sample({**sample, "events": None})["no_replay"]
    assert "not among those" in panel.sample({**sample, "task_id": "another"})["no_replay"]
    assert panel.task("another") is None


def open_panel(folder: Path) -> MysteryPanel:
    return MysteryPanel.of_run(folder, json.loads((folder / "run.json").read_text("utf-8")))


def test_settings_that_a_lane_ignores_do_not_keep_it_apart() -> None:
    """Discover told of all that differs is the same whatever is said of the families and when the goal is told."""
    runs = {
        "found": table("found", "plan").assign(lane="found", disclosure="told", goal="after"),
        "hinted": table("hinted", "plan", 2).assign(lane="found", disclosure="hinted", goal="after"),
        "told": table("told", "steps").assign(lane="told", disclosure="told", goal="first"),
    }
    ways = {name: {"disclosure": rows.disclosure[0], "goal": rows.goal[0]} for name, rows in runs.items()}
    manifests = {name: {"config": {"model": "m", "identity": way}} for name, way in ways.items()}
    found = lane_costs(runs, DiscoverReading(), manifests)
    assert [dict(each.runs) for each in found] == [
        {"found": ("found",), "told": ("told",)},
        {"found": ("hinted",), "told": ("told",)},
    ]
    assert found[0].note.startswith("What finding costs m, by its horizons in the lanes: told over found: ")
    assert lane_costs({name: runs[name] for name in ("found", "hinted")}, DiscoverReading(), manifests) == []
