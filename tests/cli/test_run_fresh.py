"""`herobench run --fresh` with a tiny suite: what it reads and prints. tests/runs/test_fresh.py has the runs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from herobench.data.documents import MOST_EXACT
from tests.golden import Golden
from tests.pairs import install_pairs
from tests.program import Done, herobench

THREE = ("--task-id", "t[0-2]")


@pytest.fixture(autouse=True)
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install_pairs(tmp_path / "site", monkeypatch)


def run(*words: str | Path, cwd: Path | None = None) -> Done:
    return herobench("run", "--suite", "pairs", "--model", "echo", *THREE, *words, cwd=cwd)


@pytest.mark.parametrize("seed", [str(MOST_EXACT + 1), "-1", "7.5", "", "seven", "\u0667"])
def test_a_seed_is_a_whole_number(seed: str, tmp_path: Path, golden: Golden) -> None:
    golden(run(f"--fresh={seed}", "-o", tmp_path / "run"))
    assert not (tmp_path / "run").exists()


def test_a_dry_run_shows_the_seed_and_a_twin() -> None:
    done = run("--fresh", "7", "--dry-run")
    assert ["fresh", "7"] in [line.split() for line in done.stdout.splitlines()]
    assert "These are fresh twins of pairs-v1, seed 7.\nOne twin is harder.\n" in done.stdout
    assert done.stdout.startswith("t0-7\n")
    told = json.loads(run("--fresh", "7", "--dry-run", "--json").stdout)
    assert (told["config"]["fresh"], told["tasks"]) == (7, ["t0-7", "t1-7", "t2-7"])
    assert told["notes"] == ["One twin is harder."]
