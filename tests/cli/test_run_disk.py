"""Runs whose disk is full, or may not be written: on a small file system of their own where the system lets us mount
one, and under a limit on the size of files everywhere."""

from __future__ import annotations

import json
import shlex
import subprocess
from functools import cache
from pathlib import Path

import pytest

from tests.cli.running import (
    KEY,
    TASKS,
    ask,
    attempts,
    calls,
    contents,
    everything,
    only,
    resume,
    run,
    samples,
    some_win,
)
from tests.loopback import Loopback
from tests.program import Done, command, herobench, surroundings

NOOP = ("run", "--model", "noop", "--tasks", TASKS, "--epochs", "20", "--jobs", "1")
ROOM = "200k"
"""For the tasks and some of the calls."""


@cache
def why_not() -> str | None:
    """Why no file system can be mounted here, if so."""
    try:
        done = subprocess.run(
            ["unshare", "-rm", "mount", "-t", "tmpfs", "none", "/mnt"], capture_output=True, text=True
        )
    except FileNotFoundError:
        return "there is no unshare here"
    return done.stderr if done.returncode else None


def apart(script: str, folder: Path) -> Done:
    """Run a script of the shell where it may mount things that nobody else sees, in a folder with a `disk` to mount."""
    (folder / "disk").mkdir()
    words = ["unshare", "-rm", "sh", "-c", script]
    return subprocess.run(words, env=surroundings(), cwd=folder, capture_output=True, text=True, timeout=120)


def shell(*words: str | Path) -> str:
    """The program's command line for the shell."""
    return shlex.join(command(*words))


def limited(blocks: int, *words: str | Path) -> Done:
    """Run the program where no file may have more KiB. It writes no bytecode: Python would leave a part of a file."""
    script = f"ulimit -f {blocks}; exec {shell(*words)}"
    env = {**surroundings(), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=120, env=env)


mounting = pytest.mark.skipif(why_not() is not None, reason=f"no file system can be mounted: {why_not()}")


def is_whole(folder: Path) -> None:
    """Every line is there to its end, and no attempt twice."""
    for name in ("calls.jsonl", "samples.jsonl"):
        assert (folder / name).read_bytes()[-1:] in (b"", b"\n"), name
    assert set(attempts(samples(folder)).values()) <= {1}


@pytest.mark.slow
@mounting
def test_a_full_disk_is_named_and_when_there_is_room_the_run_goes_on(tmp_path: Path) -> None:
    script = f"""
        mount -t tmpfs -o size={ROOM} none disk
        {shell(*NOOP, "-o", "disk/run")} > "out" 2> "said"
        echo $?
        cp -r "disk/run" "full"
        mount -o remount,size=20m disk
        {shell("run", "--resume", "disk/run")} > /dev/null
        echo $?
        cp -r "disk/run" "done"
    """
    done = apart(script, tmp_path)
    assert done.stdout.split() == ["2", "0"], done
    said = (tmp_path / "said").read_text()
    assert said.startswith("Cannot write disk/run/")
    assert said.endswith(".jsonl: No space left on device. Everything written before is intact.\n")
    assert len(said.splitlines()) == 1
    assert (tmp_path / "out").read_text() == ""
    is_whole(tmp_path / "full")
    full, end = samples(tmp_path / "full"), samples(tmp_path / "done")
    assert len(full) <= len(calls(tmp_path / "full")) < 100
    assert end[: len(full)] == full
    assert attempts(end) == everything(20)


@pytest.mark.slow
@mounting
def test_a_disk_that_is_full_from_the_first_leaves_nothing_that_hinders(tmp_path: Path) -> None:
    script = f"""
        mount -t tmpfs -o size=8k none disk
        {shell(*NOOP, "-o", "disk/run")} 2> "said"
        echo $?
        mount -o remount,size=20m disk
        {shell(*NOOP, "-o", "disk/run")} > /dev/null
        echo $?
        cp -r "disk/run" "done"
    """
    done = apart(script, tmp_path)
    assert done.stdout.split() == ["2", "0"], done
    said = (tmp_path / "said").read_text()
    assert said.startswith("Cannot write ")
    assert "No space left on device" in said
    assert len(said.splitlines()) == 1
    assert attempts(samples(tmp_path / "done")) == everything(20)


@pytest.mark.slow
@mounting
def test_a_folder_that_may_only_be_read_is_named(tmp_path: Path) -> None:
    assert run("--model", "noop", "-o", tmp_path / "disk" / "run").returncode == 0
    before = contents(tmp_path / "disk")
    (tmp_path / "disk").rename(tmp_path / "kept")
    script = f"""
        mount --bind "kept" disk
        mount -o remount,bind,ro disk
        {shell("run", "--resume", "disk/run")}; echo $?
        {shell("score", "disk/run")}; echo $?
        {shell("run", "--model", "noop", "-o", "disk/new")}; echo $?
    """
    done = apart(script, tmp_path)
    assert done.stdout.split() == ["2", "2", "2"], done
    lines = done.stderr.splitlines()
    assert len(lines) == 3, done.stderr
    for line, named in zip(lines, ("run", "run", "new"), strict=True):
        assert line.startswith(f"Cannot write disk/{named}")
        assert "Read-only file system" in line
    assert contents(tmp_path / "kept") == before


@pytest.mark.slow
def test_a_file_that_may_not_grow_is_named_and_later_the_run_goes_on(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    done = limited(100, *NOOP, "-o", folder)
    assert (done.returncode, done.stdout) == (2, ""), done
    assert (
        done.stderr == f"Cannot write {folder / 'calls.jsonl'}: File too large. Everything written before is intact.\n"
    )
    is_whole(folder)
    before = samples(folder)
    assert len(before) <= len(calls(folder)) < 100
    assert json.loads((folder / "run.json").read_text("utf-8"))["sessions"][0]["ended"] is None
    assert resume(folder).returncode == 0
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
