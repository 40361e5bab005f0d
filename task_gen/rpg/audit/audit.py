"""The audit: let every family of players try each task of a file, in several processes, and count what they win.

Called by `audit_report` for `herobench audit`. The rows tell how many tasks each family wins, and its mean score, by
group of tasks. Kill tasks, craft tasks, knowledge levels, tasks with noise, costs of defeats, budgets, tracks and
closed places are counted apart: a craft task names what to make, so every family that makes something wins it. No share
is judged good or bad here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from typing import Any, Literal, NamedTuple, get_args

from herobench.suites.rpg.game.rules import Defeat, Rules
from herobench.suites.rpg.game.task import Kind, KnowledgeLevel, PlanTrack, Task
from herobench.suites.rpg.game.world import World
from herobench.task_gen.rpg.audit.families import FAMILIES
from herobench.task_gen.rpg.audit.workshop import Case
from herobench.task_gen.rpg.oracle.steps import Unplannable
from herobench.work.engine import Each, Local

SCHEMA = 1


def audit(
    world: World,
    rules: Rules,
    tasks: Sequence[Task],
    families: Sequence[str] = tuple(FAMILIES),
    jobs: int = 1,
    step: Callable[[], None] = lambda: None,
) -> dict[str, Any]:
    """Return the audit of some tasks as plain data; `step` is called after each of them."""
    groups: dict[AuditGroup, list[Mapping[str, FamilyResult]]] = {}
    work = Each(partial(_play_families, tuple(families), world, rules))
    with closing(Local(jobs).results(work, (task.as_row() for task in tasks))) as results_of_tasks:
        for task, results in zip(tasks, results_of_tasks, strict=True):
            groups.setdefault(AuditGroup.of(task), []).append(results)
            step()
    families_named = {name: FAMILIES[name] for name in families}
    return {
        "schema": SCHEMA,
        "families": {
            name: {"rule": family.rule, "tracks": list(family.tracks), "computes": family.computes}
            for name, family in families_named.items()
        },
        "rows": list(_rows(families, groups)),
    }


# -- playing ----------------------------------------------------------------------------------------------------------


class FamilyResult(NamedTuple):
    """The result of one family in one task."""

    won: bool
    score: float


def _play_families(
    families: Sequence[str], world: World, rules: Rules, row: Mapping[str, Any]
) -> dict[str, FamilyResult]:
    """Return what each family reaches in a task. Families that no plan of the task's track can play are left out."""
    task = Task.from_row(row)
    case = Case(world, rules, task)
    return {name: _result(case, name) for name in families if task.mechanics.plan in FAMILIES[name].tracks}


def _result(case: Case, name: str) -> FamilyResult:
    try:
        verdict = FAMILIES[name].play(case).final_score()
    except Unplannable:
        return FamilyResult(False, 0.0)
    return FamilyResult(verdict.outcome == "win", verdict.score)


# -- counting ---------------------------------------------------------------------------------------------------------

Closed = Literal["", "solvable", "impossible"]


class AuditGroup(NamedTuple):
    """Tasks that are counted together."""

    kind: Kind
    knowledge: KnowledgeLevel
    noise: bool
    defeat: Defeat
    budget: bool
    track: PlanTrack
    closed: Closed
    """`solvable` if a task can be done although places are closed, else `impossible`; empty if none is closed."""

    @classmethod
    def of(cls, task: Task) -> AuditGroup:
        """Return the group of a task."""
        mechanics, knows = task.mechanics, task.knowledge
        solvability: Closed = "solvable" if task.impossible is None else "impossible"
        noise, budget = bool(knows.noise), mechanics.budget is not None
        return cls(
            task.kind,
            knows.level,
            noise,
            mechanics.defeat or "free",
            budget,
            mechanics.plan,
            solvability if mechanics.closed else "",
        )

    @property
    def place(self) -> tuple[int, int, bool, int, bool, bool, int]:
        """The key that orders the table: kill tasks first, then by how much a task tells, then usual tasks first."""
        kind, knowledge = get_args(Kind).index(self.kind), get_args(KnowledgeLevel).index(self.knowledge)
        defeat, closed_rank = get_args(Defeat).index(self.defeat), get_args(Closed).index(self.closed)
        return kind, knowledge, self.noise, defeat, self.budget, self.track == "straight", closed_rank


def _rows(
    families: Sequence[str], groups: Mapping[AuditGroup, Sequence[Mapping[str, FamilyResult]]]
) -> Iterator[dict[str, Any]]:
    """Yield one row for each group and each family that plays in its track."""
    for group in sorted(groups, key=lambda group: group.place):
        for name in families:
            if group.track in FAMILIES[name].tracks:
                results = [by_family[name] for by_family in groups[group]]
                wins, score = sum(result.won for result in results), sum(result.score for result in results)
                figures = {"tasks": len(results), "wins": wins, "score": score / len(results)}
                yield {**group._asdict(), "family": name, **figures}
