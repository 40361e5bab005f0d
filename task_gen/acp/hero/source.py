"""An RPG task as a source of questions: its told world at the start, and the oracle's plan, action by action."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

from herobench.data.errors import UsageError
from herobench.suites.acp.hero.question import act
from herobench.suites.acp.hero.scene import HeroScene
from herobench.suites.rpg.game.events import Action
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import CONSUMABLE, World
from herobench.suites.rpg.worlds.content import load_rules
from herobench.task_gen.rpg.oracle.loadouts import needs_leveling
from herobench.task_gen.rpg.oracle.planner import oracle_plan
from herobench.task_gen.rpg.oracle.steps import Do
from herobench.task_gen.rpg.tasks.difficulty import group_of
from herobench.task_gen.rpg.twins import content_digest


@dataclass(frozen=True)
class QuestionDraft:
    """The scene of a question, its proven answer, and what its text needs."""

    scene: HeroScene
    answer: Any
    given: tuple[Action, ...] = ()
    facts: Mapping[str, object] = field(default_factory=dict)
    """What is put into the words of the question."""


@dataclass(frozen=True)
class PlannedScene:
    """The scene at the start of a task, and a plan from there that reaches the goal with nothing refused."""

    world: World
    """The whole world."""
    task: Task
    scene: HeroScene
    plan: tuple[Action, ...]
    rules: str

    @classmethod
    def of(cls, world: World, task: Task, rules: str) -> PlannedScene:
        """Take a task. Raise UsageError for one that no questions are asked about."""
        edition = load_rules(rules)
        if reason := unfit(world, task.rules(edition), task):
            raise UsageError(f"No questions can be asked about the task {task.id}: {reason}.")
        scene = HeroScene.of(world, task, edition)
        steps = oracle_plan(world, task.rules(edition), task)
        plan = tuple(act(step.action, *step.args) for step in steps if isinstance(step, Do) for _ in range(step.times))
        events = scene.played(plan)
        if len(events) < len(plan) or not scene.wins(plan) or not all(event.ok for event in events):
            raise UsageError(f"No questions can be asked about the task {task.id}: its plan needs what is not told.")
        return cls(world, task, scene, plan, rules)

    @property
    def edition(self) -> Rules:
        """The edition of the rules, without what the task changes."""
        return load_rules(self.rules)

    @property
    def digest(self) -> str:
        """The digest of the task's content."""
        return content_digest(self.task.as_row()).hex()

    @property
    def group(self) -> str:
        """The group of the task in reports."""
        return group_of(self.task)

    def cut(self, chance: Random, least: int = 0, *, whole_hunts: bool = False) -> tuple[HeroScene, tuple[Action, ...]]:
        """Draw a state of the plan, with at least some actions left. Return it and the rest of the plan.

        With `whole_hunts` no state lies between two fights, so that what was begun to be collected is complete.
        """
        cuts = list(range(max(1, len(self.plan) - least)))
        if whole_hunts:
            cuts = [cut for cut in cuts if not cut or not self.plan[cut - 1].name == self.plan[cut].name == "fight"]
        cut = chance.choice(cuts)
        return self.scene.after(self.plan[:cut]), self.plan[cut:]


def unfit(world: World, rules: Rules, task: Task) -> str | None:
    """Return why no questions are asked about a task; None if they are."""
    told = (world.items[code] for code in (*task.knowledge.recipes, *task.knowledge.materials, *task.knowledge.stats))
    if task.campaign:
        return "it is a campaign"
    if rules.drops != "sure":
        return "its drops fall by chance"
    if rules.workshop != "matching" or rules.defeat == "final":
        return f"the rules {rules.name} are not told in the questions"
    if task.mechanics.closed or task.mechanics.budget is not None:
        return "it has closed places or a budget"
    if needs_leveling(world, task):
        return "the hero's skills have to be raised for it"
    if task.hero.consumables or (any(item.type == CONSUMABLE for item in told) and task.knowledge.monsters):
        return "food may decide its fights"
    return None
