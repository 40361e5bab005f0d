"""Proves the certificates of many tasks again, in processes, in order and in constant memory.

`herobench validate` calls it. Few tasks are proven in this process, since a process takes longer to start.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping
from contextlib import closing
from typing import Any

from herobench.pool import worth_processes
from herobench.rpg.rules import Rules
from herobench.rpg.sandboxes import in_sandboxes
from herobench.rpg.task import Task
from herobench.rpg.world import World
from herobench.sandbox import Sandbox
from herobench.task_gen.validation import faults, faults_of

Row = Mapping[str, Any]

_WORTH_A_PROCESS = 50
"""The number of tasks for each process that pays for its start."""


def proofs_of(world: World, rules: Rules, rows: Iterable[Row], jobs: int) -> Generator[tuple[str, list[str]]]:
    """Yield the id and the faults of each task, in order. Close the generator when you do not use it up."""
    much, stream = worth_processes(rows, jobs, _WORTH_A_PROCESS)
    if much:
        with closing(in_sandboxes(world, rules, _proof, stream, jobs)) as proofs:
            yield from proofs
        return
    with Sandbox(world, rules, workers=jobs) as sandbox:
        sandbox.warm_up()
        with closing(faults_of(world, rules, map(Task.from_row, stream), sandbox.execute, jobs)) as proofs:
            yield from proofs


def _proof(sandbox: Sandbox, row: Row) -> tuple[str, list[str]]:
    task = Task.from_row(row)
    return task.id, faults(sandbox.world, sandbox.rules, task, sandbox.execute)
