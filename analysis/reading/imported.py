"""The reading of attempts that were imported from logs of other tools. Their suite names the unit of their lengths."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from herobench.analysis.reading.contract import Reading
from herobench.data.columns import AMOUNT, Column, optional
from herobench.data.imported import SUITE

if TYPE_CHECKING:
    from herobench.analysis.samples.samples import Sample


class ImportedReading(Reading):
    """The reading of `imported`, or of `imported-UNIT`."""

    columns = (Column("length", optional(AMOUNT), "The length of the task, in the unit that the suite names."),)

    def __init__(self, unit: str) -> None:
        if unit:
            self.length, self.words, self.listed = "length", {"length": unit}, {"length": unit.capitalize()}

    def facts(self, sample: Sample) -> Mapping[str, Any]:
        """Return the length of the task."""
        return {"length": sample["details"]["length"]}


def plain_reading(suite: str) -> Reading:
    """Return the reading of a suite that no package has: that of imported attempts, or one that says nothing."""
    name, _, unit = suite.partition("-")
    return ImportedReading(unit.replace("-", " ")) if name == SUITE else Reading()
