"""Joins a model's plans with its answers to questions on single skills, and measures what a skill tells of plans.

The two suites are joined by the task: by the digest of its content where both sides know it, else by its id. A task
counts only with a measured plan and at least one decided answer.

Measured is how well a skill predicts plans: how much more often a model wins tasks whose question it answers rightly.

Hard tasks have lost plans and wrong answers both, so tasks are compared with others of their group only: the figure is
the slope of success on the share of right answers, with an effect of each group. With one question a task it is the
mean difference within groups, each group weighted by its right and wrong answers. The interval is a bootstrap over
tasks, the p-value a permutation of the plans among the tasks of a group. Both have a fixed seed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import ceil, floor, hypot
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from herobench.analysis.reading.checked import load_reading
from herobench.analysis.reading.contract import Probes, group_key
from herobench.analysis.reading.interval import CONFIDENCE, Estimate, bounded_mean, measure_success
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


Array = NDArray[np.float64]

LEAST = 3
"""The fewest tasks with a right answer, and with a wrong one, for a difference."""


def right_rate(tasks: Iterable[TaskEvidence], skill: str) -> Estimate:
    """Return the share of right answers to the questions on a skill."""
    answers = [(task.key, right) for task in tasks for right in task.answers.get(skill, ())]
    return measure_success([key for key, _ in answers], [right for _, right in answers])


def success_in(tasks: Iterable[TaskEvidence]) -> Estimate:
    """Return the share of won plans."""
    plans = [(task.key, won) for task in tasks for won in task.plans]
    return measure_success([key for key, _ in plans], [won for _, won in plans])


def success_given(tasks: Sequence[TaskEvidence], skill: str, right: bool) -> Estimate:
    """Return the share of won plans over the right answers on a skill, or over the wrong ones.

    Each answer counts with the success of its task.
    """
    told = [(task.key, task.success) for task in tasks for given in task.answers.get(skill, ()) if given == right]
    return bounded_mean([key for key, _ in told], [value for _, value in told])


def success_difference(tasks: Sequence[TaskEvidence], skill: str) -> Estimate:
    """Return the success where a skill is right less that where it is wrong, for tasks of one group.

    The interval is Newcombe's: it combines the intervals of the two rates, and stays honest if a side won all plans.
    Empty with too few tasks on a side.
    """
    right, wrong = (success_given(tasks, skill, side) for side in (True, False))
    counted = sum(skill in task.answers for task in tasks)
    if min(right.tasks, wrong.tasks) < LEAST or right.estimate is None or wrong.estimate is None:
        return Estimate(tasks=counted)
    value = right.estimate - wrong.estimate
    low = hypot(right.estimate - (right.low or 0.0), (wrong.high or 0.0) - wrong.estimate)
    high = hypot((right.high or 0.0) - right.estimate, wrong.estimate - (wrong.low or 0.0))
    return Estimate(value, value - low, value + high, samples=right.samples + wrong.samples, tasks=counted)


Verdict = Literal["predicts", "not shown", "the other way", "too few"]
"""What the tasks show of a skill. `predicts`: plans win more often where the skill is right. `the other way`: they win
less often. `not shown`: the difference may be chance. `too few`: there are not enough tasks for a verdict."""

LEAST_TASKS = 20
"""A verdict needs at least this many tasks, in groups where answers and plans vary."""
LEAST_EACH = 5
"""The fewest right and wrong answers, and won and lost plans, among them."""
SIGNIFICANT = 0.05
DRAWS = 2000
_SEED = 17
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class SkillPrediction:
    """The figures that say how well one skill predicts plans. They are shares from 0 to 1."""

    difference: Estimate
    """Success where the skill is right minus success where it is wrong, within groups; `tasks` counts those that
    vary."""
    p: float | None
    """The p-value of a permutation within groups, corrected for the number of skills by Holm's method."""
    beyond: Estimate
    """The same difference among tasks that are alike in the strongest skill too; empty for the strongest."""
    verdict: Verdict


def predictions(tasks: Sequence[TaskEvidence], skills: Sequence[str]) -> dict[str, SkillPrediction]:
    """Return what each skill tells of the plans of the same tasks, the strongest first and those with too few last."""
    parts = {skill: _Part.of(tasks, skill) for skill in skills}
    enough = {skill: part for skill, part in parts.items() if part.is_enough}
    p_values = _holm({skill: part.p() for skill, part in enough.items()})
    slopes = {skill: success_slope(part) for skill, part in enough.items()}
    ranked = sorted(enough, key=lambda skill: (slopes[skill] <= 0, p_values[skill], -slopes[skill]))
    strongest = ranked[0] if ranked else None
    found = {}
    for skill in (*ranked, *(skill for skill in skills if skill not in enough)):
        part, p = parts[skill], p_values.get(skill)
        beyond = Estimate()
        if strongest is not None and skill in enough and skill != strongest:
            beyond = _Part.of(tasks, skill, beside=strongest).difference()
        found[skill] = SkillPrediction(part.difference(), p, beyond, _verdict(part, p))
    return found


def _verdict(part: _Part, p: float | None) -> Verdict:
    if p is None:
        return "too few"
    if p >= SIGNIFICANT:
        return "not shown"
    return "predicts" if success_slope(part) > 0 else "the other way"


@dataclass(frozen=True)
class _Part:
    """The tasks that tell about a skill: all of the groups in which both the answers and the plans vary."""

    success: Array
    share: Array
    """The share of right answers."""
    beside: Array | None
    """The share of right answers on another skill, whose effect is taken out."""
    groups: Array
    """A column for each group, with 1 for its tasks."""

    @classmethod
    def of(cls, tasks: Sequence[TaskEvidence], skill: str, beside: str | None = None) -> _Part:
        rows = [
            (task.group, task.success, share, other)
            for task in tasks
            if (share := task.share(skill)) is not None and (other := task.share(beside) if beside else 0.0) is not None
        ]
        by_group: dict[str, list[tuple[float, float, float]]] = {}
        for group, *values in rows:
            by_group.setdefault(group, []).append((values[0], values[1], values[2]))
        telling = [np.array(part) for part in by_group.values() if _varies(part, 0) and _varies(part, 1)]
        whole = np.concatenate(telling) if telling else np.empty((0, 3))
        numbers = np.repeat(np.arange(len(telling)), [len(part) for part in telling])
        groups = (numbers[:, None] == np.arange(len(telling))).astype(np.float64)
        return cls(whole[:, 0], whole[:, 1], whole[:, 2] if beside else None, groups)

    @property
    def is_enough(self) -> bool:
        """True if there are enough tasks for a verdict, with enough of each outcome and answer."""
        counts = (self.share.sum(), (1 - self.share).sum(), self.success.sum(), (1 - self.success).sum())
        return len(self.share) >= LEAST_TASKS and min(counts) >= LEAST_EACH

    def difference(self) -> Estimate:
        """Return the difference with a bootstrap interval; none if the tasks are not enough."""
        tasks = len(self.share)
        value = success_slope(self) if self.is_enough else float("nan")
        if not np.isfinite(value):
            return Estimate(tasks=tasks)
        rng = np.random.default_rng(_SEED)
        weights = rng.multinomial(tasks, np.full(tasks, 1 / tasks), size=DRAWS).astype(np.float64)
        drawn = self.slopes(weights)
        drawn = drawn[np.isfinite(drawn)]
        low, high = _ends(drawn)
        return Estimate(value, low, high, float(drawn.std()), tasks, tasks)

    def slopes(self, weights: Array) -> Array:
        """Return the slope for each row of weights of the tasks; nan where the answers do not vary."""
        x, y, z = self.share, self.success, self.beside
        product = partial(self._product, weights)
        xx, xy = product(x, x), product(x, y)
        with np.errstate(divide="ignore", invalid="ignore"):
            if z is not None:
                part = np.nan_to_num(product(x, z) / product(z, z))
                xx, xy = xx - part * product(x, z), xy - part * product(z, y)
            # the rest is rounding noise if the other skill explains this one
            return np.where(xx > _ROUNDING, xy / xx, np.nan)

    def _product(self, weights: Array, one: Array, other: Array) -> Array:
        """Return the sum of products of deviations from the means of the groups, for each row of weights."""
        columns = (np.ones_like(one), one, other, one * other)
        # unlike a product of matrices, this adds in the same order on all machines
        count, first, second, both = (
            np.einsum("ij,jk->ik", weights, self.groups * column[:, None]) for column in columns
        )
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray((both - np.nan_to_num(first * second / count)).sum(1), dtype=np.float64)

    def p(self) -> float:
        """Return how often plans that are dealt out anew within their groups differ at least as much."""
        rng = np.random.default_rng(_SEED)
        dealt = np.repeat(self.success[None], DRAWS, axis=0)
        for column in self.groups.T.astype(bool):
            dealt[:, column] = rng.permuted(dealt[:, column], axis=1)
        sizes = self.groups.sum(0)
        centered = self.share - self.groups @ (self.share @ self.groups / sizes)
        found, drawn = abs(np.einsum("j,j", centered, self.success)), np.abs(np.einsum("ij,j->i", dealt, centered))
        return float((1 + (drawn >= found - _ROUNDING).sum()) / (1 + DRAWS))


def _ends(draws: Array) -> tuple[float, float]:
    """Return the ends of the 95 % interval of draws."""
    ordered, tail = np.sort(draws), (1 - CONFIDENCE) / 2
    last = len(ordered) - 1
    return float(ordered[floor(tail * last)]), float(ordered[ceil((1 - tail) * last)])


def success_slope(part: _Part) -> float:
    """Return the slope of success on the share of right answers."""
    return float(part.slopes(np.ones((1, len(part.share))))[0])


def _varies(rows: Sequence[tuple[float, ...]], place: int) -> bool:
    return len({row[place] for row in rows}) > 1


def _holm(p_values: Mapping[str, float]) -> dict[str, float]:
    """Return p-values corrected for their number."""
    corrected, largest = {}, 0.0
    for place, (name, p) in enumerate(sorted(p_values.items(), key=lambda item: item[1])):
        largest = max(largest, min(1.0, p * (len(p_values) - place)))
        corrected[name] = largest
    return corrected
