"""Gathers the terms under which samples were asked, while the samples come in: the values of the columns that separate.

`run` and `score` say them with their figures, and do without the tidy table, which `apart` splits by the same columns.
Nothing here may import numpy.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from herobench.analysis.reading.contract import Reading
from herobench.analysis.samples.samples import Sample

UNKNOWN = "unknown"
"""The value of a column that a sample does not tell."""


class Terms:
    """The values of the separating columns, added up one sample at a time."""

    def __init__(self) -> None:
        self._values: dict[str, set[str]] = {}
        self._plurals: dict[str, str] = {}

    def add(self, sample: Sample, reading: Reading) -> None:
        """Add the values of one sample."""
        if not reading.separates:
            return
        self._plurals.update(reading.settings)
        # Terms belong to the task. Without the events, no reading spends time on what the plan did.
        facts = reading.facts({**sample, "events": None})
        for column in reading.separates:
            value = facts.get(column)
            self._values.setdefault(column, set()).add(UNKNOWN if value is None else str(value))

    @property
    def mixed(self) -> bool:
        """True if samples differ in a column that separates them."""
        return any(len(values) > 1 for values in self._values.values())

    def as_row(self) -> dict[str, list[str]]:
        """Return the values of each column as plain data."""
        return {column: sorted(values) for column, values in self._values.items()}

    def merge(self, row: Mapping[str, Iterable[str]], reading: Reading) -> None:
        """Add the values of other terms, as `as_row` gives them."""
        self._plurals.update(reading.settings)
        for column, values in row.items():
            self._values.setdefault(column, set()).update(values)

    @property
    def words(self) -> str:
        """The terms in words, such as `track: straight`; an empty text if the suite separates nothing."""
        return ", ".join(self._told(column, sorted(values)) for column, values in self._values.items())

    def _told(self, column: str, values: list[str]) -> str:
        if len(values) == 1:
            return f"{column.replace('_', ' ')}: {values[0]}"
        both = " and ".join(values)
        return f"{self._plurals.get(column, column)}: {both}, added up here; herobench analyze shows them apart"
