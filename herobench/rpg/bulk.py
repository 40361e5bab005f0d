"""Scores a stream of answers in many processes, in order and in constant memory. `herobench score` calls it.

Each process has a sandbox of its own. It replays, judges and writes the row as text, so that the parent does nothing
for each action. All these processes are trusted alike; only the sandbox's workers run plans. A short stream is scored
in this process, since a process takes longer to start than some plans to score.
"""

from __future__ import annotations

import atexit
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import closing
from functools import lru_cache
from itertools import chain, islice
from typing import Any, NamedTuple

from herobench.pool import in_processes
from herobench.rows import dump_row
from herobench.rpg.answer_file import Answer
from herobench.rpg.batch import score_answer, score_answers
from herobench.rpg.rules import Rules
from herobench.rpg.task import Task
from herobench.rpg.world import World
from herobench.sandbox import Sandbox

_WORTH_A_PROCESS = 100
"""The number of answers for each process that pays for its start."""
_AT_A_TIME = 8
"""The number of answers that a process is handed at a time."""


class ScoredLine(NamedTuple):
    """A scored row as a line of the output, and its columns but for the events."""

    line: str
    columns: Mapping[str, Any]


def scored_lines(
    world: World, rules: Rules, tasks: Mapping[str, Task], answers: Iterable[Answer], jobs: int
) -> Generator[ScoredLine]:
    """Yield the scored rows of answers to known tasks, in order. Close the generator when you do not use it up."""
    stream = iter(answers)
    first = list(islice(stream, jobs * _WORTH_A_PROCESS))
    if jobs == 1 or len(first) < jobs * _WORTH_A_PROCESS:
        with Sandbox(world, rules, workers=jobs) as sandbox:
            sandbox.warm_up()
            with closing(score_answers(sandbox, tasks, chain(first, stream), jobs)) as rows:
                yield from map(_line, rows)
        return
    told = world.source, rules, {id: task.as_row() for id, task in tasks.items()}
    with closing(in_processes(_scored, _batches(chain(first, stream)), jobs, _start, told)) as batches:
        for batch in batches:
            yield from batch


def _batches(answers: Iterator[Answer]) -> Iterator[list[Answer]]:
    while batch := list(islice(answers, _AT_A_TIME)):
        yield batch


def _line(row: Mapping[str, Any]) -> ScoredLine:
    return ScoredLine(dump_row(row), {**row, "events": None})


# -- in a process of its own ------------------------------------------------------------------------------------------

_sandbox: Sandbox | None = None
_rows: Mapping[str, Mapping[str, Any]] = {}


def _start(source: str, rules: Rules, rows: Mapping[str, Mapping[str, Any]]) -> None:
    """Give this process its sandbox, and the rows of all tasks."""
    global _sandbox, _rows
    _sandbox, _rows = Sandbox(World.from_source(source), rules), rows
    atexit.register(_sandbox.close)


def _scored(answers: list[Answer]) -> list[ScoredLine]:
    assert _sandbox is not None
    return [_line(score_answer(_sandbox, _task(answer.task_id), answer)) for answer in answers]


@lru_cache(maxsize=1024)
def _task(task_id: str) -> Task:
    return Task.from_row(_rows[task_id])
