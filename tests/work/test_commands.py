"""Commands that work in many processes write the bytes that one process writes, and an interrupt ends them all."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from herobench.data.rows import write_rows
from herobench.suites.rpg.play.answer_work import AnswerWork
from herobench.task_gen.rpg.datasets import shipped_tasks
from herobench.task_gen.rpg.validation import TaskProofs
from tests.processes import members
from tests.program import PROGRAM, herobench, write_jsonl

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
        for number in range(2 * AnswerWork.worth + 20)
    ]
    write_rows(tmp_path / "answers.jsonl", rows)
    return tmp_path / "tasks.jsonl", tmp_path / "answers.jsonl"


@pytest.fixture
def spoilt(tmp_path: Path) -> Path:
    """The set base with faults here and there, and with lines that hold no task."""
    lines = [json.dumps(task.as_row()) for task in shipped_tasks("base").values()]
    assert len(lines) > 2 * TaskProofs.worth
    for number in (3, 99, len(lines) - 1):
        row = json.loads(lines[number])
        row["certificate"]["actions"] += 1
        lines[number] = json.dumps(row)
    return write_jsonl(tmp_path / "spoilt.jsonl", [*lines[:50], "{", lines[7], *lines[50:]])


def test_answers_are_scored_as_the_same_bytes(files: tuple[Path, Path], tmp_path: Path) -> None:
    for jobs in (1, 2):
        done = herobench("score", *files, "-o", tmp_path / f"{jobs}.jsonl", "--jobs", str(jobs))
        assert done.returncode == 0, done.stderr
    assert (tmp_path / "1.jsonl").read_bytes() == (tmp_path / "2.jsonl").read_bytes()
    assert (tmp_path / "1.jsonl").read_bytes().count(b"\n") == 220


def test_certificates_are_proven_in_the_same_words(spoilt: Path) -> None:
    one, two = (herobench("validate", spoilt, "--jobs", str(jobs)) for jobs in (1, 2))
    assert (one.returncode, one.stdout, said(one.stderr)) == (two.returncode, two.stdout, said(two.stderr))
    assert one.returncode == 2
    assert one.stdout.count("the plan attempts") == 3
    assert "177 of 182 tasks hold" in one.stdout
    assert "spoilt.jsonl:51: column 2" in one.stderr
    assert 'spoilt.jsonl:52: $.id: expected an id that no task has before it, found "' in one.stderr


UNGUARDED = (
    "import sys; from herobench.cli import main; sys.argv[1:] = 'validate', 'base', '--jobs', '2'; sys.exit(main())"
)


def test_a_program_that_lacks_the_guard_of_its_own_work_is_told_so_and_does_not_wait_for_ever(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(UNGUARDED, "utf-8")
    words = [sys.executable, tmp_path / "program.py"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=100)
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].startswith("A worker process ended early.")


def said(text: str) -> list[str]:
    """The lines but for those that show progress."""
    return [line for line in text.splitlines() if not line.startswith("looked at")]


@pytest.mark.parametrize("command", ["score", "validate"])
def test_an_interrupt_ends_all_processes_and_leaves_no_file(
    command: str, files: tuple[Path, Path], tmp_path: Path
) -> None:
    scored = tmp_path / "scored.jsonl"
    # the proofs of long tasks go on for seconds: those of short ones may be done before the interrupt
    words = [*files, "-o", scored] if command == "score" else ["horizon"]
    program = subprocess.Popen(
        [PROGRAM, command, *words, "--jobs", "2"],
        start_new_session=True,
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    # the program, the tracker of its resources, and both processes
    while program.poll() is None and len(members(program.pid)) < 4:
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
