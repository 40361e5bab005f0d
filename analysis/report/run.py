"""What the report is told of a run. All that it cannot work out from the core is handed in."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from herobench.analysis.account import is_told
from herobench.analysis.causes.cause import Found
from herobench.analysis.causes.explain import explain
from herobench.rpg.rules import Rules
from herobench.rpg.task import Task
from herobench.rpg.world import World

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ReportRun:
    """One run. Its name tells it from the others in the same report, and is part of the links to its samples."""

    name: str
    rows: Iterable[Row]
    """Samples or scored rows. They are gone through once, and never held all at the same time."""
    tasks: Mapping[str, Task]
    """By id. A row whose task is not among them is shown without its prompt and its replay."""
    world: World
    rules: Rules
    """The edition, without what a task's mechanics change in it."""
    prompt: Callable[[Task], str]
    """What the model was told of a task."""


def measured(row: Row) -> bool:
    """Whether there was a reply to be scored. Scored rows have no status: each of them was."""
    return bool(row.get("status", "ok") == "ok")


def cause_of(row: Row) -> Found | None:
    """Why a sample was lost; None where it was not, or where there is too little to tell it from."""
    return explain(row) if is_told(row) else None
