"""That all of the missing gear is needed: with any part of it left out, the target wins.

What is left out leaves the old gear on, or the slot empty. Every part is tried, not only those that lack one item,
since old gear may be better in one respect and worse in another.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from herobench.rpg.combat import Duel, duel
from herobench.rpg.combat_batch import Fighters, duels, rows_of
from herobench.rpg.hero import Hero, HeroStart
from herobench.rpg.rules import Rules
from herobench.rpg.task import Task
from herobench.rpg.world import Code, Monster, Stats, World
from herobench.task_gen.gear.stats import subtract
from herobench.task_gen.oracle.wardrobe import Wardrobe

MOST_SLOTS = 16
"""Beyond so many slots of missing gear only the parts that lack one item are tried."""


class Dressing(NamedTuple):
    """A hero against a target, before and with the missing gear."""

    base: Stats
    changes: tuple[Stats, ...]
    """What each slot's missing item adds, less what it takes the place of."""

    @classmethod
    def of(cls, world: World, hero: HeroStart, missing: Mapping[str, Code], extra_hp: int = 0) -> Dressing:
        """The hero of a task, so much healthier than he starts."""
        base = Hero(world, hero).stats
        changes = []
        for slot, code in missing.items():
            new = world.items[code].worn
            changes.append(subtract(new, world.items[hero.worn[slot]].worn) if slot in hero.worn else new)
        return cls(base._replace(hp=base.hp + extra_hp), tuple(changes))

    def parts_that_win(self, target: Monster, rules: Rules) -> list[frozenset[int]]:
        """The parts of the missing gear, by the numbers of their slots, with which the hero wins."""
        count = len(self.changes)
        masks = _all_parts(count) if count <= MOST_SLOTS else _large_parts(count)
        rows = rows_of([self.base]) + masks @ rows_of(self.changes)
        won = duels(Fighters.of(rows), target.stats, rules.rounds).won
        return [frozenset(np.flatnonzero(masks[row]).tolist()) for row in np.flatnonzero(won)]

    def all_needed(self, target: Monster, rules: Rules) -> bool:
        """Whether all of the missing gear wins, and no proper part of it."""
        return self.parts_that_win(target, rules) == [frozenset(range(len(self.changes)))]


def _all_parts(count: int) -> NDArray[np.int_]:
    return (np.arange(2**count)[:, None] >> np.arange(count)) & 1


def _large_parts(count: int) -> NDArray[np.int_]:
    return np.vstack([1 - np.eye(count, dtype=int), np.ones(count, int)])


def without(world: World, rules: Rules, task: Task, extra_hp: int) -> dict[str, Duel]:
    """How the last fight goes when one item of the missing gear is left out, for a hero so much healthier."""
    wardrobe = Wardrobe(world, rules, task, extra_hp)
    slots = frozenset(task.missing)
    target = world.monsters[task.target]
    return {slot: duel(wardrobe.fighter(slots - {slot}), target.stats, rules.rounds) for slot in task.missing}
