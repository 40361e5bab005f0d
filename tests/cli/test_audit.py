from __future__ import annotations

import json
from pathlib import Path

import pytest

from herobench.rpg.content import load_rules
from herobench.rpg.world import World
from herobench.task_gen.shortcut_audit import audit
from tests.program import herobench, refuses, write_jsonl
from tests.task_gen.made import tasks


@pytest.fixture(scope="module")
def mixed(classic: World, tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = (
        *tasks(classic, 3, brackets=(3,), kind="kill"),
        *tasks(classic, 2, brackets=(1,), kind="craft"),
        *tasks(classic, 3, brackets=(3,), kind="kill", knowledge="decoys", seed=1),
        *tasks(classic, 1, brackets=(3,), kind="kill", noise=2, seed=2),
    )
    rows = ({**task.as_row(), "id": f"{number}/{task.id}"} for number, task in enumerate(found))
    return write_jsonl(tmp_path_factory.mktemp("mixed") / "tasks.jsonl", rows)


def test_baselines_stand_by_kind_and_knowledge_with_counts_and_shares(mixed: Path) -> None:
    done = herobench("audit", mixed, columns=60)
    assert (done.returncode, done.stderr) == (0, "")
    assert all(len(line) <= 60 for line in done.stdout.splitlines())
    lines = [" ".join(line.split()) for line in done.stdout.splitlines()]
    assert "kill kill" in lines
    assert "exact exact, noise" in lines
    assert "solved by of 3, score of 1, score" in lines
    assert any(line.startswith("listed 3 100.0 % 100.0 ") for line in lines)
    assert any(line.startswith("highest_level ") and line.endswith(" 2 100.0 % 100.0") for line in lines)
    assert "noop 0 0.0 % 0.0 0 0.0 % 0.0" in lines


def test_json_has_the_rows_of_the_library(mixed: Path, classic: World) -> None:
    done = herobench("audit", mixed, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    rows = json.loads(done.stdout)
    exact = [row for row in rows if (row["kind"], row["knowledge"], row["noise"]) == ("kill", "exact", False)]
    assert exact == list(audit(classic, load_rules(), tasks(classic, 3, brackets=(3,), kind="kill")).rows())


def test_a_file_without_tasks_has_an_empty_audit(tmp_path: Path) -> None:
    done = herobench("audit", write_jsonl(tmp_path / "none.jsonl", []), "--json")
    assert (done.returncode, json.loads(done.stdout)) == (0, [])


def test_lines_that_cannot_be_read_are_named_and_the_rest_is_audited(mixed: Path, tmp_path: Path) -> None:
    torn = tmp_path / "torn.jsonl"
    torn.write_text(mixed.read_text("utf-8").splitlines()[0] + '\n{"schema": 1\n', "utf-8")
    done = herobench("audit", torn)
    assert done.returncode == 1
    assert "torn.jsonl:2: column" in done.stderr
    assert "of 1" in done.stdout


def test_what_is_not_there_is_said_in_a_sentence(mixed: Path, tmp_path: Path) -> None:
    assert "expected a readable file" in refuses(herobench("audit", tmp_path / "nothing.jsonl"))
    assert "There are no rules 'soft'" in refuses(herobench("audit", mixed, "--rules", "soft"))
