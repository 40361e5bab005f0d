"""A run keeps the world that it was begun in: it needs no folder that may be moved or edited."""

import json
import shutil
from pathlib import Path

import pytest

from tests.program import herobench, refuses


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A run in a world of one's own, which then was edited and moved."""
    assert herobench("world", "new", "mine", cwd=tmp_path).returncode == 0
    made = herobench(
        "generate", "--world", "mine", "--difficulty", "1", "--count", "3", "-o", "tasks.jsonl", cwd=tmp_path
    )
    assert made.returncode == 0, made.stderr
    asked = herobench("run", "--world", "mine", "--tasks", "tasks.jsonl", "-m", "oracle", "-o", "run", cwd=tmp_path)
    assert asked.returncode == 0, asked.stderr
    monsters = tmp_path / "mine" / "monsters.json"
    monsters.write_text(monsters.read_text("utf-8").replace('"hp": ', '"hp": 1'), "utf-8")
    shutil.move(tmp_path / "mine", tmp_path / "elsewhere")
    return tmp_path / "run"


def test_it_is_scored_gone_on_with_and_drawn_without_the_folder(run: Path, tmp_path: Path) -> None:
    for words in (["score", run], ["run", "--resume", run], ["analyze", run, "--format", "html", "-o", "page.html"]):
        done = herobench(*words, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
    name = json.loads((run / "world.json").read_text("utf-8"))["world"]["name"]
    assert f'"name":"{name}"' in (tmp_path / "page.html").read_text("utf-8")


def test_a_world_that_is_named_has_to_be_the_same(run: Path, tmp_path: Path) -> None:
    assert "all are of another one: name theirs with --world" in refuses(
        herobench("score", run, "--world", "elsewhere", cwd=tmp_path)
    )


def test_a_world_that_is_missing_in_the_run_is_named(run: Path, tmp_path: Path) -> None:
    (run / "world.json").unlink()
    assert f"{run / 'world.json'}: expected a readable file" in refuses(herobench("score", run, cwd=tmp_path))
