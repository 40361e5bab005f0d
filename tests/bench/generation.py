"""Making tasks, certificates included, with a process a core: nine brackets of twenty, and the paper's number."""

from __future__ import annotations

import os
import time

from herobench.rpg.content import load_rules, load_world
from herobench.task_gen.datasets import dataset
from herobench.task_gen.stream import task_rows


def measure() -> dict[str, float]:
    """Seconds for a dataset, and what its certificates say."""
    world, rules, jobs = load_world(), load_rules(), os.cpu_count() or 1
    figures: dict[str, float] = {"processes": jobs}
    for name in ("base", "paper"):
        asked = dataset(name)
        began = time.perf_counter()
        certificates = [row["certificate"] for row in task_rows(world, rules, asked.spec, asked.numbers(), jobs)]
        figures[f"seconds, {name}"] = time.perf_counter() - began
        figures[f"tasks, {name}"] = len(certificates)
        actions, bounds = (sum(each[key] for each in certificates) for key in ("actions", "lower_bound"))
        figures[f"actions over lower bound, {name}"] = actions / bounds
        figures[f"proven shortest, {name}"] = sum(each["actions"] == each["lower_bound"] for each in certificates)
    return figures
