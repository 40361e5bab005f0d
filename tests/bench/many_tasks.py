"""Ten thousand tasks in a stream: what one costs at the beginning and at the end, and how much memory it takes."""

from __future__ import annotations

import resource
import time

from herobench.rpg.content import load_rules, load_world
from herobench.task_gen.spec import Spec
from herobench.task_gen.stream import task_rows

_MANY = 10_000
_PART = 1_000


def measure() -> dict[str, float]:
    """Milliseconds a task and megabytes, in one process, over the first thousand tasks and over the last."""
    rows = task_rows(load_world(), load_rules(), Spec(seed=7), range(_MANY))
    figures: dict[str, float] = {"tasks": _MANY}
    began = time.perf_counter()
    for done, _ in enumerate(rows, 1):
        if done % _PART == 0:
            now = time.perf_counter()
            if done in (_PART, _MANY):
                figures[f"milliseconds a task, up to {done}"] = (now - began) / _PART * 1000
                figures[f"megabytes at most, up to {done}"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            began = now
    return figures
