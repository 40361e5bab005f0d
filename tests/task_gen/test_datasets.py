"""The shipped datasets are what the generator makes of their options, byte for byte."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from importlib.resources import as_file
from typing import Any

import pytest

from herobench.content import load_rules
from herobench.errors import UsageError
from herobench.rows import dump_row
from herobench.task_gen.datasets import DATASETS, SHIPPED, dataset, dataset_path, datasheet_path
from herobench.task_gen.difficulty import bracket_of
from herobench.task_gen.stream import task_rows
from herobench.world import World
from tests.program import herobench

Json = dict[str, Any]


def rows(name: str) -> list[Json]:
    return [json.loads(line) for line in dataset_path(name).read_text("utf-8").splitlines()]


def sheet(name: str) -> Json:
    found: Json = json.loads(datasheet_path(name).read_text("utf-8"))
    return found


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_dataset_is_made_again_byte_for_byte(name: str, classic: World) -> None:
    asked = dataset(name)
    made = task_rows(classic, load_rules(), asked.spec, asked.numbers(), 2)
    assert "".join(map(dump_row, made)).encode("utf-8") == dataset_path(name).read_bytes()


@pytest.mark.parametrize("name", SHIPPED)
def test_its_datasheet_has_its_digest_and_no_equal_tasks(name: str) -> None:
    assert sheet(name)["sha256"] == hashlib.sha256(dataset_path(name).read_bytes()).hexdigest()
    assert sheet(name)["equal"] == 0
    ids = [row["id"] for row in rows(name)]
    assert len(set(ids)) == len(ids) == DATASETS[name].count


@pytest.mark.parametrize("name", SHIPPED)
def test_its_datasheet_is_what_the_program_makes_of_it(name: str) -> None:
    with as_file(dataset_path(name)) as path:
        done = herobench("tasks", "stats", "--json", "--tasks", path)
    assert done.returncode == 0, done.stderr
    assert done.stdout == datasheet_path(name).read_text("utf-8")


def test_the_default_has_two_tasks_of_each_difficulty_and_few_crafts() -> None:
    base = rows("base")
    assert Counter(row["difficulty"] for row in base) == dict.fromkeys(range(3, 93), 2)
    assert [row["id"].split("/")[0] for row in base] == [str(bracket) for bracket in range(1, 10) for _ in range(20)]
    crafts = [bracket_of(row["difficulty"]) for row in base if row["kind"] == "craft"]
    assert set(crafts) == {1}, "nothing that is crafted is harder"
    assert 4 <= len(crafts) <= 7


@pytest.mark.parametrize("name", ["leveling", "noise", "decoys"])
def test_the_variants_are_of_the_ninth_bracket(name: str) -> None:
    assert Counter(row["difficulty"] for row in rows(name)) == dict.fromkeys(range(83, 93), 2)


def test_the_variants_have_what_they_are_named_after() -> None:
    assert all(row["mechanics"]["leveling"] for row in rows("leveling"))
    assert all(len(row["knowledge"]["noise"]) == 5 for row in rows("noise"))
    assert all(row["knowledge"]["level"] == "decoys" for row in rows("decoys"))


def test_the_papers_set_has_844_tasks_of_all_difficulties() -> None:
    paper = dataset("paper")
    wanted = Counter(paper.spec.difficulty(index) for index in paper.numbers())
    assert wanted.total() == 844
    assert set(wanted) == set(range(3, 98))
    assert set(wanted.values()) == {8, 9}


def test_another_seed_makes_another_set_of_the_same_kind() -> None:
    other = dataset("base").with_seed(99)
    assert other.spec.seed == 99
    assert other.with_seed(dataset("base").spec.seed) == dataset("base")
    assert dataset("base").with_seed(None) == dataset("base")


def test_names_that_there_are_not_are_refused() -> None:
    with pytest.raises(UsageError, match="There is no dataset 'old': give one of base"):
        dataset("old")
    with pytest.raises(UsageError, match="'paper' is not shipped"):
        dataset_path("paper")
