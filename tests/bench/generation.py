"""Making tasks, certificates included, and proving them again: nine brackets of twenty, and the paper's number."""

from __future__ import annotations

import os
import resource
import time
from collections.abc import Iterable
from typing import TypeVar

from herobench.suites.rpg.worlds.content import load_rules, load_world
from herobench.task_gen.rpg.datasets import dataset
from herobench.task_gen.rpg.generator import task_rows
from herobench.task_gen.rpg.validation import proofs_of

_Made = TypeVar("_Made")


def measure() -> dict[str, float]:
    """Seconds and CPU for a dataset with a process a core, and what its certificates say."""
    world, rules, jobs = load_world(), load_rules(), os.cpu_count() or 1
    figures: dict[str, float] = {"processes": jobs}
    for name in ("base", "paper"):
        asked = dataset(name)
        rows = _timed(figures, name, task_rows(world, rules, asked.spec, asked.numbers(), jobs))
        _timed(figures, f"proven, {name}", proofs_of(world, rules, rows, jobs))
        certificates = [row["certificate"] for row in rows]
        figures[f"tasks, {name}"] = len(certificates)
        actions, bounds = (sum(each[key] for each in certificates) for key in ("actions", "lower_bound"))
        figures[f"actions over lower bound, {name}"] = actions / bounds
        figures[f"proven shortest, {name}"] = sum(each["actions"] == each["lower_bound"] for each in certificates)
    return figures


def _timed(figures: dict[str, float], what: str, made: Iterable[_Made]) -> list[_Made]:
    """Return all that is made, and note the seconds and the CPU of all processes."""
    began, used = time.perf_counter(), _cpu()
    found = list(made)
    figures[f"seconds, {what}"] = time.perf_counter() - began
    figures[f"milliseconds of CPU a task, {what}"] = (_cpu() - used) / len(found) * 1000
    return found


def _cpu() -> float:
    """The CPU seconds of this process and of those that have ended."""
    both = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in both)
