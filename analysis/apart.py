"""Splits samples into parts that are never ranked together, by the columns that a suite's reading declares for that.

Such a column says under which terms an attempt was made, for example which kinds of answers were allowed. One figure of
several of its values would mean nothing, so each part has a table of its own, under a title that names its values.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from herobench.analysis.frame import counted
from herobench.analysis.terms import UNKNOWN

if TYPE_CHECKING:
    import pandas as pd


class Part(NamedTuple):
    """The samples of some runs that may be ranked together."""

    values: Mapping[str, str]
    """The value of each separating column; none for a suite that has no such columns."""
    runs: Mapping[str, pd.DataFrame]
    """The samples that count in the main figures, by run."""
    whole: Mapping[str, pd.DataFrame]
    """All samples, by run."""

    @property
    def title(self) -> str:
        """The values in words, such as `track: straight`; an empty text if there are none."""
        return ", ".join(f"{column.replace('_', ' ')}: {value}" for column, value in self.values.items())


def parts_of(runs: Mapping[str, pd.DataFrame], columns: Sequence[str]) -> list[Part]:
    """Return the parts of some runs, in the order of their values.

    A run with samples of several parts is in each of them with those. A run without samples is in the last part.
    """
    found: dict[tuple[str, ...], dict[str, pd.DataFrame]] = {}
    for name, samples in runs.items():
        if len(samples):
            for values, own in _split(samples, columns):
                found.setdefault(values, {})[name] = own
    parts = [_part(dict(zip(columns, values, strict=True)), found[values]) for values in sorted(found)]
    empty = {name: samples for name, samples in runs.items() if not len(samples)}
    last = parts.pop() if parts else Part({}, {}, {})
    return [*parts, _part(last.values, {**last.whole, **empty})]


def _part(values: Mapping[str, str], runs: Mapping[str, pd.DataFrame]) -> Part:
    return Part(values, {name: counted(samples) for name, samples in runs.items()}, runs)


def _split(samples: pd.DataFrame, columns: Sequence[str]) -> list[tuple[tuple[str, ...], pd.DataFrame]]:
    """Return the samples of each combination of values."""
    if not columns:
        return [((), samples)]
    known = samples[list(columns)].astype("object")
    told = known.where(known.notna(), UNKNOWN).astype(str)
    parts = [(values, rows.index) for values, rows in told.groupby(list(columns))]
    return [(values, samples if len(parts) == 1 else samples.loc[index]) for values, index in parts]
