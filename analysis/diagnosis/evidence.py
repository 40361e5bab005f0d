"""Evidence: for each task, one model's plans and its answers to questions on single skills.

The two suites are joined by the task: by the digest of its content where both sides know it, else by its id. A task
counts only with a measured plan and at least one decided answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from herobench.analysis.reading.checked import load_reading
from herobench.analysis.reading.contract import Probes, group_key
from herobench.analysis.samples.frame import counted
from herobench.analysis.statistics.findings import numbers
from herobench.analysis.statistics.ranking import split_runs
from herobench.data.errors import UsageError

if TYPE_CHECKING:
    import pandas as pd


def probes_in(samples: pd.DataFrame) -> tuple[str, Probes]:
    """Return the suite of the questions and how they test skills. Raise UsageError if not both suites are there."""
    suites = list(dict.fromkeys(samples.suite))
    probing = {suite: probes for suite in suites if (probes := load_reading(suite).probes) is not None}
    if len(probing) != 1:
        told = f"these runs are of {' and '.join(suites)}" if suites else "there are no samples"
        raise UsageError(
            "A diagnosis takes runs of two suites: one with questions on single skills, such as acp, and the one whose "
            f"tasks the questions are about, such as rpg. But {told}."
        )
    ((suite, probes),) = probing.items()
    if probes.suite not in suites:
        raise UsageError(f"There are answers to questions, and no plans: name a run of the suite {probes.suite} too.")
    if not samples[(samples.suite == suite) & samples[probes.task].notna()].measured.any():
        raise UsageError(f"No answer of the suite {suite} is about a task of the suite {probes.suite}.")
    return suite, probes


def subjects(samples: pd.DataFrame, digests: Digests) -> Iterator[Evidence]:
    """Yield the evidence of each model, separately for plans that are never ranked together.

    Raise UsageError if no model has both plans and answers.
    """
    suite, probes = probes_in(samples)
    reading = load_reading(probes.suite)
    about = counted(samples[(samples.suite == suite) & samples[probes.task].notna()])
    questions = dict(tuple(about.groupby("model")))
    plans = samples[samples.suite == probes.suite]
    shared = [model for model in dict.fromkeys(plans.model.dropna()) if model in questions]
    if not shared:
        made, asked = (", ".join(sorted(map(str, names.model.dropna().unique()))) for names in (plans, about))
        raise UsageError(f"No model has both plans and answers: plans are of {made}, and answers of {asked}.")
    parts = split_runs({"": plans}, reading.separates, reading.usual)
    for part in parts:
        own = part.runs[""]
        for model in shared:
            if len(made_by := own[own.model == model]):
                name = f"{model} ({part.title})" if len(parts) > 1 else str(model)
                yield join_evidence(name, made_by, questions[model], probes, reading.actions, digests)


Digests = Mapping[tuple[str, str], str]
"""The digest of a task's content, by run and task id."""


@dataclass(slots=True)
class TaskEvidence:
    """One task: its plans and its answers, each 1 for right or won and 0 otherwise."""

    key: str
    group: str
    actions: float | None
    """The actions that a plan for the task takes."""
    plans: list[float] = field(default_factory=list)
    answers: dict[str, list[float]] = field(default_factory=dict)
    """The answers by skill."""
    choices: list[float] = field(default_factory=list)
    """The next actions that were chosen, 1 for a right one."""

    @property
    def success(self) -> float:
        """The share of plans that won."""
        return sum(self.plans) / len(self.plans)

    def share(self, skill: str) -> float | None:
        """Return the share of right answers to the questions on a skill; None without an answer."""
        given = self.answers.get(skill)
        return sum(given) / len(given) if given else None


@dataclass(frozen=True, slots=True)
class Evidence:
    """The evidence of one model."""

    name: str
    tasks: tuple[TaskEvidence, ...]
    """The tasks with plans and answers, by their key."""
    skills: tuple[str, ...]
    """The skills that were asked, in the order of the chains."""
    plans_alone: int
    """Tasks with plans and no answers."""
    answers_alone: int
    """Answers about tasks without a plan."""

    def groups(self) -> list[str]:
        """Return the groups of the tasks, in order."""
        return sorted({task.group for task in self.tasks}, key=group_key)


def join_evidence(
    name: str,
    plans: pd.DataFrame,
    questions: pd.DataFrame,
    probes: Probes,
    actions: str | None,
    digests: Digests,
) -> Evidence:
    """Join the samples of one model: its plans, and its answers to questions on single skills."""
    found: dict[str, TaskEvidence] = {}
    known = list(plans[plans.measured].sort_values(["task_id", "epoch"], kind="stable").itertuples())
    lengths = numbers(plans, actions) if actions else [None] * len(plans)
    by_row = dict(zip(plans.index, lengths, strict=True))
    for row in known:
        key = digests.get((row.run, row.task_id), row.task_id)
        task = found.setdefault(key, TaskEvidence(key, row.group, by_row[row.Index]))
        task.plans.append(float(row.win))
    lost = 0
    for digest, task_id, skill, right, failure in _answers(questions, probes):
        told = found.get(digest or "") or found.get(task_id)
        if told is None:
            lost += 1
        else:
            told.answers.setdefault(skill, []).append(right)
            if skill == probes.policy:
                told.choices.append(1.0 if failure in probes.chosen_right else right)
    both = tuple(task for _, task in sorted(found.items()) if task.answers)
    asked = {skill for task in both for skill in task.answers}
    order = dict.fromkeys(skill for chain in probes.chains for skill in chain)
    skills = (*(skill for skill in order if skill in asked), *sorted(asked - order.keys()))
    return Evidence(name, both, skills, len(found) - len(both), lost)


def _answers(questions: pd.DataFrame, probes: Probes) -> Iterator[tuple[str | None, str, str, float, object]]:
    """Yield digest, task id, skill, outcome and failure of the answers that are decided, in the order of their ids."""
    ordered = questions.sort_values(["task_id", "epoch"], kind="stable")
    columns = (ordered[name] for name in (probes.digest, probes.task, probes.skill, "failure"))
    for measured, right, digest, task_id, skill, failure in zip(
        ordered.measured, numbers(ordered, probes.right), *columns, strict=True
    ):
        if measured and right is not None:
            yield digest if isinstance(digest, str) else None, str(task_id), str(skill), right, failure
