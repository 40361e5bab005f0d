"""Making tasks, certificates included: nine brackets of twenty, and the paper's number. `many_tasks` proves some."""

from __future__ import annotations

import os
from functools import partial

from bench.clock import processor, timed
from herobench.suites.rpg.worlds.content import load_rules, load_world
from herobench.task_gen.rpg.datasets import dataset
from herobench.task_gen.rpg.task_maker import task_rows


def measure() -> dict[str, float]:
    """Seconds and CPU for a dataset with a process a core, and what its certificates say."""
    world, rules, jobs = load_world(), load_rules(), os.cpu_count() or 1
    figures: dict[str, float] = {"processes": jobs}
    for name in ("base", "paper"):
        asked = dataset(name)
        used = processor()
        figures[f"seconds, {name}"], rows = timed(
            partial(list, task_rows(world, rules, asked.spec, asked.numbers(), jobs))
        )
        figures[f"milliseconds of CPU a task, {name}"] = (processor() - used) / len(rows) * 1000
        certificates = [row["certificate"] for row in rows]
        figures[f"tasks, {name}"] = len(certificates)
        actions, bounds = (sum(each[key] for each in certificates) for key in ("actions", "lower_bound"))
        figures[f"actions over lower bound, {name}"] = actions / bounds
        figures[f"proven shortest, {name}"] = sum(each["actions"] == each["lower_bound"] for each in certificates)
    return figures
