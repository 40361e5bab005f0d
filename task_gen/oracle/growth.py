"""How much healthier the hero is when he has beaten some monsters.

Victories teach, and what one teaches never grows with the hero's level. So each teaches at most what it would at the
level he starts with, and at least what it would at the highest level that he reaches.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from herobench.rpg.hero import Hero
from herobench.rpg.rules import Rules
from herobench.rpg.task import Task
from herobench.rpg.world import Code, World


class Growth:
    """The health and levels that the victories of a task bring."""

    def __init__(
        self, world: World, rules: Rules, task: Task, wins: Mapping[Code, int], level: int, spare: int = 0
    ) -> None:
        """Every victory teaches as at a level. `spare` victories over the strongest monster come before all others."""
        self._start = Hero(world, task.hero)
        self._world = world
        self._rules = rules
        self._task = task
        self._taught = {who: number * rules.xp_gain(level, world.monsters[who].level) for who, number in wins.items()}
        strongest = max(monster.level for monster in world.monsters.values())
        self._spare = spare * rules.xp_gain(level, strongest)
        self._known: dict[frozenset[Code], int] = {}

    @classmethod
    def at_most(cls, world: World, rules: Rules, task: Task, wins: Mapping[Code, int], spare: int) -> Growth:
        """The most that can be gained."""
        return cls(world, rules, task, wins, task.hero.combat[0], spare)

    @classmethod
    def at_least(cls, world: World, rules: Rules, task: Task, wins: Mapping[Code, int]) -> Growth:
        """What is gained in any order of the victories."""
        highest = cls.at_most(world, rules, task, wins, 0).level
        return cls(world, rules, task, wins, highest)

    @property
    def level(self) -> int:
        """The level after all victories."""
        return self._grown(self._taught).combat.level

    def extra_hp(self, beaten: frozenset[Code]) -> int:
        """The health gained when some are beaten."""
        if beaten not in self._known:
            self._known[beaten] = self._grown(beaten).hp - self._start.hp
        return self._known[beaten]

    def _grown(self, beaten: Iterable[Code]) -> Hero:
        hero = Hero(self._world, self._task.hero)
        hero.learn(self._spare + sum(self._taught.get(who, 0) for who in beaten), self._rules)
        return hero
