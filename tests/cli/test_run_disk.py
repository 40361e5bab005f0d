"""Runs whose files may not grow. Python ignores the signal that this sends, as on a disk that is full."""

from __future__ import annotations

import json
import shlex
import subprocess
from pathlib import Path

import pytest

from tests.cli.running import KEY, TASKS, ask, attempts, calls, contents, everything, only, samples, some_win
from tests.loopback import Loopback
from tests.program import Done, command, herobench, surroundings

NOOP = ("run", "--model", "noop", "--tasks", TASKS, "--epochs", "20", "--jobs", "1")


def limited(blocks: int, *words: str | Path) -> Done:
    """Run the program where no file may have more KiB. It writes no bytecode: Python would leave a part of a file."""
    script = f"ulimit -f {blocks}; exec {shlex.join(command(*words))}"
    env = {**surroundings(), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=120, env=env)


@pytest.mark.slow
@pytest.mark.parametrize(("blocks", "file"), [(1, ""), (100, "calls.jsonl")])
def test_a_file_that_may_not_grow_is_named_and_later_the_run_goes_on(tmp_path: Path, blocks: int, file: str) -> None:
    folder = tmp_path / "run"
    done = limited(blocks, *NOOP, "-o", folder)
    assert (done.returncode, done.stdout) == (2, ""), done
    assert done.stderr == f"Cannot write {folder / file}: File too large. Everything written before is intact.\n"
    before = []
    if file:
        before = samples(folder)
        assert len(before) <= len(calls(folder)) < 100
        assert json.loads((folder / "run.json").read_text("utf-8"))["sessions"][0]["ended"] is None
    assert herobench(*NOOP, "-o", folder).returncode == 0
    assert samples(folder)[: len(before)] == before
    assert attempts(samples(folder)) == everything(20)


@pytest.mark.slow
def test_a_run_scored_again_on_a_full_disk_stays_as_it_was(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    with Loopback(only("chicken"), some_win, KEY) as server:
        assert ask(server, "--epochs", "10", "-o", folder).returncode == 1
    before = contents(folder)
    done = limited(10, "score", folder)
    assert (done.returncode, done.stdout) == (2, "")
    assert "File too large" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert contents(folder) == before
    assert herobench("score", folder).returncode == 0
