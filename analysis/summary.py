"""Scored rows added up: by bracket, over all, and as the paper's Table 1 has them.

Table 1's means and standard deviations are over the bracket averages, the deviations those of a population.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from statistics import fmean, pstdev
from typing import Any

Row = Mapping[str, Any]
_NO_BRACKET = "all"


def bracket_of(task_id: str) -> str:
    """The bracket of a task: what stands before the first slash of its id. Ids without any share one bracket."""
    bracket, slash, _ = task_id.partition("/")
    return bracket if slash and bracket else _NO_BRACKET


@dataclass(slots=True)
class Group:
    """Sums over some scored rows."""

    count: int = 0
    wins: int = 0
    score: float = 0.0
    progress: float = 0.0
    tokens: int = 0
    with_tokens: int = 0
    failures: Counter[str] = field(default_factory=Counter)

    def add(self, row: Row) -> None:
        """Take one row in."""
        self.count += 1
        self.wins += row["outcome"] == "win"
        self.score += row["score"]
        self.progress += row["progress_before_end"]
        if row["tokens"] is not None:
            self.tokens += row["tokens"]
            self.with_tokens += 1
        if row["failure"] is not None:
            self.failures[row["failure"]] += 1


class Tally:
    """Scored rows, added up one at a time."""

    def __init__(self, rows: Iterable[Row] = ()) -> None:
        self.overall = Group()
        self._brackets: dict[str, Group] = {}
        for row in rows:
            self.add(row)

    def add(self, row: Row) -> None:
        """Take one row in."""
        self.overall.add(row)
        self._brackets.setdefault(bracket_of(row["task_id"]), Group()).add(row)

    def brackets(self) -> list[tuple[str, Group]]:
        """The brackets that have rows, in order."""
        return sorted(self._brackets.items(), key=lambda pair: (len(pair[0]), pair[0]))

    def table1(self) -> dict[str, float | None]:
        """The row of Table 1 that these answers make; None where there is nothing to average, and no deviation
        over one bracket."""
        groups = [group for _, group in self.brackets()]
        scores = [group.score / group.count for group in groups]
        tokens = [group.tokens / group.with_tokens for group in groups if group.with_tokens]
        return {
            "success": fmean(100 * group.wins / group.count for group in groups) if groups else None,
            "score": fmean(scores) if scores else None,
            "score_sd": pstdev(scores) if len(scores) > 1 else None,
            "tokens": fmean(tokens) if tokens else None,
            "tokens_sd": pstdev(tokens) if len(tokens) > 1 else None,
        }
