"""Measures how well a run tells impossible tasks from the others, by its refusals and the probabilities it states.

The reading calls it with all samples of a run. Only tasks with closed places count, because a model may give up no
other task. These figures are not part of the main ones, since giving up everything takes no plan.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from herobench.analysis.reading.interval import Estimate
from herobench.analysis.statistics.rates import bounded_mean, success_of

if TYPE_CHECKING:
    import pandas as pd

_PERCENT = 100


@dataclass(frozen=True, slots=True)
class Refusals:
    """The refusals of a run. Rates are shares from 0 to 1."""

    recognized: Estimate
    """The share of attempts at impossible tasks that gave up. High is good."""
    false: Estimate
    """The share of attempts at tasks that can be done that gave up. Low is good."""
    brier: Estimate
    """The mean squared difference between the stated probability and the truth, which is 1 for an impossible task,
    else 0. The best score is 0; a run that always states 0.5 scores 0.25."""
    stated: int
    """The number of refusals that state a probability."""
    claimed: float | None
    """The mean of the stated probabilities."""
    right: Estimate
    """The share of refusals with a probability whose task is impossible. If calibrated, it equals `claimed`."""

    def as_row(self) -> dict[str, Any]:
        """Return the figures as plain data."""
        return asdict(self)

    def words(self) -> dict[str, str]:
        """Return the figures in words, by their labels."""
        brier = (
            "" if self.brier.estimate is None else f"{self.brier.estimate:.3f} over {self.stated} stated probabilities"
        )
        return {
            "recognized impossible": _share(self.recognized),
            "false refusals": _share(self.false),
            "Brier score": brier,
            "calibration": ""
            if self.claimed is None
            else f"claims {_PERCENT * self.claimed:.1f} % on average; right {_share(self.right)}",
        }


def refusals_in(samples: pd.DataFrame) -> Refusals | None:
    """Return the refusals among the samples of a run; None if it has no task that may be given up."""
    asked = samples[samples.measured & (samples.closed > 0)]
    if not len(asked):
        return None
    told = asked[asked.gave_up.astype(bool) & asked.stated.notna()]
    errors = [(float(p) - (not solvable)) ** 2 for p, solvable in zip(told.stated, told.solvable, strict=True)]
    return Refusals(
        recognized=_rate(asked[~asked.counted]),
        false=_rate(asked[asked.counted]),
        brier=bounded_mean(list(told.task_id), errors),
        stated=len(told),
        claimed=float(told.stated.mean()) if len(told) else None,
        right=success_of(list(told.task_id), [float(not solvable) for solvable in told.solvable]),
    )


def _rate(samples: pd.DataFrame) -> Estimate:
    return success_of(list(samples.task_id), [float(gave_up) for gave_up in samples.gave_up])


def _share(rate: Estimate) -> str:
    if rate.estimate is None:
        return ""
    interval = "" if rate.low is None or rate.high is None else (
        f" ({_PERCENT * rate.low:.1f} to {_PERCENT * rate.high:.1f})"
    )  # fmt: skip
    return f"{_PERCENT * rate.estimate:.1f} %{interval} of {rate.samples}"
