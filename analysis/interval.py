"""How sure an estimate is.

The formulas are scipy's. It is loaded when the first interval is asked for, not when this module is: a display may
import it that never comes to draw a rate.
"""

from __future__ import annotations

from dataclasses import dataclass

CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure with its 95 % interval, and what it rests on; None, never NaN, for what is not defined.

    `samples` and `tasks` count only what entered the figure. A t-interval has its width from how much the tasks
    differ: where they are all alike it has none, which says that nothing varied, not that nothing could.
    """

    estimate: float | None = None
    low: float | None = None
    high: float | None = None
    standard_error: float | None = None
    samples: int = 0
    tasks: int = 0


def wilson(successes: int, count: int, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """The interval of a rate; all that is possible where nothing was counted."""
    if not count:
        return 0.0, 1.0
    from scipy.stats import binomtest

    low, high = binomtest(successes, count).proportion_ci(confidence, method="wilson")
    return float(low), float(high)


def student(mean: float, standard_error: float, samples: int, tasks: int) -> Estimate:
    """A mean over tasks with Student's interval, of as many degrees of freedom as there are tasks less one."""
    from scipy.stats import t

    half = float(t.ppf((1 + CONFIDENCE) / 2, tasks - 1)) * standard_error
    return Estimate(mean, mean - half, mean + half, standard_error, samples, tasks)
