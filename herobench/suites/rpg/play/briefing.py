"""A briefing: the told part of a task, for agents that are made for the RPG.

Everything here comes from the knowledge of the task, the rules, and the present hero. An agent tries plans out in the
told world (`told`). So it sees whether a plan works as far as the task tells, and learns nothing that is not told.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from herobench.prompts.rpg.modes import told_of_part
from herobench.prompts.rpg.render import (
    Record,
    describe,
    describe_only,
    describe_section,
    frame_facts,
    plan_form,
    section_records,
    shared_sections,
)
from herobench.suites.rpg.game.episode import Episode
from herobench.suites.rpg.game.events import Action, Fought
from herobench.suites.rpg.game.game import Game
from herobench.suites.rpg.game.hero import Hero
from herobench.suites.rpg.game.responses import character
from herobench.suites.rpg.game.scoring import reaches_goal
from herobench.suites.rpg.game.task import PlanTrack, Task
from herobench.suites.rpg.game.world import Code
from herobench.suites.rpg.sandbox import Sandbox


@dataclass(frozen=True, slots=True)
class PartResult:
    """The result of a part of a plan, in the game or in a dry run."""

    actions: tuple[Action, ...]
    """The actions that it attempted."""
    faultless: bool
    """True if the part ran to its end without a refused action or a lost fight."""
    told: str
    """How it ended, what was refused, and which fights were lost."""
    character: str
    """The hero's record afterwards, as JSON."""
    owned: tuple[Code, ...]
    """What the hero has afterwards, worn or in his bag."""
    reached: bool
    """True if the goal is reached by then."""


def part_result(task: Task, game: Game, part: Episode) -> PartResult:
    """Return the result of the part of a plan that has just run in a game."""
    hero, lost = game.hero, any(isinstance(event.detail, Fought) and not event.detail.won for event in part.events)
    return PartResult(
        actions=tuple(event.action for event in part.events),
        faultless=part.finished and not lost and all(event.ok for event in part.events),
        told="\n\n".join(told_of_part(game, part)),
        character=json.dumps(character(game.world, hero)),
        owned=tuple(dict.fromkeys([*hero.worn.values(), *hero.inventory])),
        reached=reaches_goal(task, game.events),
    )


def _with_shown_gear(here: Task, before: Task) -> Task:
    """Return the present task, with the gear that the hero took off in the game added to its knowledge.

    His numbers before and after were told, so a dry run may put the gear on again."""
    codes = (*here.knowledge.stats, *here.knowledge.recipes, *here.hero.worn.values())
    off = tuple(code for code in dict.fromkeys(before.hero.worn.values()) if code not in codes)
    return replace(here, knowledge=replace(here.knowledge, stats=(*here.knowledge.stats, *off)))


def _from_here(task: Task, game: Game) -> Task:
    """Return a task as it continues from a game: with the present hero, and what is left of the budget."""
    mechanics = task.mechanics
    if mechanics.budget is not None:
        # the factor says nothing about a budget that is partly used
        factor = None if game.events else mechanics.budget_factor
        mechanics = replace(mechanics, budget=max(0, mechanics.budget - len(game.events)), budget_factor=factor)
    return replace(task, hero=task.hero.after(game.hero), mechanics=mechanics)


class Briefing:
    """What one task tells, with the present hero."""

    def __init__(self, sandbox: Sandbox, task: Task, game: Game | None = None, last: PartResult | None = None) -> None:
        """Take the hero of the task, or the present one of a game that has begun."""
        self._sandbox = sandbox
        self._task = task if game is None else _from_here(task, game)
        self._tried = _with_shown_gear(self._task, task)
        self.in_parts = game is not None
        """True if each part of a plan is carried out at once."""
        self.last = last
        """The result of the last part; None if there was none."""

    @property
    def track(self) -> PlanTrack:
        """What a plan may hold."""
        return self._task.mechanics.plan

    @property
    def takes_refusals(self) -> bool:
        """True if the task may be impossible, so that it can be given up."""
        return bool(self._task.mechanics.closed)

    @cached_property
    def facts(self) -> Mapping[str, str]:
        """What prompts are filled with: `goal`, `actions`, `fights`, `knowledge`, `character` and others."""
        facts = frame_facts(self._sandbox.world, self._task, self._task.rules(self._sandbox.rules))
        return {name: str(fact) for name, fact in {**facts, **shared_sections(facts)}.items()}

    @cached_property
    def _records(self) -> Mapping[str, list[Record]]:
        """The told records by section."""
        return section_records(self._sandbox.world, self._task, self._task.rules(self._sandbox.rules))

    def describe(self, codes: Iterable[str]) -> str:
        """Return the told records of some things, and of everything that they need."""
        return describe(self._records, codes)

    def section(self, *headings: str) -> str:
        """Return all told records of some sections: recipes, materials, monsters, stats, places."""
        return describe_section(self._records, *headings)

    def describe_items(self, codes: Iterable[str]) -> str:
        """Return the told records of some items alone."""
        return describe_only(self._records, codes)

    def plan_form(self) -> str:
        """Return what a plan of this task may contain, in the words of its prompt."""
        return plan_form(self._task.mechanics)

    def character(self) -> str:
        """Return the hero's record as JSON."""
        return json.dumps(character(self._sandbox.world, Hero(self._sandbox.world, self._task.hero)))

    def owned(self) -> tuple[Code, ...]:
        """Return the codes of what the hero has, worn or in his bag."""
        hero = self._task.hero
        return tuple(dict.fromkeys([*hero.worn.values(), *hero.inventory]))

    def try_out(self, plan: str, before: Iterable[Action] = ()) -> PartResult:
        """Try a plan out in the told world, after some actions. It waits for a worker of the sandbox."""
        scene = self._sandbox.scene(self._tried, told=True).do(before)
        return part_result(self._tried, scene.game, self._sandbox.go_on(scene, plan))
