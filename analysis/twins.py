"""Pairs the samples of runs on a set of tasks and on its twins.

A twin is a new task of the same difficulty. It has its own id, and the fact `twin_of` names the original. A comparison
pairs both under the id of the original: public tasks with private twins, and two sets of twins with each other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd


def paired_names(samples: pd.DataFrame, other: pd.DataFrame) -> list[str]:
    """Return for each sample the task id under which it is compared with another table."""
    known = {*other.task_id, *_originals(other).dropna()}
    return [
        original if original in known else task_id
        for task_id, original in zip(samples.task_id, _originals(samples), strict=True)
    ]


def are_twins(samples: pd.DataFrame, other: pd.DataFrame) -> bool:
    """Return whether tasks of one table are twins of the other's, or both are twins of the same tasks."""
    return paired_names(samples, other) != list(samples.task_id)


def _originals(samples: pd.DataFrame) -> pd.Series:
    """Return whose twins the samples' tasks are; a suite without twins has no such column."""
    # without such a column, one that holds nothing
    return samples.twin_of if "twin_of" in samples else samples.task_id.where(samples.task_id.isna())
