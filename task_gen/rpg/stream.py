"""Make or look at many tasks in several processes, in order and in constant memory.

Called by `herobench generate` and `herobench audit`. Task i depends only on the world, the spec and i, so it does not
matter which process makes it. Processes exchange rows, because tasks hold read-only mappings that cannot be pickled.
"""

from __future__ import annotations

import os
from collections.abc import Generator as Rows
from collections.abc import Iterable
from functools import partial
from typing import Any

from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import World
from herobench.task_gen.rpg.generator import generator
from herobench.task_gen.rpg.tasks.spec import Spec
from herobench.task_gen.rpg.tasks.workers import Input, Work, in_workers

Make = Work[Input, Task]
"""Makes a task from an input, such as its number."""

_WORTH_A_WORKER = 10
"""The number of tasks that pays for the start of a process."""


def processes(count: int, jobs: int | None) -> int:
    """Return how many processes should make this many tasks, when `jobs` may be used; None stands for all cores."""
    # A process needs about as long to start as some tasks need to be made.
    return min(jobs or os.cpu_count() or 1, max(1, count // _WORTH_A_WORKER))


def task_rows(world: World, rules: Rules, spec: Spec, indices: Iterable[int], jobs: int = 1) -> Rows[dict[str, Any]]:
    """Yield the rows of a spec's tasks, in the order of the indices."""
    generator(world, rules, spec)  # a bad spec fails here, before any process starts
    return rows_of(world, rules, partial(_numbered, spec), indices, jobs)


def rows_of(
    world: World, rules: Rules, make: Make[Input], things: Iterable[Input], jobs: int = 1
) -> Rows[dict[str, Any]]:
    """Yield the rows of the tasks made from some inputs, in order.

    Close the generator if you stop early, so that its workers end.
    """
    yield from in_workers(world, rules, partial(_row, make), things, jobs)


def _numbered(spec: Spec, world: World, rules: Rules, index: int) -> Task:
    return generator(world, rules, spec).task(index)


def _row(make: Make[Input], world: World, rules: Rules, thing: Input) -> dict[str, Any]:
    return make(world, rules, thing).as_row()
