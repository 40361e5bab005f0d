"""The diagnosis of one model: its single skills beside its long plans, over all tasks and by group.

Nothing here knows a suite: the reading of the questions names the skills and how they build on one another.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from herobench.analysis.diagnosis.chain import Chain, chain_of
from herobench.analysis.diagnosis.evidence import Evidence, TaskEvidence
from herobench.analysis.diagnosis.policy import Policy, policy_of, policy_over
from herobench.analysis.diagnosis.prediction import Prediction, predictions
from herobench.analysis.diagnosis.rates import difference_of, rate_of, success_given, success_in
from herobench.analysis.interval import Estimate
from herobench.analysis.reading import Probes


@dataclass(frozen=True, slots=True)
class Skill:
    """One skill of a model. Rates are shares from 0 to 1."""

    name: str
    accuracy: Estimate
    if_right: Estimate
    """The success of plans of tasks in which the skill is right."""
    if_wrong: Estimate
    prediction: Prediction


@dataclass(frozen=True, slots=True)
class Group:
    """The tasks of one group, such as a bracket."""

    name: str
    tasks: int
    success: Estimate
    accuracy: Mapping[str, Estimate]
    """The accuracy by skill."""
    difference: Mapping[str, Estimate]
    """For each skill, how much more often plans win where the model has the skill right than where it has it wrong.
    The intervals are not widened for the number of skills."""
    policy: Policy | None
    """None if the next action was not asked."""


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """All that is found about one model."""

    name: str
    tasks: int
    plans_alone: int
    answers_alone: int
    success: Estimate
    skills: tuple[Skill, ...]
    """The strongest predictor first, those with too few tasks last."""
    groups: tuple[Group, ...]
    chains: tuple[Chain, ...]
    policy: Policy | None

    @property
    def strongest(self) -> Skill | None:
        """The skill that predicts lost plans best; None if no skill is shown to."""
        return next((skill for skill in self.skills if skill.prediction.verdict == "predicts"), None)

    @property
    def finding(self) -> str:
        """The result in a sentence."""
        if (best := self.strongest) is not None:
            told = best.prediction.difference
            points = f"{100 * (told.estimate or 0.0):.0f} points ({100 * (told.low or 0.0):.0f} to"
            return f"Wrong answers on {best.name} predict lost plans: {points} {100 * (told.high or 0.0):.0f})."
        if all(skill.prediction.verdict == "too few" for skill in self.skills):
            return "Too few tasks to say which skill predicts lost plans."
        return "No skill is shown to predict lost plans."

    def as_row(self) -> dict[str, Any]:
        """Return the diagnosis as plain data."""
        return {**asdict(self), "strongest": self.strongest.name if self.strongest else None, "finding": self.finding}


def diagnose(evidence: Evidence, probes: Probes) -> Diagnosis:
    """Return the diagnosis of one model."""
    tasks = evidence.tasks
    groups = tuple(_group(evidence, name, probes.policy) for name in evidence.groups())
    by_policy = [group.policy for group in groups if group.policy]
    return Diagnosis(
        name=evidence.name,
        tasks=len(tasks),
        plans_alone=evidence.plans_alone,
        answers_alone=evidence.answers_alone,
        success=success_in(tasks),
        skills=tuple(_skill(tasks, name, found) for name, found in predictions(tasks, evidence.skills).items()),
        groups=groups,
        chains=tuple(chain for skills in probes.chains if (chain := chain_of(tasks, skills)).tasks),
        policy=policy_over(by_policy) if by_policy else None,
    )


def _skill(tasks: Sequence[TaskEvidence], name: str, found: Prediction) -> Skill:
    if_right, if_wrong = (success_given(tasks, name, right) for right in (True, False))
    return Skill(name, rate_of(tasks, name), if_right, if_wrong, found)


def _group(evidence: Evidence, name: str, policy: str) -> Group:
    own = [task for task in evidence.tasks if task.group == name]
    return Group(
        name=name,
        tasks=len(own),
        success=success_in(own),
        accuracy={skill: rate_of(own, skill) for skill in evidence.skills},
        difference={skill: difference_of(own, skill) for skill in evidence.skills},
        policy=policy_of(own) if policy in evidence.skills else None,
    )
