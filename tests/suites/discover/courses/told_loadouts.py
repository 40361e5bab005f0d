"""The loadouts of a hero, each an entry of a table with an axis for each slot, for the two searches of these tests."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from itertools import product

import numpy as np
from numpy.typing import NDArray

from herobench.suites.rpg.game.combat_batch import Fighters, duels, stat_rows
from herobench.suites.rpg.game.hero import Hero
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import Code, World, slot_type

Worn = tuple[Code | None, ...]


class Loadouts:
    """Lists all sets of gear that a hero can wear, and says which of them beat a monster."""

    def __init__(self, told: World, rules: Rules, task: Task, gear: Iterable[Code], may_strip: bool = False) -> None:
        self.slots = [slot for slot in told.slots if not slot.startswith("consumable")]
        self._told, self._rules, self._task = told, rules, task
        having = sorted(set(gear))
        self.options: list[list[Code | None]] = []
        for slot in self.slots:
            fitting: list[Code | None] = [code for code in having if told.items[code].type == slot_type(slot)]
            self.options.append([*fitting, None] if may_strip or slot not in task.hero.worn else fitting)
        self.start: Worn = tuple(task.hero.worn.get(slot) for slot in self.slots)

    @cached_property
    def _fighters(self) -> Fighters:
        bare = Hero(self._told, self._task.hero)
        for slot in [*bare.worn]:
            bare.take_off(slot)
        total = stat_rows([bare.stats])
        for options in self.options:
            rows = np.array([stat_rows([self._told.items[code].worn])[0] if code else 0 * total[0] for code in options])
            total = (total[:, None, :] + rows[None, :, :]).reshape(-1, total.shape[1])
        return Fighters.of(total)

    def wins(self, who: Code) -> NDArray[np.bool_]:
        """Return a table of the loadouts that beat a monster, with an axis for each slot."""
        won = duels(self._fighters, self._told.monsters[who].stats, self._rules.rounds).won
        return won.reshape([len(options) for options in self.options])

    def winners(self, who: Code) -> list[Worn]:
        """Return the loadouts that beat a monster."""
        every = zip(product(*self.options), self.wins(who).ravel(), strict=True)
        return [worn for worn, wins in every if wins]
