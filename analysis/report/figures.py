"""The figures of a run: what its headline, its charts and its heat map show.

Success has two readings where attempts got no reply: of those that were measured (nothing is known of the others), and
of all (as if each of the others had been lost). Both are given, the first with the charts. An interval is Wilson's, and
takes attempts for independent: several epochs of one task make it look surer than it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from herobench.analysis.interval import wilson
from herobench.analysis.report.run import Row, bracket_of, measured
from herobench.analysis.summary import Group

MOST_BINS = 6
LEAST_IN_A_BIN = 10


@dataclass(slots=True)
class Counted:
    """Sums over some attempts, those without a reply counted apart."""

    group: Group = field(default_factory=Group)
    failures: Counter[str] = field(default_factory=Counter)
    unmeasured: int = 0

    def add(self, row: Row, failure: str | None) -> None:
        """Take one attempt in."""
        if not measured(row):
            self.unmeasured += 1
            return
        self.group.add(row)
        if failure is not None:
            self.failures[failure] += 1

    def as_row(self) -> dict[str, Any]:
        """The counts, and the success of what was measured."""
        return {
            "unmeasured": self.unmeasured,
            "failures": dict(sorted(self.failures.items())),
            **rate(self.group.wins, self.group.count),
        }


class Figures:
    """The figures of a run, added up one row at a time."""

    def __init__(self) -> None:
        self._overall = Counted()
        self._brackets: dict[str, Counted] = {}
        self._tokens: list[tuple[int, bool]] = []
        self._cost: list[float] = []
        self._models: set[str] = set()

    def add(self, row: Row, failure: str | None) -> None:
        """Take one row in, with the failure that it is shown under."""
        bracket = self._brackets.setdefault(bracket_of(row["task_id"]), Counted())
        for counted in (self._overall, bracket):
            counted.add(row, failure)
        if row.get("cost") is not None:
            self._cost.append(row["cost"])
        if row.get("model"):
            self._models.add(row["model"])
        if measured(row) and row.get("tokens") is not None:
            self._tokens.append((row["tokens"], row["outcome"] == "win"))

    def as_row(self) -> dict[str, Any]:
        """All of it, as the page takes it."""
        group, attempts = self._overall.group, self._overall.group.count + self._overall.unmeasured
        return {
            **self._overall.as_row(),
            "attempts": attempts,
            "of_all": rate(group.wins, attempts),
            "score": group.score / group.count if group.count else None,
            "score_of_all": group.score / attempts if attempts else None,
            "progress": group.progress / group.count if group.count else None,
            "tokens": group.tokens / group.with_tokens if group.with_tokens else None,
            "cost": sum(self._cost) if self._cost else None,
            "with_cost": len(self._cost),
            "models": sorted(self._models),
            "brackets": [[name, counted.as_row()] for name, counted in self._in_order()],
            "token_bins": token_bins(self._tokens),
        }

    def _in_order(self) -> list[tuple[str, Counted]]:
        return sorted(self._brackets.items(), key=lambda pair: (len(pair[0]), pair[0]))


def rate(wins: int, count: int) -> dict[str, Any]:
    """A rate of success with its interval; null where nothing was counted."""
    low, high = wilson(wins, count)
    return {"wins": wins, "count": count, "rate": wins / count if count else None, "low": low, "high": high}


def token_bins(pairs: Sequence[tuple[int, bool]]) -> list[dict[str, Any]]:
    """Attempts in groups of about the same size, from those with the fewest tokens to those with the most."""
    ordered = sorted(pairs)
    if not ordered:
        return []
    bins = max(1, min(MOST_BINS, len(ordered) // LEAST_IN_A_BIN))
    edges = [len(ordered) * number // bins for number in range(bins + 1)]
    return [_token_bin(ordered[start:end]) for start, end in pairwise(edges)]


def _token_bin(pairs: Sequence[tuple[int, bool]]) -> dict[str, Any]:
    median = pairs[len(pairs) // 2][0]
    return {"least": pairs[0][0], "median": median, "most": pairs[-1][0], **rate(sum(p[1] for p in pairs), len(pairs))}
