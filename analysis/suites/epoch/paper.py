"""The tables of the suite as Markdown: success by level, tolls, outcomes, metrics, and the ablations.

An ablation plays the same levels under different settings, such as turn by turn (mode tools) and by one plan (mode
plan). Its table has the settings side by side for each model, and the difference to the first one, level by level.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from herobench.analysis.plots.typeset import markdown
from herobench.analysis.reading.contract import order_of
from herobench.analysis.reading.interval import Estimate
from herobench.analysis.statistics.paired import compare
from herobench.analysis.suites.epoch.figures import (
    NO_STOP,
    STOPS,
    Party,
    mean_of_levels,
    means,
    outcomes,
    parties_of,
    success_by_level,
    tolls,
)

if TYPE_CHECKING:
    import pandas as pd

_PERCENT = 100
_ALL = "ALL"
Row = tuple[str, ...]


def epoch_tables(samples: pd.DataFrame) -> str:
    """Return all tables as Markdown."""
    parties = list(parties_of(samples))
    ranked = sorted(parties, key=lambda party: -(mean_of_levels(party.samples).estimate or 0.0))
    tables = [_levels(ranked), _tolls(ranked), _outcomes(ranked), _metrics(ranked), *_ablations(parties)]
    return "\n".join(tables)


def _levels(parties: Sequence[Party]) -> str:
    """Return the table of success; ALL is the mean of the levels."""
    rates = [success_by_level(party.samples) for party in parties]
    levels = _joined(rates)
    rows = (
        (party.name, *(_rate(by_level.get(level)) for level in levels), _rate(mean_of_levels(party.samples)))
        for party, by_level in zip(parties, rates, strict=True)
    )
    return markdown(("Model", *levels, _ALL), rows, "Success in percent, with 95 % intervals; ALL: mean of the levels")


def _tolls(parties: Sequence[Party]) -> str:
    headers = ("Model", "Games", "Time (s)", "Tokens in", "Tokens out", "Reasoning")
    rows = ((party.name, str(len(party.samples)), *map(_amount, tolls(party.samples).values())) for party in parties)
    return markdown(headers, rows, "Mean time and tokens of a game")


def _outcomes(parties: Sequence[Party]) -> str:
    """Return the table of outcome shares: the fingerprint of each model."""
    counts = [outcomes(party.samples) for party in parties]
    stops = [stop for stop in STOPS if any(stop in own for own in counts)]
    rows = (
        (party.name, *(f"{_PERCENT * own.get(stop, 0) / len(party.samples):.1f}" for stop in stops), _tokens(party))
        for party, own in zip(parties, counts, strict=True)
    )
    headers = ("not over" if stop == NO_STOP else stop for stop in stops)
    return markdown(("Model", *headers, "Tokens"), rows, "How games ended, in percent, and mean tokens in and out")


def _tokens(party: Party) -> str:
    means_of = tolls(party.samples)
    sent, received = means_of["input_tokens"].estimate, means_of["output_tokens"].estimate
    return "" if sent is None or received is None else f"{sent + received:,.0f}"


def _metrics(parties: Sequence[Party]) -> str:
    found = [means(party.samples) for party in parties]
    headers = (name.replace("_", " ") for name in found[0])
    rows = ((party.name, *map(_share, own.values())) for party, own in zip(parties, found, strict=True))
    return markdown(("Model", *headers), rows, "Means of the metrics, with 95 % intervals")


# -- the same levels under different settings --------------------------------------------------------------------------


def _ablations(parties: Sequence[Party]) -> Iterator[str]:
    """Yield a table for each model that has samples under several settings."""
    for model in dict.fromkeys(party.model for party in parties):
        own = [party for party in parties if party.model == model]
        if len(own) > 1:
            yield markdown(("Level", *(party.setting for party in own)), _side_by_side(own), _caption(model, own[0]))


def _caption(model: str, first: Party) -> str:
    return f"{model}: success in percent under different settings; below, the difference to {first.setting}"


def _side_by_side(parties: Sequence[Party]) -> Iterator[Row]:
    rates = [success_by_level(party.samples) for party in parties]
    for level in _joined(rates):
        yield level, *(_rate(by_level.get(level)) for by_level in rates)
    yield _ALL, *(_rate(mean_of_levels(party.samples)) for party in parties)
    first = parties[0]
    yield "Difference, on shared levels", "", *(_points(_difference(party, first)) for party in parties[1:])


def _difference(party: Party, first: Party) -> Estimate:
    """Return the success less that of the first party, paired by level."""
    (own_tasks, own), (first_tasks, of_first) = (_wins(one.samples) for one in (party, first))
    return compare(own_tasks, own, first_tasks, of_first, most=1.0).difference


def _wins(samples: pd.DataFrame) -> tuple[list[str], list[float]]:
    measured = samples[samples.measured]
    return list(measured.task_id), [float(won) for won in measured.win]


# -- words -------------------------------------------------------------------------------------------------------------


def _joined(rates: Sequence[dict[str, Estimate]]) -> list[str]:
    levels = {level for by_level in rates for level in by_level}
    return sorted(levels, key=order_of)


def _rate(rate: Estimate | None) -> str:
    return "" if rate is None else _told(rate, _PERCENT, 0)


def _share(mean: Estimate) -> str:
    return _told(mean, 1, 2)


def _points(difference: Estimate) -> str:
    if difference.estimate is None:
        return ""
    return f"{_PERCENT * difference.estimate:+.0f}{_interval(difference, _PERCENT, 0)}"


def _amount(mean: Estimate) -> str:
    return "" if mean.estimate is None else f"{mean.estimate:,.1f}"


def _told(found: Estimate, factor: float, digits: int) -> str:
    if found.estimate is None:
        return ""
    return f"{factor * found.estimate:.{digits}f}{_interval(found, factor, digits)}"


def _interval(found: Estimate, factor: float, digits: int) -> str:
    if found.low is None or found.high is None:
        return ""
    return f" ({factor * found.low:.{digits}f} to {factor * found.high:.{digits}f})"
