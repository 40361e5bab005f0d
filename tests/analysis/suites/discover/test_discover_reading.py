"""The reading of the suite discover: lanes are kept apart, and what an exploration cost is told."""

import json
from pathlib import Path
from typing import Any

import pytest

from herobench.data.documents import schema_problems
from tests.program import herobench, read_jsonl

TASKS = 3


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


def test_remarks_tell_the_means_of_a_run_with_an_exploration(runs: dict[str, Path]) -> None:
    text = herobench("analyze", runs["found"]).stdout
    assert "actions to the first decisive one" in text
    assert "differences stated rightly" in text
    assert "100.0 %" in text
    assert "actions to the first decisive one" not in herobench("analyze", runs["told"]).stdout


def test_lanes_are_never_ranked_together(runs: dict[str, Path]) -> None:
    document = analyzed(runs["found"], runs["told"])
    assert len(document["runs"]) == 2
    text = herobench("analyze", runs["found"], runs["told"]).stdout
    assert "told" in text
    assert "found" in text or "lane" in text


def test_a_sample_is_scored_again_without_a_model(runs: dict[str, Path], tmp_path: Path) -> None:
    before = read_jsonl(runs["found"] / "samples.jsonl")
    done = herobench("score", runs["found"], "-o", tmp_path / "again.jsonl")
    assert done.returncode == 0, done.stderr
    again = {row["task_id"]: row for row in read_jsonl(tmp_path / "again.jsonl")}
    assert {row["task_id"]: row["won"] for row in before} == {task: row["won"] for task, row in again.items()}
