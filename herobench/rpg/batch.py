"""Scores many answers in parallel, in order, in constant memory.

`herobench score` and the RPG's suite call it. Threads hand plans to worker processes; rows come back in the order of
the answers, so the output does not depend on the number of workers.
"""

from __future__ import annotations

import sys
from collections.abc import Generator, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from herobench.ahead import in_order
from herobench.columns import names
from herobench.rpg.answer_file import Answer
from herobench.rpg.columns import DETAILS
from herobench.rpg.episode import Episode
from herobench.rpg.execution import judge, scored_row, task_columns
from herobench.rpg.task import Task
from herobench.sandbox import Sandbox
from herobench.suite import Verdict

SCHEMA = 1
_DETAILS = names(DETAILS)
_DETAILS_SCHEMA = 1


def score_answers(
    sandbox: Sandbox, tasks: Mapping[str, Task], answers: Iterable[Answer], jobs: int
) -> Generator[dict[str, Any]]:
    """Yield the scored rows of answers to known tasks. Close the generator when you do not use it up."""

    def scored(answer: Answer) -> dict[str, Any]:
        return score_answer(sandbox, tasks[answer.task_id], answer)

    # Threads are enough, because the work is done in the sandbox's processes.
    with ThreadPoolExecutor(jobs) as pool:
        yield from in_order(pool, jobs, scored, answers)


def score_answer(sandbox: Sandbox, task: Task, answer: Answer) -> dict[str, Any]:
    """Return the scored row of one answer."""
    return {
        "schema": SCHEMA,
        "task_id": task.id,
        "epoch": answer.epoch,
        "model": answer.model,
        "tokens": answer.tokens,
        **_judged(sandbox, task, sandbox.execute(task, answer.plan)),
    }


def _judged(sandbox: Sandbox, task: Task, episode: Episode) -> dict[str, Any]:
    """Return the columns that an episode gets."""
    result = judge(sandbox.world, task, sandbox.rules, episode)
    return {**scored_row(sandbox.world, task, sandbox.rules, result), **_where_it_ran(sandbox)}


def verdict_on(sandbox: Sandbox, task: Task, episode: Episode, mode: str) -> Verdict:
    """Return the verdict on an episode that was played in a mode."""
    return verdict_of(_judged(sandbox, task, episode), mode)


def verdict_of(row: Mapping[str, Any], mode: str) -> Verdict:
    """Return a scored row as the verdict on an attempt in a mode."""
    return Verdict(
        won=row["outcome"] == "win",
        score=row["score"],
        progress=row["progress_before_end"],
        failure=row["failure"],
        details={name: row[name] for name in _DETAILS if name in row} | {"schema": _DETAILS_SCHEMA, "mode": mode},
        events=row["events"],
    )


def blank_details(sandbox: Sandbox, task: Task, mode: str) -> dict[str, Any]:
    """Return the details of an attempt without an answer: facts of its task, and None for what a score says."""
    return {
        **dict.fromkeys(_DETAILS),
        "schema": _DETAILS_SCHEMA,
        "mode": mode,
        **task_columns(sandbox.world, task, sandbox.rules),
        **_where_it_ran(sandbox),
    }


def _where_it_ran(sandbox: Sandbox) -> dict[str, Any]:
    """Return the layers that confined the process which ran the plan, and its Python version."""
    return {"confinement": list(sandbox.layers), "python": f"{sys.version_info.major}.{sys.version_info.minor}"}
