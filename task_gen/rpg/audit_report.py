"""The audit behind the contract of a suite: audits the tasks that a user names, and tells the wins in tables."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import groupby
from pathlib import Path
from typing import Any

from herobench.data.options import read_options
from herobench.suite.contract import SuiteSetting
from herobench.suite.validating import TaskFigures, Watch, WinsTable
from herobench.suites.rpg.play.options import AuditOptions
from herobench.suites.rpg.worlds.content import DEFAULT_WORLD, load_rules, load_world
from herobench.task_gen.rpg.audit.audit import audit
from herobench.task_gen.rpg.audit.families import FAMILIES, parse_families
from herobench.task_gen.rpg.datasets import load_tasks_at
from herobench.task_gen.rpg.tasks.spec import DEFAULT_DATASET

_MARK = "*"
"""Stands behind the name of a family that computes fights."""


def audit_tasks(setting: SuiteSetting, watch: Watch) -> TaskFigures:
    """Audit the tasks of a setting."""
    options, tasks = read_options(AuditOptions, setting.options), setting.tasks or Path(DEFAULT_DATASET)
    families = parse_families(options.families)
    world = load_world(options.world or DEFAULT_WORLD)
    tasks_by_id = load_tasks_at(tasks, world)
    with watch(len(tasks_by_id)) as step:
        row = audit(world, load_rules(), list(tasks_by_id.values()), families, setting.workers, step)
    computing = [name for name in families if FAMILIES[name].computes]
    parts = [*wins_tables(row["rows"], computing)]
    if computing:
        parts.append(f"{_MARK} computes fights: an upper mark, and no rule of thumb.")
    return TaskFigures(parts, row)


def wins_tables(rows: Iterable[Mapping[str, Any]], computing: Collection[str]) -> Iterator[WinsTable | str]:
    """Yield for each group of tasks its name, and a table of what each family wins and its mean score."""
    for words, group in groupby(rows, _group_words):
        yield words
        own = list(group)
        lines = [
            (
                f"{row['family']} {_MARK}" if row["family"] in computing else row["family"],
                str(row["wins"]),
                f"{100 * row['wins'] / row['tasks']:.1f} %",
                f"{row['score']:.1f}",
            )
            for row in own
        ]
        yield WinsTable(["won by"], [f"of {own[0]['tasks']}", "share", "score"], lines)


def _group_words(row: Mapping[str, Any]) -> str:
    """Return a group of tasks in words; what is usual is left out."""
    words = {
        "noise": row["noise"],
        f"defeats {row['defeat']}": row["defeat"] != "free",
        "a budget": row["budget"],
        "straight plans": row["track"] == "straight",
        row["closed"]: row["closed"],
    }
    return ", ".join([row["kind"], row["knowledge"], *filter(words.get, words)])
