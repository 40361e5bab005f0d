"""Timing for benchmarks."""

from __future__ import annotations

import resource
import subprocess
import time
from collections.abc import Callable
from statistics import median


def seconds(work: Callable[[], object], runs: int = 5) -> float:
    """The median wall time of a piece of work, after one run that does not count."""
    work()
    return median(_once(work) for _ in range(runs))


def processor_seconds(*command: str, runs: int = 1) -> float:
    """The least processor time that a command and all its processes take. `{run}` in a word is the number of a run."""
    return min(_processor_once([word.format(run=run) for word in command]) for run in range(runs))


def _processor_once(command: list[str]) -> float:
    before = _of_children()
    subprocess.run(command, check=True, capture_output=True)
    return _of_children() - before


def _of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _once(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start
