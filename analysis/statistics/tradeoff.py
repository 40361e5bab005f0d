"""Success against spending: where each run stands, and the runs that no other run beats in both.

Runs are compared by what an attempt costs on average. If the cost is known of fewer runs than the tokens are, the
tokens of an attempt stand in its place, because a run without a price must not be left out or look free.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import fmean
from typing import Any, Literal

Unit = Literal["cost", "tokens"]


@dataclass(frozen=True, slots=True)
class Spending:
    """The success of a run, and the means of cost and tokens of an attempt; None for what is not known."""

    success: float | None
    cost: float | None
    tokens: float | None


@dataclass(frozen=True, slots=True)
class Tradeoff:
    """The runs whose success and spending are known, in one unit."""

    unit: Unit
    points: Mapping[str, tuple[float, float]]
    """Spending and success by run."""

    @property
    def frontier(self) -> list[str]:
        """The Pareto line: the runs, cheapest first, than which no run is both as cheap and better, or as good and
        cheaper."""
        return sorted((name for name in self.points if not self._is_beaten(name)), key=self.points.__getitem__)

    def as_row(self, numbers: Mapping[str, int]) -> dict[str, Any]:
        """Return it as a page draws it, with the numbers of the runs in place of their names."""
        return {
            "unit": self.unit,
            "points": [[numbers[name], spent] for name, (spent, _) in self.points.items()],
            "frontier": [numbers[name] for name in self.frontier],
        }

    def _is_beaten(self, name: str) -> bool:
        spent, success = own = self.points[name]
        return any(other != own and other[0] <= spent and other[1] >= success for other in self.points.values())


def tradeoff_of(runs: Mapping[str, Spending]) -> Tradeoff | None:
    """Return where runs stand; None if fewer than two can be compared."""
    scored = {name: (run, run.success) for name, run in runs.items() if run.success is not None}
    by_cost = {name: (run.cost, rate) for name, (run, rate) in scored.items() if run.cost is not None}
    by_tokens = {name: (run.tokens, rate) for name, (run, rate) in scored.items() if run.tokens is not None}
    found = Tradeoff("tokens", by_tokens) if len(by_tokens) > len(by_cost) else Tradeoff("cost", by_cost)
    return found if len(found.points) > 1 else None


def mean_known(amounts: Iterable[float | None]) -> float | None:
    """Return the mean of the known amounts, also of attempts that were not scored, because they were paid for."""
    known = [amount for amount in amounts if amount is not None]
    return fmean(known) if known else None
