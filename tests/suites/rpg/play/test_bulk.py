"""Answers that are scored in many processes give the bytes that one process writes, in the same order."""

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from herobench.data.rows import write_rows
from herobench.suites.rpg.play import bulk
from herobench.task_gen.rpg.datasets import shipped_tasks
from tests.processes import members
from tests.program import PROGRAM, herobench

pytestmark = pytest.mark.slow


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """Tasks of the set decoys, and 220 answers: won, lost, without a plan, and with plans that end their worker."""
    tasks = list(shipped_tasks("decoys").values())
    write_rows(tmp_path / "tasks.jsonl", [task.as_row() for task in tasks])
    plans = [
        *(task.certificate.plan if task.certificate else "" for task in tasks),
        "move('Hero', 1, 1)",
        "x = 'a' * 10**9",
        "while True:\n    pass",
    ]
    rows = [
        {"task_id": tasks[number % len(tasks)].id, "epoch": number, "code": plans[number % len(plans)]}
        for number in range(2 * bulk._WORTH_A_PROCESS + 20)
    ]
    write_rows(tmp_path / "answers.jsonl", rows)
    return tmp_path / "tasks.jsonl", tmp_path / "answers.jsonl"


def test_the_number_of_processes_does_not_change_a_byte(files: tuple[Path, Path], tmp_path: Path) -> None:
    for jobs in (1, 2):
        done = herobench("score", *files, "-o", tmp_path / f"{jobs}.jsonl", "--jobs", str(jobs))
        assert done.returncode == 0, done.stderr
    assert (tmp_path / "1.jsonl").read_bytes() == (tmp_path / "2.jsonl").read_bytes()
    assert (tmp_path / "1.jsonl").read_bytes().count(b"\n") == 220


def test_an_interrupt_ends_all_processes_and_leaves_no_file(files: tuple[Path, Path], tmp_path: Path) -> None:
    scored = tmp_path / "scored.jsonl"
    words = [PROGRAM, "score", *files, "-o", scored, "--jobs", "2"]
    program = subprocess.Popen(words, start_new_session=True, stderr=subprocess.PIPE, text=True)
    while (
        program.poll() is None and len(members(program.pid)) < 4
    ):  # the program, what keeps its pool, and both processes
        time.sleep(0.05)
    os.killpg(program.pid, signal.SIGINT)
    _, told = program.communicate(timeout=60)
    assert program.returncode == 130
    assert "Traceback" not in told
    assert not scored.exists()
    ends = time.monotonic() + 30
    while members(program.pid) and time.monotonic() < ends:  # the last of them see that their parent is gone
        time.sleep(0.05)
    assert not members(program.pid)
