"""What success costs: in tokens, in money, in actions.

Success and score per 10,000 tokens follow Table 1: they are averaged over brackets, not over samples. An unknown
amount is None, and no figure takes it for 0.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from math import fsum
from statistics import fmean, median

from herobench.analysis.epochs import Unmeasured, by_task, clustered_mean
from herobench.analysis.interval import Estimate

TOKENS = 10_000


@dataclass(frozen=True, slots=True)
class PerTokens:
    """A mean over brackets; None where no bracket has tokens that are known and not 0."""

    estimate: float | None
    brackets: int
    """How many were averaged."""


@dataclass(frozen=True, slots=True)
class PerSuccess:
    """A total by the wins that it bought; None without a win."""

    estimate: float | None
    total: float
    successes: int
    samples: int


@dataclass(frozen=True, slots=True)
class Efficiency:
    """Actions by those of the oracle: 1 is as short a plan as the oracle's, 2 twice as long."""

    mean: Estimate
    """Over wins, clustered by task."""
    median: float | None


def per_10k_tokens(
    brackets: Iterable[Hashable],
    values: Iterable[float | None],
    tokens: Iterable[float | None],
    unmeasured: Unmeasured = "left_out",
) -> PerTokens:
    """Success or score per 10,000 tokens: of each bracket the mean value by the mean of the known tokens.

    A bracket without tokens is left out. Unmeasured samples that are left out take their tokens with them.
    """
    rows = [row for row in zip(brackets, values, tokens, strict=True) if row[1] is not None or unmeasured == "lost"]
    spent = by_task((bracket for bracket, _, _ in rows), (count for _, _, count in rows))
    means = {bracket: fmean(counts) for bracket, counts in spent.items()}
    gained = by_task((bracket for bracket, _, _ in rows), (value for _, value, _ in rows), "lost")
    ratios = [TOKENS * fmean(gained[bracket]) / mean for bracket, mean in means.items() if mean]
    return PerTokens(fmean(ratios) if ratios else None, len(ratios))


def per_success(successes: Iterable[float | None], amounts: Iterable[float | None]) -> PerSuccess:
    """Tokens or money by wins. What an unmeasured sample took is in the total: it was spent.

    A sample whose amount is unknown is left out, also if it won: else unknown amounts would make wins look cheap.
    """
    rows = [(success, amount) for success, amount in zip(successes, amounts, strict=True) if amount is not None]
    total, wins = fsum(amount for _, amount in rows), sum(bool(success) for success, _ in rows)
    return PerSuccess(total / wins if wins else None, total, wins, len(rows))


def efficiency(
    tasks: Iterable[Hashable],
    successes: Iterable[float | None],
    actions: Iterable[int | None],
    oracle_actions: Iterable[int | None],
) -> Efficiency:
    """How long won plans are, measured by the oracle's, over the wins for which both counts are known.

    Only wins count, so a model that wins nothing but the easy tasks can look efficient: read it beside its success.
    """
    ratios = [
        (task, taken / best)
        for task, won, taken, best in zip(tasks, successes, actions, oracle_actions, strict=True)
        if won and taken is not None and best
    ]
    values = [ratio for _, ratio in ratios]
    return Efficiency(clustered_mean((task for task, _ in ratios), values), median(values) if values else None)
