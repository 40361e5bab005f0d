"""Scores a stream of answers in many processes, in order and in constant memory. `herobench score` calls it.

Each process replays, judges and writes the row as text, so that the parent does nothing for each action. A short stream
is scored in this process, since a process takes longer to start than some plans to score.
"""

from __future__ import annotations

import atexit
import json
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import closing
from functools import lru_cache, partial
from typing import Any, NamedTuple, TypeVar

from herobench.data.rows import dump_row
from herobench.sandbox import Sandbox
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.play.execution import score_answer, score_answers
from herobench.suites.rpg.play.plan import FileAnswer
from herobench.work.processes import in_processes, worth_processes

_Given = TypeVar("_Given")
_Made = TypeVar("_Made")

_AT_A_TIME = 8
"""The number of inputs that a process is handed at a time."""
_sandbox: Sandbox | None = None
"""The sandbox of a worker process; None in the parent process."""


def in_sandboxes(
    world: World, rules: Rules, work: Callable[[Sandbox, _Given], _Made], things: Iterable[_Given], jobs: int
) -> Generator[_Made]:
    """Yield what a work makes of some inputs, in order.

    The work must be a module-level function, or a `partial` of one. Close the generator if you stop early, so that its
    workers end.
    """
    yield from in_processes(partial(_here, work), things, jobs, _start, (world.source, rules), _AT_A_TIME)


def _start(source: str, rules: Rules) -> None:
    """Give a worker process its sandbox."""
    global _sandbox
    _sandbox = Sandbox(World.from_source(source), rules)
    atexit.register(_sandbox.close)


def _here(work: Callable[[Sandbox, _Given], _Made], thing: _Given) -> _Made:
    assert _sandbox is not None, "the process was started by _start"
    return work(_sandbox, thing)


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
    world: World, rules: Rules, tasks: Mapping[str, Task], answers: Iterable[FileAnswer], jobs: int, remark: Remark
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


def _with_tasks(tasks: Mapping[str, Task], answers: Iterable[FileAnswer]) -> Iterator[tuple[str, FileAnswer]]:
    """Yield each answer with its task as text: a process gets the tasks that it needs, and no others."""
    written = lru_cache(_KEPT)(lambda id: dump_row(tasks[id].as_row()))
    return ((written(answer.task_id), answer) for answer in answers)


def _line(remark: Remark, row: Mapping[str, Any]) -> ScoredLine:
    return ScoredLine(dump_row(row), {**row, "events": None}, remark(row))


def _scored(remark: Remark, sandbox: Sandbox, given: tuple[str, FileAnswer]) -> ScoredLine:
    text, answer = given
    return _line(remark, score_answer(sandbox, _task(text), answer))


@lru_cache(_KEPT)
def _task(text: str) -> Task:
    return Task.from_row(json.loads(text))
