"""A briefing: a task as far as it is told, for agents that are made for the RPG.

Everything here comes from the knowledge of the task, the rules, and the hero as he stands. An agent tries plans out in
the told world (`told`), so it can see whether a plan goes as the task tells, and learns nothing that is not told.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from herobench.prompts.described import describe, describe_section
from herobench.prompts.modes import told_of_part
from herobench.prompts.render import facts_of, shared_sections
from herobench.rpg.events import Action, Fought
from herobench.rpg.hero import Hero, HeroStart
from herobench.rpg.responses import character
from herobench.rpg.task import PlanTrack, Task
from herobench.sandbox import Sandbox


@dataclass(frozen=True, slots=True)
class DryRun:
    """The result of a plan that was tried out in the told world."""

    actions: tuple[Action, ...]
    """The actions that it attempted."""
    faultless: bool
    """True if the plan ran to its end, no action was refused and no fight lost."""
    told: str
    """How it ended, what was refused, and which fights were lost."""
    character: str
    """The hero's record afterwards, as JSON."""


class Briefing:
    """What one task tells, and its hero as he stands."""

    def __init__(self, sandbox: Sandbox, task: Task, hero: HeroStart | None = None, attempted: int = 0) -> None:
        """Take the hero of the task, or where a game has begun, the hero as he stands after so many actions."""
        self._sandbox = sandbox
        self._task = replace(_with_less(task, attempted), hero=hero or task.hero)

    @property
    def goals(self) -> Sequence[tuple[str, str]]:
        """The goals in their order, each as `kill` or `craft` with the code of its target."""
        return [(goal.kind, goal.target) for goal in self._task.goals]

    @property
    def track(self) -> PlanTrack:
        """What a plan may hold."""
        return self._task.mechanics.plan

    @property
    def by_chance(self) -> bool:
        """True if drops fall by chance, so that a plan cannot know how often it has to try."""
        return self._task.rules(self._sandbox.rules).drops == "by_rate"

    def facts(self) -> dict[str, str]:
        """Return what prompts are filled with: `goal`, `actions`, `fights`, `knowledge`, `character` and others."""
        facts = facts_of(self._sandbox.world, self._task, self._task.rules(self._sandbox.rules))
        return {name: str(fact) for name, fact in {**facts, **shared_sections(facts)}.items()}

    def describe(self, codes: Iterable[str]) -> str:
        """Return the told records of some things, and of all that they lead to."""
        return describe(self._sandbox.world, self._task, self._sandbox.rules, codes)

    def section(self, *headings: str) -> str:
        """Return all told records of some sections: recipes, materials, monsters, stats, places."""
        return describe_section(self._sandbox.world, self._task, self._sandbox.rules, *headings)

    def character(self) -> str:
        """Return the hero's record as JSON."""
        return json.dumps(character(self._sandbox.world, Hero(self._sandbox.world, self._task.hero)))

    def owned(self) -> list[str]:
        """Return the codes of what the hero has, worn or in his bag."""
        hero = self._task.hero
        return [*dict.fromkeys([*hero.worn.values(), *hero.inventory])]

    def dry_run(self, plan: str, before: Iterable[Action] = ()) -> DryRun:
        """Try a plan out in the told world, after some actions. It waits for a worker of the sandbox."""
        scene = self._sandbox.scene(self._task, told=True).do(before)
        part = self._sandbox.go_on(scene, plan)
        lost = any(isinstance(event.detail, Fought) and not event.detail.won for event in part.events)
        return DryRun(
            actions=tuple(event.action for event in part.events),
            faultless=part.finished and not lost and all(event.ok for event in part.events),
            told="\n\n".join(told_of_part(scene.game, part)),
            character=json.dumps(character(scene.game.world, scene.game.hero)),
        )


def _with_less(task: Task, attempted: int) -> Task:
    """Return a task whose budget is what some attempted actions leave of it."""
    mechanics = task.mechanics
    if mechanics.budget is None or not attempted:
        return task
    return replace(task, mechanics=replace(mechanics, budget=max(0, mechanics.budget - attempted)))
