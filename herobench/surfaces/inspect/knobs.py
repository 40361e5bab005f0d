"""The knobs of a task. Each sample carries them, so that solvers and scorers find its suite without arguments.

A log can then be scored again by `inspect score` with nothing but the log.
"""

from __future__ import annotations

from typing import Any

from inspect_ai.solver import TaskState

from herobench.input_file import real_path
from herobench.scorer import Scorer, Wanted, shared_scorer

_KEY = "herobench"


def as_metadata(group: str | None, knobs: dict[str, Any]) -> dict[str, Any]:
    """Return the metadata of a sample."""
    return {"group": group, _KEY: knobs}


def kept(suite: str, knobs: dict[str, Any]) -> dict[str, Any]:
    """Return the knobs that were given, as the log keeps them: a tasks file by its whole path."""
    given = {name: value for name, value in knobs.items() if value is not None}
    if "tasks" in given:
        given["tasks"] = str(real_path(given["tasks"]))
    return {**given, "suite": suite}


def scorer_of(state: TaskState) -> Scorer:
    """Return the scorer of a sample."""
    return shared_scorer(Wanted(**state.metadata[_KEY]))


def task_id_of(state: TaskState) -> str:
    """Return our name for the task of a sample."""
    return str(state.sample_id)


def epoch_of(state: TaskState) -> int:
    """Return our number of the epoch. Ours begin with 0, those of Inspect with 1."""
    return int(state.epoch) - 1
