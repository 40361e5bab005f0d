"""Craft tasks: draw an item that the hero has to make.

The generator calls this. A craft task has no fights, so materials that only monsters drop, and those that only the
exchange has, are told to be for sale.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from types import MappingProxyType

from herobench.suites.rpg.game.hero import HeroStart
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.world import Code, World
from herobench.task_gen.rpg.oracle.requirements import Requirements, skills_for
from herobench.task_gen.rpg.tasks.difficulty import item_difficulty
from herobench.task_gen.rpg.tasks.kill_tasks import TaskDraft
from herobench.task_gen.rpg.tasks.spec import Spec

_STEP = 5
"""Heroes of craft tasks have levels that are multiples of this, or level 1."""


class CraftTasks:
    """The craft tasks of a spec."""

    def __init__(self, world: World, rules: Rules, spec: Spec) -> None:
        self._world = world
        self._rules = rules
        self._level = spec.level
        self._targets: dict[int, list[Code]] = {}
        for code, item in world.items.items():
            if item.recipe and can_be_target(world, code):
                self._targets.setdefault(item_difficulty(world, code), []).append(code)

    def has(self, difficulty: int) -> bool:
        """Return whether there are targets of a difficulty."""
        return difficulty in self._targets

    def draw(self, difficulty: int, rng: Random) -> TaskDraft | None:
        """Draw a task of a difficulty at random. Return None if no target has that difficulty."""
        if difficulty not in self._targets:
            return None
        target = rng.choice(self._targets[difficulty])
        # A bare hero's skills are at his level, so the level has to reach the highest skill that is needed.
        needed = max(skills_for(self._world, 1, {target: 1}).values())
        level = rng.choice(self._levels(needed))
        hero = HeroStart.bare(self._world, self._rules, level, skills_for(self._world, level, {target: 1}))
        raw = Requirements.of(self._world, {target: 1}).raw
        return TaskDraft("craft", target, hero, MappingProxyType({}), frozenset(raw.keys() - self._world.nodes.keys()))

    def range(self) -> tuple[int, int] | None:
        """Return the lowest and the highest difficulty, or None if nothing can be crafted."""
        return (min(self._targets), max(self._targets)) if self._targets else None

    def _levels(self, needed: int) -> list[int]:
        if self._level is not None:
            return [self._level]
        return [level for level in (1, *range(_STEP, self._rules.level_cap + 1, _STEP)) if level >= needed] or [needed]


def can_be_target(world: World, code: Code) -> bool:
    """Return whether a craft task can ask for an item with a recipe: all that cannot be gathered for it is for sale."""
    raw = Requirements.of(world, {code: 1}).raw
    bought = raw.keys() - world.nodes.keys()
    # Without an exchange on the map, nothing can be bought, whatever the world sells.
    return not bought or (bool(world.standing("grand_exchange")) and bought <= world.exchange_sells)


def craftable_like(world: World, target: Code) -> Mapping[Code, int]:
    """Return the other items that the skill of the target's recipe makes, with the levels of their recipes."""
    recipe = world.items[target].recipe
    return {
        code: item.recipe.level
        for code, item in world.items.items()
        if recipe and item.recipe and item.recipe.skill == recipe.skill and code != target
    }
