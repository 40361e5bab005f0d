"""Accuracy by task and by domain, under both gradings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from herobench.analysis.interval import Estimate
from herobench.analysis.rates import success_of
from herobench.suites.acp.questions import TASKS

if TYPE_CHECKING:
    import pandas as pd

GRADINGS = ("reference", "sound")
_PERCENT = 100


def accuracy(samples: pd.DataFrame, grading: str) -> Estimate:
    """Return the share of measured samples that a grading accepts. Undecided samples are left out."""
    decided = samples[samples.measured & samples[grading].notna()]
    return success_of(list(decided.task_id), [float(score) for score in decided[grading]])


def rows_by(samples: pd.DataFrame, column: str) -> Iterator[Mapping[str, Any]]:
    """Yield a row for each value of a column, with the accuracy under both gradings and the mean Jaccard index."""
    for value, part in samples.groupby(column, sort=True):
        known = part.jaccard.dropna()
        yield {
            column: str(value),
            **{grading: asdict(accuracy(part, grading)) for grading in GRADINGS},
            "jaccard": float(known.mean()) if len(known) else None,
        }


def profiles_of(samples: pd.DataFrame) -> dict[str, dict[str, Estimate]]:
    """Return the accuracy at each kind of question that was asked, in the order of the paper, by grading.

    A grading that decides nothing is left out: no harness is published for questions about the hero's world.
    """
    kinds = {kind: part for kind in TASKS if len(part := samples[samples.kind == kind])}
    decided = [grading for grading in GRADINGS if samples[grading].notna().any()]
    return {
        f"{grading} grading": {kind: accuracy(part, grading) for kind, part in kinds.items()} for grading in decided
    }


def in_words(rate: Estimate) -> str:
    """Return an accuracy in percent with its interval; empty without samples."""
    if rate.estimate is None or rate.low is None or rate.high is None:
        return ""
    low, high = _PERCENT * rate.low, _PERCENT * rate.high
    return f"{_PERCENT * rate.estimate:.1f} % ({low:.1f} to {high:.1f}) of {rate.samples}"
