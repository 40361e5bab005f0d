"""Sums over samples while they come in: by group, over all, and as the paper's Table 1 has them.

`score` and `run` print them at their end, without the tidy table. Means and standard deviations of Table 1 are over the
averages of the groups, the deviations those of a population.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from statistics import fmean, pstdev
from typing import Any

from herobench.analysis.reading.contract import order_of
from herobench.analysis.samples.samples import Sample, group_of


@dataclass(slots=True)
class GroupSum:
    """Sums over the measured samples of a group."""

    count: int = 0
    wins: int = 0
    score: float = 0.0
    progress: float = 0.0
    with_progress: int = 0
    tokens: int = 0
    with_tokens: int = 0
    failures: Counter[str] = field(default_factory=Counter)
    causes: Counter[str] = field(default_factory=Counter)

    def add(self, sample: Sample, cause: str | None = None) -> None:
        """Add one sample, with the first cause of its loss if it is known."""
        self.count += 1
        self.wins += sample["won"]
        self.score += sample["score"]
        if sample["progress"] is not None:
            self.progress += sample["progress"]
            self.with_progress += 1
        if sample["output_tokens"] is not None:
            self.tokens += sample["output_tokens"]
            self.with_tokens += 1
        if sample["failure"] is not None:
            self.failures[sample["failure"]] += 1
        if cause is not None:
            self.causes[cause] += 1

    def as_row(self) -> dict[str, Any]:
        """Return the sums as plain data."""
        sums = {each.name: getattr(self, each.name) for each in fields(self)}
        return {name: dict(value) if isinstance(value, Counter) else value for name, value in sums.items()}

    def merge(self, row: Mapping[str, Any]) -> None:
        """Add the sums of another group, as `as_row` gives them."""
        for name, value in row.items():
            if isinstance(value, Mapping):
                getattr(self, name).update(value)
            else:
                setattr(self, name, getattr(self, name) + value)


class SampleTally:
    """Measured samples, added up one at a time. Callers leave out those that do not count in the main figures."""

    def __init__(self, samples: Iterable[Sample] = ()) -> None:
        self.overall = GroupSum()
        self._groups: dict[str, GroupSum] = {}
        for sample in samples:
            self.add(sample)

    def add(self, sample: Sample, cause: str | None = None) -> None:
        """Add one sample, with the first cause of its loss if it is known."""
        self.overall.add(sample, cause)
        self._groups.setdefault(group_of(sample), GroupSum()).add(sample, cause)

    def as_row(self) -> dict[str, Any]:
        """Return the sums of each group as plain data."""
        return {name: group.as_row() for name, group in self.groups()}

    def merge(self, row: Mapping[str, Any]) -> None:
        """Add the sums of another tally, as `as_row` gives them."""
        for name, group in row.items():
            self.overall.merge(group)
            self._groups.setdefault(name, GroupSum()).merge(group)

    def groups(self) -> list[tuple[str, GroupSum]]:
        """Return the groups that have samples, in order."""
        return sorted(self._groups.items(), key=lambda pair: order_of(pair[0]))

    def table1(self) -> dict[str, float | None]:
        """Return the row of Table 1: None if there is nothing to average, and no deviation over one group."""
        groups = [group for _, group in self.groups()]
        scores = [group.score / group.count for group in groups]
        tokens = [group.tokens / group.with_tokens for group in groups if group.with_tokens]
        return {
            "success": fmean(100 * group.wins / group.count for group in groups) if groups else None,
            "score": fmean(scores) if scores else None,
            "score_sd": pstdev(scores) if len(scores) > 1 else None,
            "tokens": fmean(tokens) if tokens else None,
            "tokens_sd": pstdev(tokens) if len(tokens) > 1 else None,
        }
