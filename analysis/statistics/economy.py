"""The cost of success: in tokens, in money, in actions.

Success and score per 10,000 tokens follow the paper's Table 1: they are averaged over groups, not over samples. An
unknown amount is None, and no figure takes it for 0.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from math import fsum
from statistics import fmean, median

from herobench.analysis.reading.interval import Estimate
from herobench.analysis.statistics.rates import Unmeasured, by_task, clustered_mean

TOKENS = 10_000


@dataclass(frozen=True, slots=True)
class PerTokens:
    """A mean over groups; None if no group has tokens that are known and not 0."""

    estimate: float | None
    groups: int
    """The number of groups that were averaged."""


@dataclass(frozen=True, slots=True)
class PerSuccess:
    """A total divided by the number of wins; None without a win."""

    estimate: float | None
    total: float
    successes: int
    samples: int


@dataclass(frozen=True, slots=True)
class Efficiency:
    """Actions divided by those of another plan, such as the oracle's: 2 is twice as long."""

    mean: Estimate
    """Over wins, clustered by task."""
    median: float | None


def per_10k_tokens(
    groups: Iterable[Hashable],
    values: Iterable[float | None],
    tokens: Iterable[float | None],
    unmeasured: Unmeasured = "left_out",
) -> PerTokens:
    """Return success or score per 10,000 tokens: the mean over groups of mean value by mean of the known tokens.

    A group without tokens is left out. Unmeasured samples that are left out take their tokens with them.
    """
    rows = [row for row in zip(groups, values, tokens, strict=True) if row[1] is not None or unmeasured == "lost"]
    spent = by_task((group for group, _, _ in rows), (count for _, _, count in rows))
    means = {group: fmean(counts) for group, counts in spent.items()}
    gained = by_task((group for group, _, _ in rows), (value for _, value, _ in rows), "lost")
    ratios = [TOKENS * fmean(gained[group]) / mean for group, mean in means.items() if mean]
    return PerTokens(fmean(ratios) if ratios else None, len(ratios))


def per_success(successes: Iterable[float | None], amounts: Iterable[float | None]) -> PerSuccess:
    """Return tokens or money per win. The total includes unmeasured samples, because they were paid for.

    A sample whose amount is unknown is left out, also if it won: else unknown amounts would make wins look cheap.
    """
    rows = [(success, amount) for success, amount in zip(successes, amounts, strict=True) if amount is not None]
    total, wins = fsum(amount for _, amount in rows), sum(bool(success) for success, _ in rows)
    return PerSuccess(total / wins if wins else None, total, wins, len(rows))


def efficiency(
    tasks: Iterable[Hashable],
    successes: Iterable[float | None],
    actions: Iterable[int | None],
    others: Iterable[int | None],
) -> Efficiency:
    """Return the length of won attempts by that of the other plan, over the wins for which both counts are known.

    Only wins count, so a model that wins only easy tasks can look efficient: read it beside its success.
    """
    ratios = [
        (task, taken / best)
        for task, won, taken, best in zip(tasks, successes, actions, others, strict=True)
        if won and taken is not None and best
    ]
    values = [ratio for _, ratio in ratios]
    return Efficiency(clustered_mean((task for task, _ in ratios), values), median(values) if values else None)
