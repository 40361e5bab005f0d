"""A model that knows the way wins with every agent, in every kind of task."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.program import herobench
from tests.suites.rpg.agents.games import WAYS, game, won

KINDS = {
    "plain": ("--difficulty", "1-9"),
    "leveling": ("--leveling",),
    "decoys": ("--knowledge", "decoys", "--plan", "straight", "--defeat", "final"),
    "stochastic": ("--stochastic",),
}


@cache
def made(kind: str, count: int) -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder, "tasks.jsonl")
        done = herobench("generate", *KINDS[kind], "--count", str(count), "--seed", "16", "-o", str(path))
        assert done.returncode == 0, done.stderr
        return path.read_bytes()


def tasks(folder: Path, kind: str, count: int) -> Path:
    path = folder / f"{kind}.jsonl"
    path.write_bytes(made(kind, count))
    return path


@pytest.mark.parametrize("way", WAYS, ids="-".join)
def test_the_competent_model_wins(way: tuple[str, str], tmp_path: Path) -> None:
    for kind in KINDS:
        with game(tmp_path / kind, tasks(tmp_path, kind, 1), way) as trial:
            trial.work()
            assert won(trial) == [True], kind
            assert [row["unfinished"] for row in trial.samples] == [None]
            trial.assert_whole()


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS, ids="-".join)
def test_the_competent_model_wins_sixty_tasks_and_twenty_of_each_mechanic(way: tuple[str, str], tmp_path: Path) -> None:
    for kind in KINDS:
        count = 60 if kind == "plain" else 20
        with game(tmp_path / kind, tasks(tmp_path, kind, count), way) as trial:
            trial.work()
            assert won(trial) == [True] * count, kind
