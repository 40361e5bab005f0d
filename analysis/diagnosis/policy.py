"""The choice of the next action as a policy: what its rate predicts of whole plans, beside what was won.

A model that chooses each action of a plan with the same rate, each independent of the others, wins a plan of n actions
with the rate to the power of n. The gap to the real success is what planning as a whole adds or loses.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean

from herobench.analysis.diagnosis.evidence import TaskEvidence
from herobench.analysis.diagnosis.rates import success_in
from herobench.analysis.interval import Estimate
from herobench.analysis.rates import success_of


@dataclass(frozen=True, slots=True)
class Policy:
    """Predicted and real success of the plans of some tasks, from 0 to 1."""

    rate: Estimate
    """The share of right next actions."""
    actions: float | None
    """The mean number of actions of a plan."""
    predicted: Estimate
    """The mean of rate ** actions. The interval is that of the rate, put to the same powers."""
    real: Estimate

    @property
    def differs(self) -> bool | None:
        """True if the intervals of `predicted` and `real` do not touch; None if an end of them is not known."""
        ends = (self.predicted.low, self.predicted.high, self.real.low, self.real.high)
        if any(end is None for end in ends):
            return None
        low, high, least, most = (float(end or 0.0) for end in ends)
        return most < low or high < least


def policy_of(tasks: Sequence[TaskEvidence]) -> Policy:
    """Return what the choice of next actions predicts of the plans of some tasks with a known number of actions."""
    known = [task for task in tasks if task.actions is not None and task.choices]
    choices = [(task.key, right) for task in known for right in task.choices]
    rate = success_of([key for key, _ in choices], [right for _, right in choices])
    lengths = [task.actions for task in known if task.actions is not None]
    return Policy(rate, fmean(lengths) if lengths else None, _powers(rate, lengths), success_in(known))


def policy_over(groups: Iterable[Policy]) -> Policy:
    """Return the prediction over several groups, each with its own rate: the means, weighted by their tasks."""
    told = [group for group in groups if group.predicted.estimate is not None]
    tasks = sum(group.predicted.tasks for group in told)

    def mean(values: Iterable[float | None]) -> float | None:
        known = [value or 0.0 for value in values]
        weighted = zip(known, told, strict=True)
        return sum(value * group.predicted.tasks for value, group in weighted) / tasks if tasks else None

    def estimate(name: str) -> Estimate:
        parts = [getattr(group, name) for group in told]
        value, low, high = (mean(getattr(part, end) for part in parts) for end in ("estimate", "low", "high"))
        return Estimate(value, low, high, samples=sum(part.samples for part in parts), tasks=tasks)

    return Policy(estimate("rate"), mean(group.actions for group in told), estimate("predicted"), estimate("real"))


def _powers(rate: Estimate, lengths: Sequence[float]) -> Estimate:
    def predicted(share: float | None) -> float | None:
        return None if share is None or not lengths else fmean(min(1.0, max(0.0, share)) ** n for n in lengths)

    value, low, high = (predicted(share) for share in (rate.estimate, rate.low, rate.high))
    return Estimate(value, low, high, samples=rate.samples, tasks=len(lengths))
