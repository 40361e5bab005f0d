"""An RPG task as a source of questions: its told world at the start, the oracle's plan, and the text of a question.

The world is told in the records of the prompts of RPG tasks; the rules and the state have words of their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

from herobench.data.errors import UsageError
from herobench.prompts.acp.prompt import HERO_WORDS
from herobench.prompts.rpg.render import describe_records, fill, section_records
from herobench.suites.acp.hero.question import action_text
from herobench.suites.acp.hero.scene import HeroScene, act
from herobench.suites.rpg.game.events import Action
from herobench.suites.rpg.game.hero import Hero
from herobench.suites.rpg.game.rules import CRAFTING, Fighter, Rules
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import CONSUMABLE, World
from herobench.suites.rpg.worlds.content import load_rules
from herobench.task_gen.rpg.oracle.loadouts import needs_leveling
from herobench.task_gen.rpg.oracle.planner import oracle_plan
from herobench.task_gen.rpg.oracle.steps import Do
from herobench.task_gen.rpg.tasks.spec import task_group
from herobench.task_gen.rpg.twins import content_digest

_NOTHING = "nothing"


def context(scene: HeroScene) -> str:
    """Return the world, its rules and the state."""
    world, rules = scene.world, scene.rules
    x, y = world.start
    curve = fill(f"xp_{rules.xp}")
    teaching = {"curve": curve, "crafting": CRAFTING, "cap": rules.level_cap, "health": rules.hp_per_level}
    return HERO_WORDS.fill(
        "context",
        slots=", ".join(world.slots),
        elements=", ".join(world.elements),
        start_x=x,
        start_y=y,
        rounds=rules.rounds,
        experience=HERO_WORDS.fill(f"experience_{rules.experience}", **teaching),
        # A question tells where the hero is and what he has with the state, so its knowledge depends on neither.
        sections=describe_records(section_records(scene.whole, scene.task, scene.rules)),
        state=_state(scene),
    )


def question_text(scene: HeroScene, task: str, **facts: object) -> str:
    """Return the text of a question."""
    kind = scene.task.kind
    things = scene.world.monsters if kind == "kill" else scene.world.items
    goal = HERO_WORDS.fill(f"goal_{kind}", name=things[scene.task.target].name, code=scene.task.target)
    return HERO_WORDS.fill(f"ask_{task}", **{"goal": goal, **facts})


def gear_goal(scene: HeroScene, gear: Mapping[str, int]) -> str:
    """Return the goal to beat the target in some gear, given as a number of pieces by item."""
    target = scene.task.target
    worn = ", ".join(code if count == 1 else f"{count} {code}" for code, count in sorted(gear.items()))
    return HERO_WORDS.fill("goal_gear", name=scene.world.monsters[target].name, code=target, gear=worn)


def numbered(plan: Iterable[Action]) -> str:
    """Return a plan, one action a line with its number, from 0."""
    return "\n".join(f"{number}: {action_text(action)}" for number, action in enumerate(plan))


def _state(scene: HeroScene) -> str:
    start, world = scene.task.hero, scene.world
    hero, content = Hero(world, start), world.tiles[start.place].content
    level, xp, needed = start.combat
    return HERO_WORDS.fill(
        "state",
        x=start.place[0],
        y=start.place[1],
        here=f", where there is {content.code} ({content.type})" if content else "",
        bag=_listed(f"{count} {code}" for code, count in sorted(start.inventory.items())),
        worn=_listed(f"{start.worn[slot]} ({slot})" for slot in world.slots if slot in start.worn),
        level=level,
        xp=xp,
        next=needed,
        skills=_listed(
            f"{skill} {progress.level} ({progress.xp} of {progress.next_level_xp})"
            for skill, progress in hero.skills.items()
        ),
        stats=_stats(world, Fighter(hero.stats)),
    )


def _stats(world: World, fighter: Fighter) -> str:
    named = {"hp": fighter.stats.hp}
    for prefix, values in zip(("attack", "dmg", "res"), fighter.stats[1:4], strict=True):
        named |= {f"{prefix}_{element}": value for element, value in zip(world.elements, values, strict=True)}
    return _listed(f"{name} {value}" for name, value in named.items() if value)


def _listed(texts: Iterable[str]) -> str:
    return ", ".join(texts) or _NOTHING


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
        return task_group(self.task)

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
