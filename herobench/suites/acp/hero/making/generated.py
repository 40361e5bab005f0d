"""Makes questions about the RPG tasks of a set or file: one of each kind about each task, then another of each, and on.

Question number n of a kind about a task depends on the seed, the task and n only. Where no question of a kind can be
asked about a task, it is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import count as numbers
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from herobench.errors import UsageError
from herobench.pool import in_processes
from herobench.rpg.content import DEFAULT_EDITION, load_rules
from herobench.rpg.task import Task
from herobench.rpg.task_file import load_tasks
from herobench.rpg.world import World
from herobench.suites.acp.hero.making.make import question_about
from herobench.suites.acp.hero.making.source import Source, unfit
from herobench.task_gen.datasets import tasks_at, world_of

Row = Mapping[str, Any]

_SPLIT = "generated"
_WORTH_A_WORKER = 40
"""The number of questions that pays for the start of a process."""


class _Slot(NamedTuple):
    """One question that may be asked."""

    about: str
    task_id: str
    kind: str
    number: int
    seed: int


def rows_about(about: str, kinds: Sequence[str], seed: int, wanted: int, jobs: int) -> Iterator[Row]:
    """Yield the rows of so many questions about the tasks of a set or file. Raise UsageError if there are none."""
    tasks = _tasks(about)[1]
    slots = (_Slot(about, task, kind, number, seed) for number in numbers() for task in tasks for kind in kinds)
    made = vain = 0
    while made < wanted:
        # as many as are missing, so that the work does not depend on the number of processes
        for row in _asked(list(islice(slots, wanted - made)), jobs):
            if row:
                made, vain = made + 1, 0
                yield row
                continue
            vain += 1
            if vain >= len(tasks) * len(kinds):
                raise UsageError(f"No question of the tasks {', '.join(kinds)} can be asked about {about}.")


def _asked(slots: Sequence[_Slot], jobs: int) -> Iterator[Row | None]:
    processes = min(jobs, max(1, len(slots) // _WORTH_A_WORKER))
    return in_processes(_ask, slots, processes) if processes > 1 else map(_ask, slots)


def _ask(slot: _Slot) -> Row | None:
    question = question_about(_source(slot.about, slot.task_id), slot.kind, slot.seed, slot.number, _SPLIT)
    return None if question is None else question.as_row()


@cache
def _source(about: str, task_id: str) -> Source:
    world, tasks = _tasks(about)
    return Source.of(world, tasks[task_id], DEFAULT_EDITION)


@cache
def _tasks(about: str) -> tuple[World, Mapping[str, Task]]:
    """Return the world, and the tasks about which questions can be asked."""
    world = world_of(None, about)
    with tasks_at(Path(about)) as path:
        found = load_tasks(path, world)
    rules = load_rules()
    why = {task.id: unfit(world, task.rules(rules), task) for task in found.values()}
    fit = {task.id: task for task in found.values() if not why[task.id]}
    if not fit:
        reasons = sorted({reason for reason in why.values() if reason})
        raise UsageError(
            f"No questions can be asked about the tasks of {about}: {'; '.join(reasons) or 'it has none'}."
        )
    return world, fit
