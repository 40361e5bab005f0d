"""The table of the audit: how many tasks each family wins, and its mean score, by group of tasks.

Kill tasks, craft tasks, knowledge levels, tasks with noise, costs of defeats, budgets and tracks are counted apart: a
craft task names what to make, so every family that makes something wins it. Campaigns are also counted by their length
in decisions, in rungs that double, and each family has a horizon as models do. No share is judged good or bad here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from herobench.analysis.statistics.horizon import estimate_horizon
from herobench.suites.rpg.game.decisions import plan_decisions
from herobench.suites.rpg.game.rules import Defeat
from herobench.suites.rpg.game.task import KnowledgeLevel, PlanTrack, Task
from herobench.task_gen.rpg.audit.families import FAMILIES

AuditKind = Literal["kill", "craft", "campaign"]
Closed = Literal["", "solvable", "impossible"]


class AuditGroup(NamedTuple):
    """Tasks that are counted together."""

    kind: AuditKind
    knowledge: KnowledgeLevel
    noise: bool
    defeat: Defeat
    budget: bool
    track: PlanTrack
    closed: Closed
    """Says if tasks with closed places can be done all the same; empty for tasks that close none."""

    @classmethod
    def of(cls, task: Task) -> AuditGroup:
        """Return the group of a task."""
        asked = task.mechanics
        kind: AuditKind = "campaign" if task.campaign else task.kind
        noise, defeat = bool(task.knowledge.noise), asked.defeat or "free"
        closed: Closed = "" if not asked.closed else "solvable" if task.impossible is None else "impossible"
        return cls(kind, task.knowledge.level, noise, defeat, asked.budget is not None, asked.plan, closed)

    @property
    def place(self) -> tuple[int, int, bool, int, bool, bool, int]:
        """The place in the table: kill tasks first, then by how much the tasks tell, then what is usual."""
        # Listed by hand: alphabetical order would put craft before kill, and decoys before exact.
        kinds, levels, defeats, closed = (
            ("kill", "craft", "campaign"),
            ("exact", "decoys", "world"),
            ("free", "counted", "final"),
            ("", "solvable", "impossible"),
        )
        told = kinds.index(self.kind), levels.index(self.knowledge), self.noise
        return *told, defeats.index(self.defeat), self.budget, self.track == "straight", closed.index(self.closed)


class FamilyResult(NamedTuple):
    """The result of one family in one task."""

    won: bool
    score: float


@dataclass(slots=True)
class AuditCount:
    """The number of tasks in a group, and for each family the results that it has."""

    tasks: int = 0
    lengths: list[int | None] = field(default_factory=list)
    """The decisions of each task's certified plan; None for a task that is no campaign."""
    results: dict[str, list[FamilyResult]] = field(default_factory=dict)

    def wins(self, family: str) -> int:
        """Return the number of tasks that a family wins."""
        return sum(result.won for result in self.results[family])


class AuditTable:
    """Counts of what the families win, updated one task at a time."""

    def __init__(self, families: Sequence[str]) -> None:
        self._families = families
        self._counts: dict[AuditGroup, AuditCount] = {}

    def add(self, task: Task, results: Mapping[str, FamilyResult]) -> None:
        """Count the results of a task. A family without a result could not be asked."""
        # Groups are made when they are met, so that empty ones have no rows.
        group = AuditGroup.of(task)
        able = [name for name in self._families if group.track in FAMILIES[name].tracks]
        count = self._counts.setdefault(group, AuditCount(results={name: [] for name in able}))
        count.tasks += 1
        count.lengths.append(plan_decisions(task.certificate) if task.campaign and task.certificate else None)
        for name, result in results.items():
            count.results[name].append(result)

    def groups(self) -> list[tuple[AuditGroup, AuditCount]]:
        """Return the groups that have tasks, in the order of the table."""
        return sorted(self._counts.items(), key=lambda found: found[0].place)

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield one row for each group and each family that plays in its track.

        Wins and score are None for a family that could not be asked.
        """
        for group, count in self.groups():
            for name, results in count.results.items():
                mean = sum(result.score for result in results) / count.tasks
                figures = {"wins": count.wins(name), "score": mean} if results else {"wins": None, "score": None}
                yield {**group._asdict(), "family": name, "tasks": count.tasks, **figures}

    def ladder(self) -> Iterator[dict[str, Any]]:
        """Yield one row for each group of campaigns and each family: its wins by rung, and its horizon.

        A rung is named by its least number of decisions, and each is twice as long as the one before.
        """
        for group, count in self.groups():
            lengths = [length for length in count.lengths if length is not None]
            for name, results in count.results.items():
                if lengths and results:
                    won = [length and result.won for length, result in zip(count.lengths, results, strict=True)]
                    figures = {**_horizon(count.lengths, won), "rungs": _rungs(count.lengths, won)}
                    yield {**group._asdict(), "family": name, **figures}


def _horizon(lengths: Sequence[int | None], won: Sequence[Any]) -> dict[str, Any]:
    found = estimate_horizon(range(len(lengths)), lengths, map(bool, won))
    return {"h50": found.h50.estimate, "verdict": found.verdict}


def _rungs(lengths: Sequence[int | None], won: Sequence[Any]) -> list[dict[str, int]]:
    rungs = [None if length is None else 1 << (length.bit_length() - 1) for length in lengths]
    return [
        {"least": least, "tasks": rungs.count(least), "wins": sum(map(bool, _at(least, rungs, won)))}
        for least in sorted({rung for rung in rungs if rung is not None})
    ]


def _at(least: int, rungs: Sequence[int | None], won: Sequence[Any]) -> list[Any]:
    return [win for rung, win in zip(rungs, won, strict=True) if rung == least]
