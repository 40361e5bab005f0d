"""The normalized perplexity of actions in a sliding window: high for random actions, low for focused ones.

In a window with K distinct actions and entropy H, PP is e to the power of H. `excess` is (PP - 1) / (K - 1), or 0 if
K is 1. `share` is PP / K; it is 1 also for a player that repeats one action. The formula is not published; the first of
the two agrees with what is said about it. Windows that are not full yet are left out.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Hashable, Iterable, Iterator, Sequence
from math import exp, log
from typing import Literal

Kind = Literal["excess", "share"]


def curve(actions: Iterable[Hashable], window: int, kind: Kind = "excess") -> Iterator[float]:
    """Yield the value of each full window."""
    counts: Counter[Hashable] = Counter()
    latest: deque[Hashable] = deque()
    total = 0.0  # of c ln c over the counts: one action changes two of them
    for action in actions:
        total += _change(counts, action, 1)
        latest.append(action)
        if len(latest) > window:
            gone = latest.popleft()
            total += _change(counts, gone, -1)
            if not counts[gone]:
                del counts[gone]
        if len(latest) == window:
            yield _normalized(exp(log(window) - total / window), len(counts), kind)


def _change(counts: Counter[Hashable], action: Hashable, by: int) -> float:
    before = counts[action]
    after = counts[action] = before + by
    return _c_ln_c(after) - _c_ln_c(before)


def _c_ln_c(count: int) -> float:
    return count * log(count) if count > 1 else 0.0


def _normalized(perplexity: float, distinct: int, kind: Kind) -> float:
    if kind == "share":
        return min(1.0, perplexity / distinct)
    return min(1.0, max(0.0, (perplexity - 1) / (distinct - 1))) if distinct > 1 else 0.0


def area(values: Sequence[float]) -> float | None:
    """Return the area under a curve whose positions go from 0 to 1; None without a value."""
    if len(values) < 2:
        return values[0] if values else None
    return (sum(values) - (values[0] + values[-1]) / 2) / (len(values) - 1)
