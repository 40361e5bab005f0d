"""Works on many inputs in processes that have a world and a sandbox each, in order and in constant memory.

Each process replays, judges and proves what its sandbox runs, so that the parent does nothing for each action. All
these processes are trusted alike; only the sandbox's workers run plans.
"""

from __future__ import annotations

import atexit
from collections.abc import Callable, Generator, Iterable
from functools import partial
from typing import TypeVar

from herobench.pool import in_processes
from herobench.rpg.rules import Rules
from herobench.rpg.world import World
from herobench.sandbox import Sandbox

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
