"""The figures of a run: what its headline, its charts and its heat map show.

Success has two readings where attempts got no reply: of those that were measured (nothing is known of the others), and
of all (as if each of the others had been lost). Both are given, the first with the charts. The intervals are those of
`analyze`: Wilson's where each task was tried once, clustered by task where some were repeated.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import fmean
from typing import Any

from herobench.analysis.causes.cause import Found
from herobench.analysis.epochs import Unmeasured, clustered_mean
from herobench.analysis.rates import success_of
from herobench.analysis.report.run import Row, measured
from herobench.analysis.summary import bracket_of

MOST_BINS = 6
LEAST_IN_A_BIN = 10


@dataclass(slots=True)
class Counted:
    """Some attempts: which tasks, which of them won, and what the lost ones failed of."""

    tasks: list[str] = field(default_factory=list)
    wins: list[float | None] = field(default_factory=list)
    """1 or 0, None for an attempt without a reply."""
    failures: Counter[str] = field(default_factory=Counter)
    """By the paper's buckets."""
    causes: Counter[str] = field(default_factory=Counter)

    def add(self, row: Row, found: Found | None) -> None:
        """Take one attempt in."""
        self.tasks.append(row["task_id"])
        self.wins.append(float(row["outcome"] == "win") if measured(row) else None)
        if measured(row) and row.get("failure") is not None:
            self.failures[str(row["failure"])] += 1
        if found:
            self.causes[found.cause] += 1

    def as_row(self) -> dict[str, Any]:
        """The counts, and the success of what was measured."""
        return {
            "unmeasured": self.wins.count(None),
            "failures": dict(sorted(self.failures.items())),
            "causes": dict(sorted(self.causes.items())),
            **rate(self.tasks, self.wins),
        }


class Figures:
    """The figures of a run, added up one row at a time."""

    def __init__(self) -> None:
        self.rules: Counter[str | None] = Counter()
        """By which rules rows say that they were played; None for measured rows that do not say."""
        self.worlds: Counter[str | None] = Counter()
        """The same of the digests of worlds."""
        self._overall = Counted()
        self._brackets: dict[str, Counted] = {}
        self._columns: dict[str, list[float | None]] = {"score": [], "progress_before_end": []}
        self._by_tokens: list[tuple[int, float, str]] = []
        self._cost: list[float] = []
        self._models: set[str] = set()

    @property
    def causes(self) -> set[str]:
        """What the lost attempts failed of."""
        return set(self._overall.causes)

    @property
    def attempts(self) -> int:
        """All rows."""
        return len(self._overall.wins)

    @property
    def unmeasured(self) -> int:
        """Rows without a reply."""
        return self._overall.wins.count(None)

    def add(self, row: Row, found: Found | None) -> None:
        """Take one row in, with the cause of its loss."""
        bracket = self._brackets.setdefault(bracket_of(row["task_id"]), Counted())
        for counted in (self._overall, bracket):
            counted.add(row, found)
        for name, values in self._columns.items():
            values.append(row.get(name) if measured(row) else None)
        for seen, name in ((self.rules, "rules"), (self.worlds, "world")):
            if measured(row) or row.get(name) is not None:
                seen[row.get(name)] += 1
        if row.get("cost") is not None:
            self._cost.append(row["cost"])
        if row.get("model"):
            self._models.add(row["model"])
        if measured(row) and row.get("tokens") is not None:
            self._by_tokens.append((row["tokens"], float(row["outcome"] == "win"), row["task_id"]))

    def as_row(self) -> dict[str, Any]:
        """All of it, as the page takes it."""
        tasks, tokens = self._overall.tasks, [tokens for tokens, _, _ in self._by_tokens]
        return {
            **self._overall.as_row(),
            "attempts": self.attempts,
            "repeats": len(set(tasks)) < len(tasks),
            "of_all": rate(tasks, self._overall.wins, "lost"),
            "score": mean(tasks, self._columns["score"]),
            "score_of_all": mean(tasks, self._columns["score"], "lost"),
            "progress": mean(tasks, self._columns["progress_before_end"]),
            "tokens": fmean(tokens) if tokens else None,
            "cost": sum(self._cost) if self._cost else None,
            "with_cost": len(self._cost),
            "models": sorted(self._models),
            "brackets": [[name, counted.as_row()] for name, counted in self._in_order()],
            "token_bins": token_bins(self._by_tokens),
        }

    def _in_order(self) -> list[tuple[str, Counted]]:
        return sorted(self._brackets.items(), key=lambda pair: (len(pair[0]), pair[0]))


def rate(tasks: Sequence[str], wins: Sequence[float | None], unmeasured: Unmeasured = "left_out") -> dict[str, Any]:
    """A rate of success with its interval; null where nothing was counted, or where one task has no interval."""
    found = success_of(tasks, wins, unmeasured)
    return {
        "wins": sum(win == 1 for win in wins),
        "count": found.samples,
        "rate": found.estimate,
        "low": found.low,
        "high": found.high,
    }


def mean(tasks: Sequence[str], values: Sequence[float | None], unmeasured: Unmeasured = "left_out") -> dict[str, Any]:
    """A mean with its interval, null likewise."""
    found = clustered_mean(tasks, values, unmeasured)
    return {"mean": found.estimate, "low": found.low, "high": found.high}


def token_bins(rows: Sequence[tuple[int, float, str]]) -> list[dict[str, Any]]:
    """Attempts (tokens, win, task) in groups of about one size, from the fewest tokens to the most."""
    ordered = sorted(rows)
    if not ordered:
        return []
    bins = max(1, min(MOST_BINS, len(ordered) // LEAST_IN_A_BIN))
    edges = [len(ordered) * number // bins for number in range(bins + 1)]
    return [_token_bin(ordered[start:end]) for start, end in pairwise(edges)]


def _token_bin(rows: Sequence[tuple[int, float, str]]) -> dict[str, Any]:
    tokens, wins, tasks = zip(*rows, strict=True)
    return {"least": tokens[0], "median": tokens[len(tokens) // 2], "most": tokens[-1], **rate(tasks, wins)}
