"""The guide to making worlds, done as it says from its first line to its last, in a folder of its own."""

import re
from pathlib import Path

import pytest

from tests.program import herobench, read_jsonl
from tests.reader import ROOT, Reader

GUIDE = (ROOT / "docs" / "worlds.md").read_text("utf-8")


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Reader:
    reader = Reader(tmp_path_factory.mktemp("guide"))
    reader.follow(GUIDE)
    return reader


@pytest.mark.slow
def test_every_command_and_every_file_of_the_guide_works_as_written(reader: Reader) -> None:
    assert len(reader.commands) == GUIDE.count("\n$ herobench ")
    assert len(reader.edits) == GUIDE.count("```json")


def test_the_guide_shows_every_command_that_makes_worlds() -> None:
    used = set(re.findall(r"^\$ herobench world (\w+)", GUIDE, re.MULTILINE))
    assert used >= {"new", "show", "validate"}


@pytest.mark.slow
def test_what_was_made_by_the_guide_is_there(reader: Reader) -> None:
    assert {path.name for path in reader.folder.iterdir()} == {*("my-world", "harder", "runs", "tasks.jsonl")}
    rows = read_jsonl(reader.folder / "runs" / "worlds-oracle" / "samples.jsonl")
    assert [row["won"] for row in rows] == [True] * 6


@pytest.mark.slow
def test_every_command_of_the_template_works_as_written(tmp_path: Path) -> None:
    made = herobench("world", "new", "my thing", cwd=tmp_path)
    assert made.returncode == 0, made.stderr
    reader = Reader(tmp_path)
    for block in re.findall(
        r"```console\n(.*?)```", (tmp_path / "my thing" / "README.md").read_text("utf-8"), re.DOTALL
    ):
        for line in block.splitlines():
            reader.run(line)
    assert len(reader.commands) == 3
