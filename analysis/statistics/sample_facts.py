"""Adds up scored rows or samples by group, in pieces that can be merged, for the summary of `herobench score`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from herobench.analysis.reading.checked import first_cause, reading_of
from herobench.analysis.statistics.tally import SampleTally, Terms
from herobench.work.rows import Row, RowFacts


class SampleFacts(RowFacts):
    """Adds up samples, or scored rows of a suite, by group, and notes the terms of their tasks."""

    def __init__(self, suite: str) -> None:
        self.tally, self.terms = SampleTally(), Terms()
        self.measured = self.changed = 0
        self._reading = reading_of(suite)

    def add(self, given: Row, made: Row) -> None:
        """Take in a row. A sample has changed if it has another verdict or score than the one that was given."""
        sample = made if "details" in made else self._reading.adopted(made, "", "")
        if sample is made:
            self.changed += (given["won"], given["score"]) != (made["won"], made["score"])
        if sample is None or sample["status"] != "ok":
            return
        self.measured += 1
        if self._reading.counts(sample):
            self.tally.add(sample, first_cause(sample))
            self.terms.add(sample, self._reading)

    def as_row(self) -> Mapping[str, Any]:
        """Return the facts as plain data."""
        sums = {"measured": self.measured, "changed": self.changed}
        return {"tally": self.tally.as_row(), "terms": self.terms.as_row(), **sums}

    def merge(self, facts: Mapping[str, Any]) -> None:
        """Add the facts of other rows."""
        self.tally.merge(facts["tally"])
        self.terms.merge(facts["terms"], self._reading)
        self.measured += facts["measured"]
        self.changed += facts["changed"]
