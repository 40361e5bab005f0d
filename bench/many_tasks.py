"""Ten thousand tasks in a stream: what one costs at the beginning and at the end, and how much memory it takes."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterable, Iterator
from multiprocessing import active_children, current_process
from pathlib import Path
from typing import TypeVar

from bench.memory import resident
from herobench.data.rows import unread_lines, write_rows
from herobench.suite.validating import ProofFacts
from herobench.suites.rpg.worlds.content import load_rules, load_world
from herobench.task_gen.rpg.task_maker import task_rows
from herobench.task_gen.rpg.tasks.spec import Spec
from herobench.task_gen.rpg.validation import TaskProofs
from herobench.work.engine import Local
from herobench.work.rows import FileOfRows

_MANY = 10_000
_PART = 1_000

_Made = TypeVar("_Made")


def measure() -> dict[str, float]:
    """Milliseconds a task and megabytes over the first thousand tasks and over the last, with a process a core."""
    world, rules, jobs = load_world(), load_rules(), os.cpu_count() or 1
    figures: dict[str, float] = {"tasks": _MANY, "processes": jobs}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "tasks.jsonl"
        write_rows(file, _watched(figures, "made", task_rows(world, rules, Spec(seed=7, noise=5), range(_MANY), jobs)))
        proofs = FileOfRows(TaskProofs(world, rules), ProofFacts, Local(jobs))
        for _ in _watched(figures, "proven", proofs.make_lines(unread_lines(file))):
            pass
    return figures


def _watched(figures: dict[str, float], what: str, things: Iterable[_Made]) -> Iterator[_Made]:
    """Yield things, and note what they cost at the beginning and at the end."""
    began = time.perf_counter()
    for done, thing in enumerate(things, 1):
        if done % _PART == 0:
            now = time.perf_counter()
            if done in (_PART, _MANY):
                figures[f"milliseconds a task, {what}, up to {done}"] = (now - began) / _PART * 1000
                figures[f"megabytes of all processes, {what}, {done}"] = _megabytes()
            began = now
        yield thing


def _megabytes() -> float:
    """The memory of this process and of its workers, without their sandboxes."""
    return sum(resident(process.pid or "self") for process in (current_process(), *active_children()))
