"""Growth: how much health victories give the hero.

The search over job orders uses it. Experience per victory never grows with the hero's level. So every victory gives
at most what it gives at his first level, and at least what it gives at the highest level that he reaches: an upper
bound for the lower bound on actions, and a lower bound for plans that must win.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from herobench.rpg.hero import Hero
from herobench.rpg.rules import Rules
from herobench.rpg.task import Task
from herobench.rpg.world import Code, World


class Growth:
    """The health and the levels that the victories of a task give."""

    def __init__(
        self, world: World, rules: Rules, task: Task, wins: Mapping[Code, int], level: int, spare: int = 0
    ) -> None:
        """Count every victory as at `level`; `spare` victories over the strongest monster come before all others."""
        self._start = Hero(world, task.hero)
        self._world = world
        self._rules = rules
        self._task = task
        self._taught = {who: number * rules.xp_gain(level, world.monsters[who].level) for who, number in wins.items()}
        # The strongest monster gives the most experience, so it bounds every spare victory.
        strongest = max(monster.level for monster in world.monsters.values())
        self._spare = spare * rules.xp_gain(level, strongest)
        self._known: dict[frozenset[Code], int] = {}

    @classmethod
    def at_most(cls, world: World, rules: Rules, task: Task, wins: Mapping[Code, int], spare: int) -> Growth:
        """Return an upper bound on the growth."""
        return cls(world, rules, task, wins, task.hero.combat[0], spare)

    @classmethod
    def at_least(cls, world: World, rules: Rules, task: Task, wins: Mapping[Code, int]) -> Growth:
        """Return a lower bound on the growth that holds in any order of the victories."""
        highest = cls.at_most(world, rules, task, wins, 0).level
        return cls(world, rules, task, wins, highest)

    @property
    def level(self) -> int:
        """The hero's level after all victories."""
        return self._grown(self._taught).combat.level

    def extra_hp(self, beaten: frozenset[Code]) -> int:
        """Return the health gained once some monsters are beaten."""
        if beaten not in self._known:
            self._known[beaten] = self._grown(beaten).hp - self._start.hp
        return self._known[beaten]

    def _grown(self, beaten: Iterable[Code]) -> Hero:
        hero = Hero(self._world, self._task.hero)
        # Experience adds up, so the order of the victories does not matter at a fixed rate.
        hero.learn(self._spare + sum(self._taught.get(who, 0) for who in beaten), self._rules)
        return hero
