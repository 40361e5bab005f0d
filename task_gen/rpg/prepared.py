"""The oracle's knowledge of one task, worked out once for all turns and roles that it answers in."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import World
from herobench.task_gen.rpg.oracle.planner import oracle_plan
from herobench.task_gen.rpg.oracle.steps import Step, Subtask, subtasks_of
from herobench.task_gen.rpg.unsolvable.reach import is_out_of_reach


class Prepared:
    """The oracle's plan for a task, or its proof that there is none."""

    def __init__(self, world: World, rules: Rules, task: Task) -> None:
        self.world = world
        self.task = task
        self._rules = rules

    @cached_property
    def is_impossible(self) -> bool:
        """True if the oracle proves that no plan wins. It takes nothing from the task that a model is not told."""
        return is_out_of_reach(self.world, self._rules, self.task)

    @cached_property
    def steps(self) -> Sequence[Step]:
        """The plan. Raises Unplannable if there is none."""
        return oracle_plan(self.world, self.task.rules(self._rules), self.task)

    @cached_property
    def subtasks(self) -> Sequence[Subtask]:
        """The plan in pieces."""
        return subtasks_of(self.world, self.task, self.steps)
