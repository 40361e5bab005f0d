"""Timing for benchmarks."""

from __future__ import annotations

import resource
import subprocess
import time
from collections.abc import Callable
from statistics import median
from typing import TypeVar

_Result = TypeVar("_Result")


def seconds(work: Callable[[], object], runs: int = 5) -> float:
    """The median wall time of a piece of work, after one run that does not count."""
    work()
    return median(timed(work)[0] for _ in range(runs))


def processor_seconds(*command: str, runs: int = 1) -> float:
    """The least processor time that a command and all its processes take. `{run}` in a word is the number of a run."""
    return min(_processor_once([word.format(run=run) for word in command]) for run in range(runs))


def _processor_once(command: list[str]) -> float:
    before = processor(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, capture_output=True)
    return processor(resource.RUSAGE_CHILDREN) - before


def processor(*whose: int) -> float:
    """The processor seconds of this process and of those that have ended, or of one of both."""
    used = (resource.getrusage(who) for who in whose or (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


def timed(work: Callable[[], _Result]) -> tuple[float, _Result]:
    """Return how many seconds of wall time a piece of work takes, and its result."""
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result
