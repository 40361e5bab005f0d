"""Rates of success, and the chances of several tries.

pass@k is the chance that at least one of k tries at a task wins, pass^k that all of them do. Both are averaged over
the tasks with at least k samples. Each is a quotient of two whole numbers, so it is exact for any number of samples.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import replace
from functools import cache
from math import comb, sqrt

from herobench.analysis.epochs import Unmeasured, bounded_mean, by_task
from herobench.analysis.interval import Estimate, wilson


def success_rate(
    tasks: Iterable[Hashable], successes: Iterable[float | None], unmeasured: Unmeasured = "left_out"
) -> Estimate:
    """Return the share of samples that won, with Wilson's interval, which assumes that samples are independent.

    That is right for one epoch; `success_of` chooses. The standard error is sqrt(p (1 - p) / n),
    which is 0 where all won or all lost, while the interval is never empty.
    """
    counts = _counts(tasks, successes, unmeasured)
    count, wins = sum(n for n, _ in counts.values()), sum(c for _, c in counts.values())
    if not count:
        return Estimate()
    rate = wins / count
    return Estimate(rate, *wilson(wins, count), sqrt(rate * (1 - rate) / count), count, len(counts))


def success_of(
    tasks: Iterable[Hashable], successes: Iterable[float | None], unmeasured: Unmeasured = "left_out"
) -> Estimate:
    """Return the share of samples that won, with Wilson's interval if no task was tried twice.

    Otherwise the interval is `bounded_mean`'s, clustered by task, because repeats are no new evidence.
    """
    tried, wins = list(tasks), list(successes)
    by_repeats = bounded_mean if len(tried) > len(set(tried)) else success_rate
    return by_repeats(tried, wins, unmeasured)


def pass_at_k(
    tasks: Iterable[Hashable], successes: Iterable[float | None], k: int, unmeasured: Unmeasured = "left_out"
) -> Estimate:
    """Return the chance that of k tries at a task at least one wins: 1 - C(n - c, k) / C(n, k), averaged over tasks."""
    # one quotient of whole numbers: 1 less a quotient would lose digits where the chance is small
    return _over_tasks(
        _counts(tasks, successes, unmeasured), k, lambda n, c: (comb(n, k) - comb(n - c, k)) / comb(n, k)
    )


def pass_hat_k(
    tasks: Iterable[Hashable], successes: Iterable[float | None], k: int, unmeasured: Unmeasured = "left_out"
) -> Estimate:
    """Return the chance that k tries at a task all win, pass^k: C(c, k) / C(n, k), averaged over tasks."""
    return _over_tasks(_counts(tasks, successes, unmeasured), k, lambda n, c: comb(c, k) / comb(n, k))


def _over_tasks(counts: dict[Hashable, tuple[int, int]], k: int, chance: Callable[[int, int], float]) -> Estimate:
    """Return the mean chance over the tasks with enough samples."""
    if k < 1:
        raise ValueError(f"k must be 1 or more, and it is {k}")
    chance = cache(chance)
    used = {task: pair for task, pair in counts.items() if pair[0] >= k}
    mean = bounded_mean(used, (chance(n, c) for n, c in used.values()))
    return replace(mean, samples=sum(n for n, _ in used.values()))


def _counts(
    tasks: Iterable[Hashable], successes: Iterable[float | None], unmeasured: Unmeasured
) -> dict[Hashable, tuple[int, int]]:
    """Return for each task its number of samples and of wins."""
    groups = by_task(tasks, successes, unmeasured)
    odd = {value for group in groups.values() for value in group} - {0.0, 1.0}
    if odd:
        raise ValueError(f"a sample must win (1) or not (0), and {min(odd)} is neither")
    return {task: (len(group), group.count(1.0)) for task, group in groups.items()}
