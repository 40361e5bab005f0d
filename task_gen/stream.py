"""Tasks by the thousand: made in several processes, in order, in constant memory.

Task i is a function of the world, the spec and i, so it does not matter which process makes it, nor what was made
before. Rows are what goes between processes.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterable
from collections.abc import Generator as Rows
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from typing import Any, TypeVar

from herobench.ahead import in_order
from herobench.rpg.rules import Rules
from herobench.rpg.task import Task
from herobench.rpg.world import World
from herobench.task_gen.generator import generator
from herobench.task_gen.spec import Spec

Thing = TypeVar("Thing")
Make = Callable[[World, Rules, Thing], Task]
"""Makes a task of a thing, such as its number; of a module, so that every process has it."""

_here: tuple[World, Rules] | None = None
"""In a worker process: the world and the rules of its tasks."""


def task_rows(world: World, rules: Rules, spec: Spec, indices: Iterable[int], jobs: int = 1) -> Rows[dict[str, Any]]:
    """The rows of tasks, in the order of the indices."""
    generator(world, rules, spec)  # raises what is wrong with the spec here, and before anything is started
    return rows_of(world, rules, partial(_numbered, spec), indices, jobs)


def rows_of(
    world: World, rules: Rules, make: Make[Thing], things: Iterable[Thing], jobs: int = 1
) -> Rows[dict[str, Any]]:
    """The rows of what is made of things, in their order. With several jobs the caller has to be importable, as for
    all of multiprocessing; close it where it is not used up."""
    if jobs == 1:
        yield from (make(world, rules, thing).as_row() for thing in things)
        return
    pool = ProcessPoolExecutor(jobs, get_context("spawn"), _start, (world.source, rules))
    try:
        yield from in_order(pool, jobs, partial(_row, make), things)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _numbered(spec: Spec, world: World, rules: Rules, index: int) -> Task:
    return generator(world, rules, spec).task(index)


def _start(source: str, rules: Rules) -> None:
    """Begin a worker process. An interrupt is for the parent to deal with."""
    global _here
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _here = World.from_source(source), rules


def _row(make: Make[Thing], thing: Thing) -> dict[str, Any]:
    assert _here is not None, "the process was started by _start"
    return make(*_here, thing).as_row()
