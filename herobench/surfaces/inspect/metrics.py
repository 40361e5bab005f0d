"""Our figures as metrics of a log: the horizon, and the decisions between mistakes, each with its 95 % interval.

They are those of `herobench analyze`; a log of a suite without such figures lacks them. With several epochs, Inspect
hands over the means of the values and the facts of the first epoch. What the samples do not support is not a number.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import nan
from typing import Any

from inspect_ai.scorer import Metric, SampleScore, metric

from herobench.analysis.reading.interval import Estimate
from herobench.analysis.statistics.horizon import count_trials, horizon_in
from herobench.analysis.statistics.mistakes import between_events, event_rate, with_end
from herobench.scorer import Result, Scorer
from herobench.suite.checked import suite_class

_FACTS = "herobench"
"""The name in the metadata of a score of the facts below."""


def score_facts(scorer: Scorer, result: Result) -> dict[str, Any]:
    """Return the metadata of a score that the metrics need: length, decisions and mistakes, where a suite has them."""
    columns = {"length": suite_class(scorer.suite).length_column}
    columns |= zip(("decisions", "mistakes"), scorer.mistake_columns or (), strict=False)
    facts: dict[str, Any] = {
        name: result.verdict.details.get(column) for name, column in columns.items() if column is not None
    }
    if facts.get("mistakes") is not None:
        counts = with_end(facts["decisions"], facts["mistakes"], arrived=result.verdict.progress == 100)
        facts |= zip(("decisions", "mistakes"), counts, strict=True)
    return {_FACTS: facts}


@metric  # type: ignore[untyped-decorator, unused-ignore]
def horizon() -> Metric:
    """Give the length of a task at which half of the tasks are won."""

    def compute(scores: list[SampleScore]) -> dict[str, float]:
        ids, (lengths,) = _facts(scores, "length")
        trials = count_trials(ids, lengths, [each.score.as_float() for each in scores])
        return _ends(horizon_in(trials).h50) if trials.tasks else {}

    return compute


@metric  # type: ignore[untyped-decorator, unused-ignore]
def between_mistakes() -> Metric:
    """Give the decisions between mistakes of a suite that judges each decision, such as journey."""

    def compute(scores: list[SampleScore]) -> dict[str, float]:
        ids, (decisions, mistakes) = _facts(scores, "decisions", "mistakes")
        judged = [row for row in zip(ids, mistakes, decisions, strict=True) if None not in row]
        return _ends(between_events(event_rate(*zip(*judged, strict=True)))) if judged else {}

    return compute


def _facts(scores: Sequence[SampleScore], *names: str) -> tuple[list[Any], list[list[Any]]]:
    """Return the ids of samples, and for each name the facts of their scores; None for one that is unknown."""
    facts = [(each.score.metadata or {}).get(_FACTS, {}) for each in scores]
    return [each.sample_id for each in scores], [[row.get(name) for row in facts] for name in names]


def _ends(figure: Estimate) -> dict[str, float]:
    ends = {"estimate": figure.estimate, "lower": figure.low, "upper": figure.high}
    return {name: nan if value is None else value for name, value in ends.items()}
