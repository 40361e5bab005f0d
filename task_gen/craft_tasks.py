"""Craft tasks: an item to be made from what can be gathered and what the exchange sells.

What only monsters drop, or what nobody has but the exchange, is told to be for sale: a craft task has no fights.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from types import MappingProxyType

from herobench.rpg.hero import HeroStart
from herobench.rpg.rules import Rules
from herobench.rpg.world import Code, World
from herobench.task_gen.difficulty import item_difficulty
from herobench.task_gen.draft import Draft, skills_for
from herobench.task_gen.oracle.crafting import Requirements
from herobench.task_gen.spec import Spec

_STEP = 5
"""Heroes of craft tasks have levels in steps of so many."""


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
        """Whether there are targets of a difficulty."""
        return difficulty in self._targets

    def draw(self, difficulty: int, chance: Random) -> Draft | None:
        """A task of a difficulty by chance; None where there is no target for one."""
        if difficulty not in self._targets:
            return None
        target = chance.choice(self._targets[difficulty])
        needed = max(skills_for(self._world, 1, {target: 1}).values())
        level = chance.choice(self._levels(needed))
        hero = HeroStart.bare(self._world, self._rules, level, skills_for(self._world, level, {target: 1}))
        raw = Requirements.of(self._world, {target: 1}).raw
        return Draft("craft", target, hero, MappingProxyType({}), frozenset(raw.keys() - self._world.nodes.keys()))

    def range(self) -> tuple[int, int] | None:
        """The least and the highest difficulty; None where nothing can be crafted."""
        return (min(self._targets), max(self._targets)) if self._targets else None

    def _levels(self, needed: int) -> list[int]:
        if self._level is not None:
            return [self._level]
        return [level for level in (1, *range(_STEP, self._rules.level_cap + 1, _STEP)) if level >= needed] or [needed]


def can_be_target(world: World, code: Code) -> bool:
    """Whether a craft task can ask for something that has a recipe: all that cannot be gathered for it is for sale."""
    raw = Requirements.of(world, {code: 1}).raw
    bought = raw.keys() - world.nodes.keys()
    return not bought or (bool(world.standing("grand_exchange")) and bought <= world.exchange_sells)


def craftable_like(world: World, target: Code) -> Mapping[Code, int]:
    """What else the skill of a target's recipe makes, with the levels of the recipes."""
    recipe = world.items[target].recipe
    return {
        code: item.recipe.level
        for code, item in world.items.items()
        if recipe and item.recipe and item.recipe.skill == recipe.skill and code != target
    }
