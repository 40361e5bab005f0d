"""The shortcut audit: what simple baselines and trivial players solve and score on the tasks of a file.

Called by `herobench audit` and the datasheet. The baselines make gear without computing a fight, the trivial players
make nothing. Kill tasks, craft tasks, knowledge levels and tasks with noise are
counted apart: a craft task names what to make, so every baseline solves it. No share is judged good or bad here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from herobench.rpg.rules import Rules
from herobench.rpg.task import Kind, KnowledgeLevel, Task
from herobench.rpg.world import World
from herobench.task_gen.baselines import BASELINES, baseline_steps, judged
from herobench.task_gen.trivial import TRIVIAL

AUDITED = (*BASELINES, *TRIVIAL)
"""The players of the audit, in its order."""


class AuditGroup(NamedTuple):
    """Tasks that are counted together."""

    kind: Kind
    knowledge: KnowledgeLevel
    noise: bool

    @classmethod
    def of(cls, task: Task) -> AuditGroup:
        """Return the group of a task."""
        return cls(task.kind, task.knowledge.level, bool(task.knowledge.noise))

    def __str__(self) -> str:
        return f"{self.kind}, {self.knowledge}{', noise' if self.noise else ''}"


@dataclass(slots=True)
class AuditCount:
    """The number of tasks in a group; how many of them each player solves, and the sum of its scores."""

    tasks: int = 0
    solved: dict[str, int] = field(default_factory=lambda: dict.fromkeys(AUDITED, 0))
    scores: dict[str, float] = field(default_factory=lambda: dict.fromkeys(AUDITED, 0.0))


class ShortcutAudit:
    """Counts of what the players solve and score, updated one task at a time."""

    def __init__(self) -> None:
        self._counts: dict[AuditGroup, AuditCount] = {}

    def add(self, world: World, rules: Rules, task: Task) -> None:
        """Let every player try a task, and count the result."""
        # Groups are made when they are met, so that empty ones have no rows.
        count = self._counts.setdefault(AuditGroup.of(task), AuditCount())
        count.tasks += 1
        for name in AUDITED:
            make = TRIVIAL.get(name)
            steps = make(world, rules, task) if make else baseline_steps(world, rules, task, name)
            found = judged(world, rules, task, steps)
            count.solved[name] += found.outcome == "win"
            count.scores[name] += found.score

    def groups(self) -> list[tuple[AuditGroup, AuditCount]]:
        """Return the groups that have tasks: kill tasks first, then by how much the tasks tell."""
        # Listed by hand: alphabetical order would put craft before kill, and decoys before exact.
        kinds, levels = ("kill", "craft"), ("exact", "decoys", "world")

        def place(found: tuple[AuditGroup, AuditCount]) -> tuple[int, int, bool]:
            return kinds.index(found[0].kind), levels.index(found[0].knowledge), found[0].noise

        return sorted(self._counts.items(), key=place)

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield one row for each group and player; its score is the mean."""
        for group, count in self.groups():
            for name, solved in count.solved.items():
                score = count.scores[name] / count.tasks
                yield {**group._asdict(), "baseline": name, "tasks": count.tasks, "solved": solved, "score": score}


def audit(world: World, rules: Rules, tasks: Iterable[Task]) -> ShortcutAudit:
    """Return the counts for some tasks."""
    found = ShortcutAudit()
    for task in tasks:
        found.add(world, rules, task)
    return found
