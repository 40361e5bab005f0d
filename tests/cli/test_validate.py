from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.golden import Golden
from tests.program import herobench, read_jsonl, write_jsonl
from tests.sizes import for_each


@pytest.fixture(scope="module")
def tasks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("made") / "tasks.jsonl"
    assert herobench("generate", "--difficulty", "1-3", "--count", "6", "-o", file).returncode == 0
    return file


def test_tasks_that_hold_are_counted(tasks: Path) -> None:
    done = herobench("validate", tasks)
    assert (done.returncode, done.stdout) == (0, "6 of 6 tasks hold\n")


def test_the_certificates_of_a_shipped_dataset_hold() -> None:
    done = herobench("validate", "noise")
    assert (done.returncode, done.stdout) == (0, "20 of 20 tasks hold\n")


def test_each_task_that_fails_is_named(tasks: Path, tmp_path: Path) -> None:
    rows = read_jsonl(tasks)
    rows[1]["certificate"]["actions"] += 1
    rows[4]["certificate"]["plan"] = "import os"
    done = herobench("validate", write_jsonl(tmp_path / "spoilt.jsonl", rows))
    assert done.returncode == 1
    named = {line.split(": ")[0] for line in done.stdout.splitlines()[:-1]}
    assert named == {rows[1]["id"], rows[4]["id"]}
    assert done.stdout.splitlines()[-1] == "4 of 6 tasks hold"


def test_json_has_the_faults_by_task(tasks: Path, tmp_path: Path) -> None:
    rows = read_jsonl(tasks)
    rows[0]["certificate"] = None
    done = herobench("validate", write_jsonl(tmp_path / "spoilt.jsonl", rows), "--json")
    assert done.returncode == 1
    assert json.loads(done.stdout) == {"tasks": 6, "unread": 0, "faults": {rows[0]["id"]: ["it has no certificate"]}}


def test_lines_that_cannot_be_read_do_not_hold(tasks: Path, tmp_path: Path) -> None:
    rows = read_jsonl(tasks)
    unknown = {"schema": 1, "slug": "a", "brief": "b"}
    done = herobench("validate", write_jsonl(tmp_path / "torn.jsonl", [*rows[:2], '{"schema": 1', unknown]))
    assert done.returncode == 1
    assert "torn.jsonl:3: column" in done.stderr
    assert "--suite" not in done.stderr
    assert done.stdout == "2 of 4 tasks hold\n"


def test_a_file_of_another_suite_has_as_many_tasks_as_lines_and_the_option_is_named(tmp_path: Path) -> None:
    done = herobench("validate", write_jsonl(tmp_path / "levels.jsonl", [{"slug": "a", "brief": "b"}] * 2))
    assert (done.returncode, done.stdout) == (1, "0 of 2 tasks hold\n")
    assert done.stderr.endswith("If they are of another suite, name it with --suite.\n")


@for_each("count", [1, 3])
def test_tasks_of_another_world_are_refused_in_one_sentence_that_names_the_option(
    count: int, tmp_path: Path, golden: Golden
) -> None:
    file = tmp_path / "other.jsonl"
    words = ("--world", "remix:7", "--difficulty", "1-2", "--count", count)
    assert herobench("generate", *words, "-o", file).returncode == 0
    for form in ((), ("--json",)):
        golden(herobench("validate", file, *form))


def test_a_file_that_is_not_there_is_named(tmp_path: Path, golden: Golden) -> None:
    golden(herobench("validate", tmp_path / "nothing.jsonl"))
