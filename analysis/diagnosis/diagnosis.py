"""The diagnosis of one model: its single skills beside its long plans, over all tasks and by group.

Nothing here knows a suite: the reading of the questions names the skills and how they build on one another.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from herobench.analysis.diagnosis.prediction import (
    Evidence,
    SkillPrediction,
    TaskEvidence,
    predictions,
    right_rate,
    success_difference,
    success_given,
    success_in,
)
from herobench.analysis.reading.contract import Probes, page_files
from herobench.analysis.reading.interval import Estimate, measure_success
from herobench.analysis.report.page_text import page_on
from herobench.data.errors import UsageError


@dataclass(frozen=True, slots=True)
class Failing:
    """One link of a chain: of how many tasks it is the first that fails. Tasks with several plans count in shares."""

    skill: str | None
    """The skill; None for tasks in which no skill of the chain fails."""
    lost: float
    """Lost plans among these tasks."""
    won: float


@dataclass(frozen=True, slots=True)
class SkillChain:
    """A chain over the tasks that were asked of all its skills."""

    links: tuple[Failing, ...]
    """The skills in their order, then None."""
    tasks: int

    @property
    def lost(self) -> float:
        """All lost plans of these tasks."""
        return sum(link.lost for link in self.links)

    @property
    def won(self) -> float:
        """All won plans of these tasks."""
        return sum(link.won for link in self.links)


def skill_chain(tasks: Sequence[TaskEvidence], skills: Sequence[str]) -> SkillChain:
    """Count for each skill of a chain the tasks in which it is the first with a wrong answer."""
    told = [task for task in tasks if all(skill in task.answers for skill in skills)]
    first = [next((skill for skill in skills if (task.share(skill) or 0.0) < 1), None) for task in told]
    links = []
    for skill in (*skills, None):
        own = [task.success for task, failing in zip(told, first, strict=True) if failing == skill]
        links.append(Failing(skill, len(own) - sum(own), sum(own)))
    return SkillChain(tuple(links), len(told))


@dataclass(frozen=True, slots=True)
class Policy:
    """Predicted and real success of the plans of some tasks, from 0 to 1."""

    rate: Estimate
    """The share of right next actions."""
    actions: float | None
    """The mean number of actions of a plan."""
    predicted: Estimate
    """The mean of rate ** actions. The ends of its interval are the rate's, raised to the same powers."""
    real: Estimate

    @property
    def differs(self) -> bool | None:
        """True if the intervals of `predicted` and `real` do not touch; None if an end of them is not known."""
        ends = (self.predicted.low, self.predicted.high, self.real.low, self.real.high)
        if any(end is None for end in ends):
            return None
        low, high, least, most = (float(end or 0.0) for end in ends)
        return most < low or high < least


def predict_plans(tasks: Sequence[TaskEvidence]) -> Policy:
    """Return what the choice of next actions predicts of the plans of some tasks with a known number of actions."""
    known = [task for task in tasks if task.actions is not None and task.choices]
    choices = [(task.key, right) for task in known for right in task.choices]
    rate = measure_success([key for key, _ in choices], [right for _, right in choices])
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


@dataclass(frozen=True, slots=True)
class Skill:
    """One skill of a model. Rates are shares from 0 to 1."""

    name: str
    accuracy: Estimate
    if_right: Estimate
    """The success of plans of tasks in which the skill is right."""
    if_wrong: Estimate
    prediction: SkillPrediction


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
    """Everything that was found about one model."""

    name: str
    tasks: int
    plans_alone: int
    answers_alone: int
    success: Estimate
    skills: tuple[Skill, ...]
    """The strongest predictor first, those with too few tasks last."""
    groups: tuple[Group, ...]
    chains: tuple[SkillChain, ...]
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
        if self.success.estimate == 1.0:
            return "No plan was lost."
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
        chains=tuple(chain for skills in probes.chains if (chain := skill_chain(tasks, skills)).tasks),
        policy=policy_over(by_policy) if by_policy else None,
    )


def _skill(tasks: Sequence[TaskEvidence], name: str, found: SkillPrediction) -> Skill:
    if_right, if_wrong = (success_given(tasks, name, right) for right in (True, False))
    return Skill(name, right_rate(tasks, name), if_right, if_wrong, found)


def _group(evidence: Evidence, name: str, policy: str) -> Group:
    own = [task for task in evidence.tasks if task.group == name]
    return Group(
        name=name,
        tasks=len(own),
        success=success_in(own),
        accuracy={skill: right_rate(own, skill) for skill in evidence.skills},
        difference={skill: success_difference(own, skill) for skill in evidence.skills},
        policy=predict_plans(own) if policy in evidence.skills else None,
    )


def write_page(path: Path, found: Sequence[Diagnosis], group: str, notes: Sequence[str]) -> None:
    """Write the page. Raise UsageError if the file cannot be written."""
    index = {"words": {}, "group": group, "models": [one.as_row() for one in found], "notes": list(notes)}
    try:
        path.write_text(
            page_on(
                index, *(page_files("herobench.analysis.diagnosis", name) for name in ("diagnosis.js", "style.css"))
            ),
            "utf-8",
        )
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}.") from error
