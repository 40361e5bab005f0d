"""Tasks by the thousand: made in several processes, in order, in constant memory.

Task i is a function of the world, the spec and i, so it does not matter which process makes it, nor what was made
before. Rows are what goes between processes.
"""

from __future__ import annotations

import signal
from collections.abc import Generator as Rows
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

from herobench.ahead import in_order
from herobench.rules import Rules
from herobench.task_gen.generator import Generator
from herobench.task_gen.spec import Spec
from herobench.world import World

_made_here: Generator | None = None
"""In a worker process: the generator of its tasks."""


def task_rows(world: World, rules: Rules, spec: Spec, indices: Iterable[int], jobs: int = 1) -> Rows[dict[str, Any]]:
    """The rows of tasks, in the order of the indices. With several jobs the caller has to be importable, as for all
    of multiprocessing; close it where it is not used up."""
    here = Generator(world, rules, spec)
    if jobs == 1:
        yield from (here.task(index).as_row() for index in indices)
        return
    pool = ProcessPoolExecutor(jobs, get_context("spawn"), _start, (world.source, rules, spec))
    try:
        yield from in_order(pool, jobs, _row, indices)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _start(source: str, rules: Rules, spec: Spec) -> None:
    """Begin a worker process. An interrupt is for the parent to deal with."""
    global _made_here
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _made_here = Generator(World.from_source(source), rules, spec)


def _row(index: int) -> dict[str, Any]:
    assert _made_here is not None, "the process was started by _start"
    return _made_here.task(index).as_row()
