"""Means of scores and of figures of exploration, by family, category and chance, for the samples of one run.

A mean is over environments, each with the same weight. They count as drawn from all possible ones, so intervals are
over environments. The baseline is the 80th percentile of the attempts at each challenge, as published for
people.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from math import ceil, inf
from typing import TYPE_CHECKING, Any

from herobench.analysis.reading.interval import Estimate
from herobench.analysis.statistics.rates import by_task, mean_of_means
from herobench.suites.autumn.episode.challenge import CATEGORIES

if TYPE_CHECKING:
    import pandas as pd

ENVIRONMENT = "environment"
SCORE = "task_score"
SPLITS = ("family", "category", "chance", ENVIRONMENT)
EXPLORATION = (
    "interaction_steps", "distinct_actions", "click_share", "arrow_share", "noop_share", "reset_share", "resets",
    "perplexity_auc", "perplexity_last", "perplexity_share_auc", "perplexity_share_last",
)  # fmt: skip
_RANGES: Mapping[str, tuple[float, float]] = {
    "reference_reward": (-1.0, 1.0),
    **dict.fromkeys(("interaction_steps", "distinct_actions", "resets"), (0.0, inf)),
}
"""What figures can be that are not from 0 to 1."""
_SHARE_OF_BASELINE = 0.8


def mean_of(samples: pd.DataFrame, column: str = SCORE) -> Estimate:
    """Return the mean over environments of their means. Samples without a value are left out."""
    least, most = _RANGES.get(column, (0.0, 1.0))
    return mean_of_means(samples[ENVIRONMENT], _values(samples, column), least=least, most=most)


def by_category(samples: pd.DataFrame) -> dict[str, Estimate]:
    """Return the mean score in each category that was played, in the order of the paper."""
    parts = {category: samples[samples.category == category] for category in CATEGORIES}
    return {category: mean_of(part) for category, part in parts.items() if len(part)}


def baseline_of(samples: pd.DataFrame) -> Estimate:
    """Return the mean of the 80th percentiles of the scores, one of each challenge."""
    scores = by_task(samples.task_id, _values(samples, SCORE))
    environments = dict(zip(samples.task_id, samples[ENVIRONMENT], strict=True))
    best = map(_percentile, scores.values())
    return mean_of_means((environments[task] for task in scores), best)


def _percentile(scores: list[float]) -> float:
    """Return the least score that 80 % of the scores do not exceed."""
    return sorted(scores)[ceil(_SHARE_OF_BASELINE * len(scores)) - 1]


def _values(samples: pd.DataFrame, column: str) -> list[float | None]:
    known = samples[column].where(samples.measured)
    return [None if missing else float(value) for value, missing in zip(known, known.isna(), strict=True)]


def tables_of(samples: pd.DataFrame) -> dict[str, Any]:
    """Return all of it as plain data."""
    return {
        "scores": {f"by_{split}": list(_rows_by(samples, split)) for split in SPLITS}
        | {"all": asdict(mean_of(samples))},
        "baseline": {"percentile": 80, **asdict(baseline_of(samples))},
        "exploration": {name: asdict(mean_of(samples, name)) for name in EXPLORATION},
    }


def _rows_by(samples: pd.DataFrame, split: str) -> Iterator[dict[str, Any]]:
    for value, part in samples.groupby(split, sort=True):
        rewards = mean_of(part, "reference_reward")
        yield {split: str(value), **asdict(mean_of(part)), "reference_reward": rewards.estimate}


def number(mean: Estimate) -> str:
    """Return a mean; empty where there is none."""
    return "" if mean.estimate is None else f"{mean.estimate:.2f}"


def in_words(mean: Estimate) -> str:
    """Return a mean with its interval."""
    interval = "" if mean.low is None or mean.high is None else f" ({mean.low:.2f} to {mean.high:.2f})"
    return f"{number(mean)}{interval}"
