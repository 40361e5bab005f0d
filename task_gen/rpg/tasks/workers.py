"""Do a work in the processes of a world: each process has the world and the rules, and is given the rest."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from functools import partial
from typing import TypeVar

from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.world import World
from herobench.work.processes import in_processes

Input = TypeVar("Input")
Output = TypeVar("Output")
Work = Callable[[World, Rules, Input], Output]
"""Makes an output from an input. It must be a module-level function, so that workers can import it."""

_here: tuple[World, Rules] | None = None
"""The world and the rules of a worker process; None in the parent process."""


def in_workers(
    world: World, rules: Rules, work: Work[Input, Output], things: Iterable[Input], jobs: int
) -> Generator[Output]:
    """Yield what a work makes of some inputs, in order.

    With several jobs, the main module must be importable, as always with multiprocessing. Close the generator if you
    stop early, so that its workers end.
    """
    if jobs == 1:
        yield from (work(world, rules, thing) for thing in things)
        return
    yield from in_processes(partial(_here_done, work), things, jobs, _start, (world.source, rules))


def _start(source: str, rules: Rules) -> None:
    """Give a worker process its world and rules."""
    global _here
    _here = World.from_source(source), rules


def _here_done(work: Work[Input, Output], thing: Input) -> Output:
    assert _here is not None, "the process was started by _start"
    return work(*_here, thing)
