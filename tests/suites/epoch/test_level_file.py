"""Levels files: every line is read, and all problems are named with their lines."""

from pathlib import Path

import pytest

from herobench.data.errors import InputError
from herobench.suites.epoch import load_level
from herobench.suites.epoch.game.level import read_levels
from tests.program import write_jsonl

ROW = load_level("L01").as_row()


def test_all_problems_of_a_file_are_named(tmp_path: Path) -> None:
    rows = [ROW, {**ROW, "id": "L02", "tools": ["fly"]}, ROW, "{", {**ROW, "id": "L03", "max_steps": 0}]
    file = write_jsonl(tmp_path / "levels.jsonl", rows)
    with pytest.raises(InputError) as raised:
        read_levels(file)
    places = [(problem.file.rpartition(":")[2], problem.path) for problem in raised.value.problems]
    assert places[:2] == [("2", "$.tools[0]"), ("2", "$.reference_plan[0]")]
    assert [place for place in places if place[0] != "2"] == [("3", "$.id"), ("4", "column 2"), ("5", "$.max_steps")]


def test_levels_are_read_in_order(tmp_path: Path) -> None:
    file = write_jsonl(tmp_path / "levels.jsonl", [{**ROW, "id": id} for id in ("b", "a")])
    assert list(read_levels(file)) == ["b", "a"]
