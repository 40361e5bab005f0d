from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from herobench.data.documents import schema_problems
from tests.cli.running import KEY, TASK_IDS, TASKS, ask, contents, only, samples, some_win
from tests.golden import Golden
from tests.loopback import Loopback
from tests.program import herobench, read_jsonl, write_jsonl

EARLY = "craft('Hero', 'copper', 1)\n"
"""An action that is refused, after which a hard edition goes on otherwise."""


@pytest.fixture(scope="module")
def scored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of two epochs with wins, losses, and a task that was not measured."""
    folder = tmp_path_factory.mktemp("scored") / "run"

    def answer(key: str) -> str:
        return some_win(key).replace("```python\n", f"```python\n{EARLY}") if key == "copper" else some_win(key)

    with Loopback(only("chicken"), answer, KEY) as server:
        assert ask(server, "--epochs", "2", "-o", folder, "--jobs", "2").returncode == 1
    return folder


@pytest.fixture
def folder(scored: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(scored, tmp_path / "run"))


def manifest(folder: Path) -> dict[str, Any]:
    return dict(json.loads((folder / "run.json").read_text("utf-8")))


def test_a_run_scored_again_has_the_same_rows(folder: Path, golden: Golden) -> None:
    before = contents(folder)
    golden(herobench("score", "run", cwd=folder.parent))
    after = contents(folder)
    assert after.keys() == before.keys()
    for name in ("samples.jsonl", "calls.jsonl", "tasks.jsonl"):
        assert after[name] == before[name], name


def test_the_first_causes_are_those_of_analyze(folder: Path, tmp_path: Path) -> None:
    done = herobench("score", folder, "-o", tmp_path / "again.jsonl")
    (found,) = json.loads(herobench("analyze", folder, "--format", "json").stdout)["runs"]
    assert found["causes"]
    causes = {f"{name} {count}" for name, count in found["causes"].items()}
    (line,) = (line for line in done.stdout.splitlines() if line.startswith("first causes: "))
    assert set(line.removeprefix("first causes: ").split(", ")) == causes


def test_that_a_run_was_scored_again_is_noted(folder: Path) -> None:
    before = manifest(folder)
    assert herobench("score", folder).returncode == 0
    after = manifest(folder)
    assert schema_problems(after, "run", "run.json") == []
    *earlier, last = after.pop("sessions")
    assert earlier == before.pop("sessions")
    assert (last["ended"], last["argv"][1:]) == ("scored", ["score", str(folder)])
    assert last["finished"] >= last["started"]
    assert after == before


def test_what_a_score_says_is_made_anew_and_what_was_asked_stays(folder: Path) -> None:
    good = samples(folder)
    spoilt = [
        {**row, "won": False, "score": 1.0, "failure": "other", "details": {}, "events": None}
        if row["status"] == "ok"
        else row
        for row in good
    ]
    write_jsonl(folder / "samples.jsonl", spoilt)
    before = manifest(folder)
    done = herobench("score", folder)
    assert done.stderr == "8 of 8 have another outcome or score than before\n"
    assert samples(folder) == good
    assert manifest(folder)["totals"] == before["totals"] | {"wins": 6}


def test_other_rules_into_a_file_leave_the_run_as_it_was(folder: Path, tmp_path: Path) -> None:
    before = contents(folder)
    done = herobench("score", folder, "--rules", "paper-late", "-o", tmp_path / "late.jsonl")
    assert done.returncode == 0, done.stderr
    assert contents(folder) == before
    rows = read_jsonl(tmp_path / "late.jsonl")
    assert [problem for row in rows for problem in schema_problems(row, "sample", "row")] == []
    assert {row["details"]["rules"] for row in rows} == {"paper-late"}
    late = {row["task_id"]: row["won"] for row in rows}
    ours = {row["task_id"]: row["won"] for row in samples(folder)}
    assert {name for name in ours if ours[name] != late[name]} == {TASK_IDS[0]}
    assert done.stderr == "2 of 8 have another outcome or score than before\n"
    for row, own in zip(rows, samples(folder), strict=True):
        asked = ("task_id", "epoch", "status", "replies", "output_tokens", "model", "started", "seconds")
        assert [row[name] for name in asked] == [own[name] for name in asked]


def test_what_has_no_answers_of_its_own_is_refused(folder: Path, tmp_path: Path, golden: Golden) -> None:
    answers = write_jsonl(tmp_path / "answers.jsonl", [])
    golden(herobench("score", tmp_path), herobench("score", TASKS), herobench("score", folder, answers))
