"""Compares the horizons of several checkups: the ratio of two, and how sure it is which one is longer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

from herobench.analysis.checkup.figures import CheckedModel, horizon_trials
from herobench.analysis.statistics.comparison import horizon_ratio
from herobench.analysis.statistics.horizon import Trials


def ratios_among(subjects: Sequence[CheckedModel], names: Sequence[str]) -> list[dict[str, Any]]:
    """Return the ratio of the horizons of each two checkups that have one."""
    found = {}
    for subject, name in zip(subjects, names, strict=True):
        if part := subject.horizon:
            trials = horizon_trials(part.first, part.reading)
            # tasks of two seeds are others, though their ids are the same
            found[name] = replace(trials, tasks=tuple((subject.row["seed"], task) for task in trials.tasks))
    return [ratio_row(one, found[one], other, found[other]) for one, other in combinations(found, 2)]


def ratio_row(first: str, trials: Trials, second: str, others: Trials) -> dict[str, Any]:
    """Return the ratio of the horizons of two models, with a sentence on it."""
    told = horizon_ratio(trials, others, independent=not {*trials.tasks} & {*others.tasks})
    ratio = told.ratio
    row = {"first": first, "second": second, "verdict": told.verdict, "probability": told.probability}
    row |= {"estimate": ratio.estimate, "low": ratio.low, "high": ratio.high}
    return {**row, "words": _words(row)}


def _words(told: Mapping[str, Any]) -> str:
    """Return the ratio of two horizons as a sentence."""
    one, other = told["first"], told["second"]
    if told["probability"] is None:
        return f"{one} against {other}: the ratio of their horizons is not determined."
    sure = f"{one} has the longer horizon with a probability of {told['probability']:.3f}"
    if told["estimate"] is None:
        return f"{sure} against {other}; there is no figure beyond the lengths of the tasks."
    low, high = ("open" if told[end] is None else f"{told[end]:.2f}" for end in ("low", "high"))
    return f"The horizon of {one} is {told['estimate']:.2f} times that of {other} ({low} to {high}); {sure}."
