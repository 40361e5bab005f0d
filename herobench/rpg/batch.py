"""Many answers scored: in parallel, in order, in constant memory.

Threads hand plans to worker processes, which do the work; rows come back in the answers' order, so the output is the
same whatever the number of workers.
"""

from __future__ import annotations

import sys
from collections.abc import Generator, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

from herobench.ahead import in_order
from herobench.documents import load_schema
from herobench.rpg.answer_file import Answer
from herobench.rpg.execution import judge, scored_row, task_columns
from herobench.rpg.task import Task
from herobench.sandbox import Sandbox

SCHEMA = 1


def score_answers(
    sandbox: Sandbox, tasks: Mapping[str, Task], answers: Iterable[Answer], jobs: int
) -> Generator[dict[str, Any]]:
    """The scored rows of answers to known tasks. Close it where it is not used up: what has not begun is given up."""

    def scored(answer: Answer) -> dict[str, Any]:
        return score_answer(sandbox, tasks[answer.task_id], answer)

    with ThreadPoolExecutor(jobs) as pool:
        yield from in_order(pool, jobs, scored, answers)


def score_answer(sandbox: Sandbox, task: Task, answer: Answer) -> dict[str, Any]:
    """The scored row of one answer."""
    result = judge(sandbox.world, task, sandbox.rules, sandbox.execute(task, answer.plan))
    return {
        "schema": SCHEMA,
        "task_id": task.id,
        "epoch": answer.epoch,
        "model": answer.model,
        "tokens": answer.tokens,
        **scored_row(sandbox.world, task, sandbox.rules, result),
        **_where_it_ran(sandbox),
    }


def blank_row(sandbox: Sandbox, task: Task, epoch: int) -> dict[str, Any]:
    """The row of an attempt that brought no answer: what is known of its task, and None for what a score says."""
    return {
        **dict.fromkeys(_columns()),
        "schema": SCHEMA,
        "task_id": task.id,
        "epoch": epoch,
        **task_columns(sandbox.world, task, sandbox.rules),
        **_where_it_ran(sandbox),
    }


def _where_it_ran(sandbox: Sandbox) -> dict[str, Any]:
    """Name the layers that confined the process which ran the plan, and its Python."""
    return {"confinement": list(sandbox.layers), "python": f"{sys.version_info.major}.{sys.version_info.minor}"}


@cache
def _columns() -> tuple[str, ...]:
    """The columns of a scored row."""
    return tuple(load_schema("scored")["required"])
