"""`herobench world remix`: a folder of a new world, and what it says of it."""

import re
from pathlib import Path

import pytest

from herobench.suites.rpg.worlds.content import load_world
from tests.golden import Golden
from tests.program import herobench
from tests.sizes import for_each


@pytest.mark.slow
def test_a_world_is_written_and_described(tmp_path: Path) -> None:
    folder = tmp_path / "new"
    done = herobench("world", "remix", "--seed", "7", "--size", "0.1", "-o", folder)
    assert (done.returncode, done.stderr) == (0, "")
    world = load_world(folder)
    assert world == load_world("remix:7:0.1")
    first, counts, brackets = done.stdout.splitlines()
    assert first == f"{world.name} (remix_7_size_0_1) is in {folder}."
    nodes, tiles = len(world.resources), len(world.tiles)
    assert counts == f"{len(world.items)} items, 3 monsters, {nodes} kinds of resource nodes, {tiles} tiles."
    assert re.fullmatch("It gives tasks of difficulty 1, 2(, [3-9])*\\.", brackets)


@pytest.mark.slow
def test_the_classic_size_gives_every_difficulty(tmp_path: Path) -> None:
    done = herobench("world", "remix", "--seed", "1", "-o", tmp_path)
    assert done.stdout.splitlines()[-1] == "It gives tasks of difficulty 1, 2, 3, 4, 5, 6, 7, 8, 9."
    assert sorted(file.name for file in tmp_path.iterdir()) == [
        f"{name}.json" for name in ("distractors", "items", "map", "monsters", "resources", "world")
    ]


def test_a_folder_that_would_be_taken_for_another_world_is_refused(tmp_path: Path, golden: Golden) -> None:
    golden(herobench("world", "remix", "--seed", "7", "--size", "0.1", "-o", "remix:9:0.1", cwd=tmp_path))
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_holds_something_is_refused(tmp_path: Path, golden: Golden) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    golden(herobench("world", "remix", "--seed", "7", "--size", "0.1", "-o", tmp_path))
    assert [file.name for file in tmp_path.iterdir()] == ["mine.txt"]


@for_each(("seed", "size"), [("-1", "1"), ("7", "0.01"), ("7", "nan")])
def test_what_is_no_world_is_refused(seed: str, size: str, tmp_path: Path, golden: Golden) -> None:
    golden(herobench("world", "remix", "--seed", seed, "--size", size, "-o", tmp_path))
    assert list(tmp_path.iterdir()) == []
