from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders import TINY
from tests.golden import Golden
from tests.program import herobench, read_jsonl, write_jsonl
from tests.sizes import for_each


@pytest.fixture(scope="module")
def tasks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("made") / "tasks.jsonl"
    assert herobench("generate", "--difficulty", "1-3", "--count", "6", "-o", file).returncode == 0
    return file


def test_tasks_that_hold_are_counted(tasks: Path, golden: Golden) -> None:
    golden(herobench("validate", tasks), herobench("validate", "noise"))


def test_each_task_that_fails_is_named(tasks: Path, tmp_path: Path, golden: Golden) -> None:
    rows = read_jsonl(tasks)
    rows[1]["certificate"]["actions"] += 1
    rows[4]["certificate"]["plan"] = "import os"
    rows[5]["certificate"] = None
    spoilt = write_jsonl(tmp_path / "spoilt.jsonl", rows)
    golden(herobench("validate", spoilt), herobench("validate", spoilt, "--json"))


def test_lines_that_cannot_be_read_do_not_hold(tasks: Path, tmp_path: Path, golden: Golden) -> None:
    unknown = {"schema": 1, "slug": "a", "brief": "b"}
    torn = write_jsonl(tmp_path / "torn.jsonl", [*read_jsonl(tasks)[:2], '{"schema": 1', unknown])
    golden(herobench("validate", torn))


@for_each("count", [1, 3])
def test_tasks_of_another_world_are_refused_in_one_sentence_that_names_the_option(
    count: int, tmp_path: Path, golden: Golden
) -> None:
    file = tmp_path / "other.jsonl"
    words = ("--world", TINY, "--difficulty", "1", "--count", count)
    assert herobench("generate", *words, "-o", file).returncode == 0
    golden(herobench("validate", file), herobench("validate", file, "--json"))


def test_a_file_that_is_not_there_is_named(tmp_path: Path, golden: Golden) -> None:
    golden(herobench("validate", tmp_path / "nothing.jsonl"))
