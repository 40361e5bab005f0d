"""Adds up scored rows by group, shard by shard, for the summary that `herobench score` prints."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from herobench.analysis.reading.checked import first_cause, reading_of
from herobench.analysis.statistics.tally import SampleTally, Terms
from herobench.cluster.shard import Written


class SampleFacts:
    """Adds up samples, or scored rows of a suite, by group, and notes the terms of their tasks."""

    def __init__(self, suite: str) -> None:
        self.tally, self.terms = SampleTally(), Terms()
        self.measured = self.changed = 0
        self._reading = reading_of(suite)

    def add(self, row: Mapping[str, Any], *, changed: bool = False) -> None:
        """Take in a row. `changed` says that it has another verdict or score than before."""
        sample = row if "details" in row else self._reading.adopted(row, "", "")
        self.changed += changed
        if sample is None or sample["status"] != "ok":
            return
        self.measured += 1
        if self._reading.counts(sample):
            self.tally.add(sample, first_cause(sample))
            self.terms.add(sample, self._reading)

    def as_row(self) -> dict[str, Any]:
        """Return the facts as plain data."""
        sums = {"measured": self.measured, "changed": self.changed}
        return {"tally": self.tally.as_row(), "terms": self.terms.as_row(), **sums}

    @classmethod
    def of(cls, suite: str, written: Iterable[Written]) -> SampleFacts:
        """Return the facts of all shards together."""
        whole = cls(suite)
        for one in written:
            whole.tally.merge(one.facts["tally"])
            whole.terms.merge(one.facts["terms"], whole._reading)
            whole.measured += one.facts["measured"]
            whole.changed += one.facts["changed"]
        return whole
