"""Proves the certificates of many tasks again, in processes, in order and in constant memory.

`herobench validate` calls it. Few tasks are proven in this process, since a process takes longer to start. On a cluster
it takes `TaskProofs`.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from herobench.columns import Column
from herobench.errors import Problem
from herobench.pool import worth_processes
from herobench.row_work import Row
from herobench.rows import RowLine
from herobench.rpg.rules import Rules
from herobench.rpg.sandboxes import in_sandboxes
from herobench.rpg.scoring import SCORER
from herobench.rpg.task import Task
from herobench.rpg.task_file import id_twice, task_problems
from herobench.rpg.world import World
from herobench.sandbox import Sandbox
from herobench.task_gen.validation import faults, faults_of
from herobench.validating import PROOF

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


# -- one by one -------------------------------------------------------------------------------------------------------

_world = lru_cache(maxsize=2)(World.from_source)


@dataclass(frozen=True, slots=True)
class TaskProofs:
    """Proves rows of tasks of one world, behind the contract of work on rows."""

    world: str
    """The source of the world."""
    rules: Rules

    @property
    def given(self) -> TaskProofs:
        """Return itself, which also says which rows are tasks."""
        return self

    @property
    def schema(self) -> str:
        """The schema of tasks."""
        return "task"

    @property
    def columns(self) -> Sequence[Column]:
        """The columns of proofs."""
        return PROOF

    def check(self, line: RowLine) -> str | Sequence[Problem]:
        """Return the id of a task, or what is wrong with it in the world."""
        return list(task_problems(line.row, _world(self.world), line.place)) or str(line.row["id"])

    def twice(self, place: str, first: str) -> Problem:
        """Return the problem of a task whose id the task at another place has."""
        return id_twice(place, f"that of {first}")

    def options(self) -> dict[str, Any]:
        """Return all that the faults depend on beside the tasks."""
        return {"rules": self.rules.name, "world": _world(self.world).digest, "scorer": SCORER}

    def opened(self) -> ProvenTasks:
        """Open a sandbox in this process."""
        return ProvenTasks(Sandbox(_world(self.world), self.rules))


@dataclass(frozen=True, slots=True)
class ProvenTasks:
    """Proves certificates in a sandbox of its own."""

    sandbox: Sandbox

    def made(self, row: Row) -> dict[str, Any]:
        """Return the id of a task, and its faults."""
        task_id, found = _proof(self.sandbox, row)
        return {"task_id": task_id, "faults": found}

    def close(self) -> None:
        """End the sandbox."""
        self.sandbox.close()
