"""The reading of the suite discover: lanes are kept apart, and what an exploration told is told."""

import json
from math import log2
from pathlib import Path
from typing import Any

import pytest

from herobench.data.documents import schema_problems
from herobench.suites.discover.reading.reading import MysteryPanel
from tests.golden import Golden
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


def test_samples_keep_what_the_exploration_told(runs: dict[str, Path]) -> None:
    found, told = (read_jsonl(runs[lane] / "samples.jsonl") for lane in ("found", "told"))
    for sample in found:
        assert schema_problems(sample["details"], "discover-details", "details") == []
        assert schema_problems(sample["events"], "discover-events", "events") == []
        assert sample["details"]["sure"] is True
    assert {sample["details"]["bits"] for sample in told} == {None}


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


def test_the_panel_tells_what_is_hidden_and_what_was_possible(runs: dict[str, Path]) -> None:
    panel = open_panel(runs["found"])
    for sample in read_jsonl(runs["found"] / "samples.jsonl"):
        shown, given = panel.sample(sample), panel.task(sample["task_id"])
        assert log2(shown["worlds"]) == pytest.approx(sample["details"]["bits_hidden"], abs=1e-3)
        assert given is not None
        assert [text.split(":")[0] for text in given["hidden"]] == ["lode", "forge", "rings"]
        assert given["prompt"].startswith("You control a hero")
        assert given["certificate"] in sample["replies"][-1]["text"]
    told = open_panel(runs["told"]).task("discover-1-1")
    assert told is not None
    assert "# What is hidden" in told["prompt"]


def test_a_panel_without_the_mystery_or_the_events_says_why_it_shows_nothing(runs: dict[str, Path]) -> None:
    sample = read_jsonl(runs["told"] / "samples.jsonl")[0]
    panel = open_panel(runs["told"])
    assert "no events" in panel.sample({**sample, "events": None})["no_replay"]
    assert "not among those" in panel.sample({**sample, "task_id": "another"})["no_replay"]
    assert panel.task("another") is None


def open_panel(folder: Path) -> MysteryPanel:
    return MysteryPanel.of_run(folder, json.loads((folder / "run.json").read_text("utf-8")))
