"""Scores a stream of answers in many processes, in order and in constant memory. `herobench score` calls it.

Each process replays, judges and writes the row as text, so that the parent does nothing for each action. A short stream
is scored in this process, since a process takes longer to start than some plans to score.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import closing
from functools import lru_cache, partial
from typing import Any, NamedTuple

from herobench.pool import worth_processes
from herobench.rows import dump_row
from herobench.rpg.answer_file import Answer
from herobench.rpg.batch import score_answer, score_answers
from herobench.rpg.rules import Rules
from herobench.rpg.sandboxes import in_sandboxes
from herobench.rpg.task import Task
from herobench.rpg.world import World
from herobench.sandbox import Sandbox

_WORTH_A_PROCESS = 100
"""The number of answers for each process that pays for its start."""
_KEPT = 1024
"""The number of tasks that a process keeps at hand."""


Remark = Callable[[Mapping[str, Any]], str | None]
"""Says something of a scored row. A module-level function, because each process calls it with its rows."""


class ScoredLine(NamedTuple):
    """A scored row as a line of the output, its columns but for the events, and what was said of it."""

    line: str
    columns: Mapping[str, Any]
    remark: str | None


def scored_lines(
    world: World, rules: Rules, tasks: Mapping[str, Task], answers: Iterable[Answer], jobs: int, remark: Remark
) -> Generator[ScoredLine]:
    """Yield the scored rows of answers to known tasks, in order, each with its remark.

    Close the generator when you do not use it up.
    """
    much, stream = worth_processes(answers, jobs, _WORTH_A_PROCESS)
    if much:
        with closing(in_sandboxes(world, rules, partial(_scored, remark), _with_tasks(tasks, stream), jobs)) as lines:
            yield from lines
        return
    with Sandbox(world, rules, workers=jobs) as sandbox:
        sandbox.warm_up()
        with closing(score_answers(sandbox, tasks, stream, jobs)) as rows:
            yield from (_line(remark, row) for row in rows)


def _with_tasks(tasks: Mapping[str, Task], answers: Iterable[Answer]) -> Iterator[tuple[str, Answer]]:
    """Yield each answer with its task as text: a process gets the tasks that it needs, and no others."""
    written = lru_cache(_KEPT)(lambda id: dump_row(tasks[id].as_row()))
    return ((written(answer.task_id), answer) for answer in answers)


def _line(remark: Remark, row: Mapping[str, Any]) -> ScoredLine:
    return ScoredLine(dump_row(row), {**row, "events": None}, remark(row))


def _scored(remark: Remark, sandbox: Sandbox, given: tuple[str, Answer]) -> ScoredLine:
    text, answer = given
    return _line(remark, score_answer(sandbox, _task(text), answer))


@lru_cache(_KEPT)
def _task(text: str) -> Task:
    return Task.from_row(json.loads(text))
