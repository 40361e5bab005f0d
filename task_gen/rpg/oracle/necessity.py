"""Prove that all of the missing gear is needed: with any proper subset of it the hero loses.

Called when a certificate is made and when it is validated. An item that is left out leaves the old item on, or the
slot empty. All subsets are tried, not only those that lack one item: old gear can be better in one stat and worse in
another, so leaving out two items may win where leaving out one loses.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from herobench.suites.rpg.game.combat import Duel, duel
from herobench.suites.rpg.game.combat_batch import Fighters, duels, rows_of
from herobench.suites.rpg.game.hero import Hero, HeroStart
from herobench.suites.rpg.game.milestones import TaskItems
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import Code, Monster, Stats, World
from herobench.task_gen.rpg.gear.candidates import subtract
from herobench.task_gen.rpg.oracle.wardrobe import Wardrobe


def needs_leveling(world: World, task: Task) -> bool:
    """Return whether the missing gear asks for more than the hero's level, or the work for more than his skills."""
    gear = (world.items[code] for goal in task.goals for code in goal.missing.values())
    if any(item.level > task.hero.combat[0] for item in gear):
        return True
    # A skill that the task does not list is at level 1.
    return any(task.hero.skills.get(skill, (1, 0, 0))[0] < level for skill, level in _demands(world, task))


def _demands(world: World, task: Task) -> set[tuple[str, int]]:
    """Return the skills and levels that the task's crafts and gatherings ask for."""
    parts = TaskItems.of(task, world)
    targets = {goal.target for goal in task.goals if goal.kind == "craft"}
    crafted = parts.missing | targets | parts.intermediates
    recipes = filter(None, map(world.recipe_of, crafted))
    demands = {(recipe.skill, recipe.level) for recipe in recipes}
    return demands.union(*(_gathering(world, code) for code in parts.leaves - task.knowledge.sold))


def _gathering(world: World, code: Code) -> set[tuple[str, int]]:
    """Return the skill and level of the easiest node of an item, or nothing if a monster drops the item."""
    nodes = [world.resources[node] for node in world.nodes.get(code, ())]
    # A dropped item can be had by fights, so it needs no skill.
    if not nodes or code in world.droppers:
        return set()
    easiest = min(nodes, key=lambda node: node.level)
    return {(easiest.skill, easiest.level)}


MOST_SLOTS = 16
"""The largest number of missing items for which all subsets are tried: their number doubles per item."""


class MissingGear(NamedTuple):
    """The hero's stats at the start, and what each missing item changes in them."""

    base: Stats
    changes: tuple[Stats, ...]
    """For each missing item: its stats less those of the item that it replaces."""

    @classmethod
    def of(cls, world: World, hero: HeroStart, missing: Mapping[str, Code], extra_hp: int = 0) -> MissingGear:
        """Return the missing gear of a hero who has `extra_hp` more health than at the start."""
        base = Hero(world, hero).stats
        changes = []
        for slot, code in missing.items():
            new = world.items[code].worn
            changes.append(subtract(new, world.items[hero.worn[slot]].worn) if slot in hero.worn else new)
        return cls(base._replace(hp=base.hp + extra_hp), tuple(changes))

    def winning_subsets(self, target: Monster, rules: Rules) -> list[frozenset[int]]:
        """Return the subsets of the missing gear that win, as sets of indices."""
        count = len(self.changes)
        masks = _all_parts(count) if count <= MOST_SLOTS else _large_parts(count)
        # One matrix product gives the hero's stats for every subset, and all fights are then computed at once.
        rows = rows_of([self.base]) + masks @ rows_of(self.changes)
        won = duels(Fighters.of(rows), target.stats, rules.rounds).won
        return [frozenset(np.flatnonzero(masks[row]).tolist()) for row in np.flatnonzero(won)]

    def all_needed(self, target: Monster, rules: Rules) -> bool:
        """Return whether the whole missing gear wins, and no proper subset of it."""
        return self.winning_subsets(target, rules) == [frozenset(range(len(self.changes)))]


def gains(target: Monster, rules: Rules, most: int) -> Collection[int]:
    """Return the gains of health, beside none, at which the need of gear is checked.

    More health never loses a fight of hits, so the most covers all below it. A round effect of the monster may do
    anything with the hero's health: then the gain of each level counts.
    """
    step = rules.hp_per_level
    if step <= 0 or not target.stats.round_effects:
        return (most,)
    return (*range(step, most, step), most)


def _all_parts(count: int) -> NDArray[np.int_]:
    # Row i holds the bits of i, so there is one row per subset.
    return (np.arange(2**count)[:, None] >> np.arange(count)) & 1


def _large_parts(count: int) -> NDArray[np.int_]:
    # So many items have too many subsets: only those that lack one item are tried, and the whole.
    return np.vstack([1 - np.eye(count, dtype=int), np.ones(count, int)])


def without(world: World, rules: Rules, task: Task, extra_hp: int) -> dict[str, Duel]:
    """Return how the last fight ends for each missing item that is left out, for a hero with `extra_hp` more health."""
    wardrobe = Wardrobe(world, rules, task, extra_hp)
    slots = frozenset(task.missing)
    target = world.monsters[task.target]
    return {slot: duel(wardrobe.fighter(slots - {slot}), target.stats, rules.rounds) for slot in task.missing}
