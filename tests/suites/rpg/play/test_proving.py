"""Certificates that are proven in many processes: the words of one process, and none of them lost."""

import json
import os
import signal
import subprocess
import time
from contextlib import closing
from pathlib import Path

import pytest

from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.worlds.content import load_rules
from herobench.task_gen.rpg import validation
from herobench.task_gen.rpg.datasets import shipped_tasks
from herobench.task_gen.rpg.validation import proofs_of
from tests.processes import members
from tests.program import PROGRAM, herobench, write_jsonl

pytestmark = pytest.mark.slow


@pytest.fixture
def spoilt(tmp_path: Path) -> Path:
    """The set base with faults here and there, and with lines that hold no task."""
    lines = [json.dumps(task.as_row()) for task in shipped_tasks("base").values()]
    assert len(lines) > 2 * validation._WORTH_A_PROCESS
    for number in (3, 99, len(lines) - 1):
        row = json.loads(lines[number])
        row["certificate"]["actions"] += 1
        lines[number] = json.dumps(row)
    return write_jsonl(tmp_path / "spoilt.jsonl", [*lines[:50], "{", lines[7], *lines[50:]])


def said(text: str) -> list[str]:
    """The lines but for those that show progress."""
    return [line for line in text.splitlines() if not line.startswith("looked at")]


def test_the_number_of_processes_does_not_change_a_word(spoilt: Path) -> None:
    one, two = (herobench("validate", spoilt, "--jobs", str(jobs)) for jobs in (1, 2))
    assert (one.returncode, one.stdout, said(one.stderr)) == (two.returncode, two.stdout, said(two.stderr))
    assert one.returncode == 1
    assert one.stdout.count("the plan attempts") == 3
    assert "177 of 182 tasks hold" in one.stdout
    assert "spoilt.jsonl:51: column 2" in one.stderr
    assert 'spoilt.jsonl:52: $.id: expected an id that no task has before it, found "' in one.stderr


def test_tasks_are_read_as_their_proofs_leave(classic: World) -> None:
    row = next(iter(shipped_tasks("base").values())).as_row()
    taken = 0

    def endless() -> object:
        nonlocal taken
        while True:
            taken += 1
            yield row

    proofs = proofs_of(classic, load_rules(), endless(), 2)  # type: ignore[arg-type]
    assert [next(proofs) for _ in range(200)] == [(row["id"], [])] * 200
    proofs.close()
    assert taken < 400


def test_a_killed_process_costs_no_proof(classic: World) -> None:
    rows = [task.as_row() for task in shipped_tasks("base").values()]
    with closing(proofs_of(classic, load_rules(), rows, 2)) as proofs:
        found = [next(proofs) for _ in range(60)]
        os.kill(members(os.getpgrp(), parent=os.getpid(), words="multiprocessing.spawn")[0], signal.SIGKILL)
        found += proofs
    assert found == [(row["id"], []) for row in rows]


def test_an_interrupt_ends_all_processes(spoilt: Path) -> None:
    words = [PROGRAM, "validate", spoilt, "--jobs", "2"]
    program = subprocess.Popen(words, start_new_session=True, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    while program.poll() is None and len(members(program.pid)) < 4:
        time.sleep(0.02)
    os.killpg(program.pid, signal.SIGINT)
    _, told = program.communicate(timeout=60)
    assert program.returncode == 130
    assert "Traceback" not in told
    ends = time.monotonic() + 30
    while members(program.pid) and time.monotonic() < ends:
        time.sleep(0.05)
    assert not members(program.pid)
