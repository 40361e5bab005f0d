"""The shortcut audit: how many tasks of a file give their answer away to the baselines, who do no sums.

Kill and craft tasks are counted apart, for a craft task names what is to be made and every baseline makes it; so are
the levels of knowledge, and tasks with noise. What a good file of tasks should come to is not decided here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from herobench.rpg.rules import Rules
from herobench.rpg.task import Kind, KnowledgeLevel, Task
from herobench.rpg.world import World
from herobench.task_gen.baselines import BASELINES, baseline_wins


class Group(NamedTuple):
    """Tasks that are counted together."""

    kind: Kind
    knowledge: KnowledgeLevel
    noise: bool

    @classmethod
    def of(cls, task: Task) -> Group:
        """The group of a task."""
        return cls(task.kind, task.knowledge.level, bool(task.knowledge.noise))

    def __str__(self) -> str:
        return f"{self.kind}, {self.knowledge}{', noise' if self.noise else ''}"


@dataclass(slots=True)
class Count:
    """How many tasks a group has, and how many of them each baseline solves."""

    tasks: int = 0
    solved: dict[str, int] = field(default_factory=lambda: dict.fromkeys(BASELINES, 0))


class Audit:
    """What baselines solve, added up one task at a time."""

    def __init__(self) -> None:
        self._counts: dict[Group, Count] = {}

    def add(self, world: World, rules: Rules, task: Task) -> None:
        """Let every baseline try a task."""
        count = self._counts.setdefault(Group.of(task), Count())
        count.tasks += 1
        for name in BASELINES:
            count.solved[name] += baseline_wins(world, rules, task, name)

    def groups(self) -> list[tuple[Group, Count]]:
        """The groups that have tasks, kill tasks first and those that tell least."""
        kinds, levels = ("kill", "craft"), ("exact", "decoys", "world")

        def place(found: tuple[Group, Count]) -> tuple[int, int, bool]:
            return kinds.index(found[0].kind), levels.index(found[0].knowledge), found[0].noise

        return sorted(self._counts.items(), key=place)

    def rows(self) -> Iterator[dict[str, Any]]:
        """A row a group and baseline."""
        for group, count in self.groups():
            for name, solved in count.solved.items():
                yield {**group._asdict(), "baseline": name, "tasks": count.tasks, "solved": solved}


def audit(world: World, rules: Rules, tasks: Iterable[Task]) -> Audit:
    """What baselines solve of tasks."""
    found = Audit()
    for task in tasks:
        found.add(world, rules, task)
    return found
