"""Pairs the samples of runs on a set of tasks and on its twins.

A twin is a new task of the same difficulty. It has its own id, and the fact `twin_of` names the original. A comparison
pairs both under the id of the original: public tasks with private twins, and two sets of twins with each other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import pandas as pd

    from herobench.analysis.statistics.paired import Comparison

Side = Literal["first", "second", "both"]
Verdict = Literal["originals_won_more", "twins_won_more", "no_difference_shown", "not_comparable"]
_CHANCE = 0.05
"""A p-value below which a difference is taken as real."""


def paired_names(samples: pd.DataFrame, other: pd.DataFrame) -> list[str]:
    """Return for each sample the task id under which it is compared with another table."""
    known = {*other.task_id, *_originals(other).dropna()}
    return [
        original if original in known else task_id
        for task_id, original in zip(samples.task_id, _originals(samples), strict=True)
    ]


def twin_side(samples: pd.DataFrame, other: pd.DataFrame) -> Side | None:
    """Return which table has the twins, the other having their originals; both for twins of the same tasks."""
    first, second = are_twins(samples, other), are_twins(other, samples)
    if first and second:
        return "both"
    return "first" if first else "second" if second else None


def verdict_on(side: Side, success: Comparison, is_one_model: bool) -> Verdict:
    """Return what the success of the first table less that of the second says of tasks and their twins."""
    # McNemar's p-value where there is one: few tasks hardly justify that of the t-test
    p = success.p if success.exact_p is None else success.exact_p
    difference = success.difference.estimate
    if side == "both" or not is_one_model or p is None or difference is None:
        return "not_comparable"
    if p >= _CHANCE:
        return "no_difference_shown"
    return "originals_won_more" if (difference > 0) == (side == "second") else "twins_won_more"


def are_twins(samples: pd.DataFrame, other: pd.DataFrame) -> bool:
    """Return whether tasks of one table are twins of the other's, or both are twins of the same tasks."""
    return paired_names(samples, other) != list(samples.task_id)


def _originals(samples: pd.DataFrame) -> pd.Series:
    """Return whose twins the samples' tasks are; a suite without twins has no such column."""
    # without such a column, one that holds nothing
    return samples.twin_of if "twin_of" in samples else samples.task_id.where(samples.task_id.isna())
