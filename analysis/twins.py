"""Runs on a set of tasks and on its twins: which sample goes with which.

Twins have ids of their own and say whose twins they are. In a comparison both go by the name of the original: a run on
public tasks meets one on private twins, and two private ones meet each other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd


def paired_names(samples: pd.DataFrame, other: pd.DataFrame) -> list[str]:
    """For each sample the name under which it is compared with another table's."""
    known = {*other.task_id, *other.twin_of.dropna()}
    return [
        original if original in known else task_id
        for task_id, original in zip(samples.task_id, samples.twin_of, strict=True)
    ]


def are_twins(samples: pd.DataFrame, other: pd.DataFrame) -> bool:
    """Whether tasks of the one are twins of the other's, or both are of the same."""
    return paired_names(samples, other) != list(samples.task_id)
