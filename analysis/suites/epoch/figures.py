"""Success by level, the ways in which games ended, and the means of the figures, for the samples of one run or party.

The rate of one level is over its repeats, with Wilson's interval. ALL is the mean of the levels, each with the same
weight. Its interval is over the levels: they count as drawn from all possible ones, as tasks do in all of the analysis.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, get_args

from herobench.analysis.epochs import bounded_mean, clustered_mean, mean_of_means
from herobench.analysis.interval import Estimate
from herobench.analysis.rates import success_of, success_rate
from herobench.analysis.reading import order_of
from herobench.suites.epoch.tally import Stop

if TYPE_CHECKING:
    import pandas as pd

LEVEL = "level"
STOP = "stop_reason"
NO_STOP = "NONE"
"""The name for games that were not over when the replies ended."""
UNMEASURED: Stop = "API_FAILURE"
"""How a game ended whose model gave no reply."""
STOPS = (*get_args(Stop), NO_STOP)
METRICS = (
    "tool_call_validity_rate", "world_action_accuracy", "recovery_rate", "milestone_progress", "causal_efficiency"
)  # fmt: skip
"""The metrics whose best value is about 1. The radar shows them beside the success."""
TOLLS = ("seconds", "input_tokens", "output_tokens", "reasoning_tokens")


def success_by_level(samples: pd.DataFrame) -> dict[str, Estimate]:
    """Return the success at each level, the levels in their order."""
    levels = sorted(map(str, samples[LEVEL].unique()), key=order_of)
    return {level: _success_at(samples[samples[LEVEL] == level]) for level in levels}


def _success_at(samples: pd.DataFrame) -> Estimate:
    """Return the success at one level, or at levels of about one length."""
    # repeats of one level are independent tries at it; only between several levels they are no new evidence
    rate = success_rate if samples.task_id.nunique() == 1 else success_of
    return rate(list(samples.task_id), _values(samples, "solved"))


def mean_of_levels(samples: pd.DataFrame) -> Estimate:
    """Return ALL: the mean of the levels that have a measured sample."""
    measured = samples[samples.measured]
    if not measured[LEVEL].duplicated().any():
        return success_rate(list(measured.task_id), _values(measured, "solved"))
    return mean_of_means(measured[LEVEL], _values(measured, "solved"))


def means(samples: pd.DataFrame) -> dict[str, Estimate]:
    """Return the success and the means of the metrics. A game in which a metric is not defined is left out of it."""
    tasks = list(samples.task_id)
    metrics = {name: bounded_mean(tasks, _values(samples, name)) for name in METRICS}
    return {"success": mean_of_levels(samples), **metrics}


def in_words(mean: Estimate) -> str:
    """Return a mean with its interval."""
    if mean.estimate is None:
        return ""
    interval = "" if mean.low is None or mean.high is None else f" ({mean.low:.2f} to {mean.high:.2f})"
    return f"{mean.estimate:.2f}{interval}"


def tolls(samples: pd.DataFrame) -> dict[str, Estimate]:
    """Return the mean time and tokens of a game."""
    return {name: clustered_mean(list(samples.task_id), _values(samples, name)) for name in TOLLS}


def _values(samples: pd.DataFrame, column: str) -> list[float | None]:
    """Return a column; None in a sample that was not measured, or that has no value."""
    known = samples[column].where(samples.measured)
    return [None if missing else float(value) for value, missing in zip(known, known.isna(), strict=True)]


def outcomes(samples: pd.DataFrame) -> dict[str, int]:
    """Return how many games ended in each way, in a fixed order, without the ways in which none did."""
    stops = samples[STOP].where(samples.measured, UNMEASURED).fillna(NO_STOP)
    return {stop: count for stop in STOPS if (count := int((stops == stop).sum()))}


def tables_of(samples: pd.DataFrame) -> dict[str, Any]:
    """Return all of it as plain data."""
    by_level = success_by_level(samples)
    games = {
        "by_level": [{LEVEL: level, **asdict(rate)} for level, rate in by_level.items()],
        "mean_of_levels": asdict(mean_of_levels(samples)),
        "outcomes": list(_outcome_rows(samples)),
        "metrics": {name: asdict(mean) for name, mean in means(samples).items()},
        "tolls": {name: asdict(mean) for name, mean in tolls(samples).items()},
    }
    return {"games": games}


def _outcome_rows(samples: pd.DataFrame) -> Iterator[dict[str, Any]]:
    """Yield the shares of the outcomes of each model."""
    for model, own in samples.groupby("model", sort=True):
        for stop, count in outcomes(own).items():
            yield {"model": str(model), "stop": stop, "games": count, "share": count / len(own)}
