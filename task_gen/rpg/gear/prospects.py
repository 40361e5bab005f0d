"""Bounds that rule out hopeless fights before any search, for all numbers of rounds at once.

A set wins only if it adds enough damage and enough health. So for any two weights, the weighted sum is enough too, and
it is at most the sum of the best items of the slots. If even the best items fall short under some weights, no such set
wins. All this is in floats, with a margin far beyond their errors: a bound never turns away a winning set.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from herobench.suites.rpg.game.rules import POINT, damage, gain, ward
from herobench.suites.rpg.game.world import Stats
from herobench.task_gen.rpg.gear.candidates import Slot

Array = NDArray[np.float64]

_PRICES = np.array([0, 1, 2, 4, 6, 8, 11, 16, 23, 32, 45, 64, 128, 512, 1]) / 16
_DAMAGE = np.array([1] * 14 + [0])
"""Pairs of weights, of health and of damage. The first pair ignores health, the last one damage."""
_MARGIN = 1e-6
_NO_NEED = 1e15
_BLOCK = 256


@dataclass(frozen=True)
class Prospects:
    """The bounds for one monster and one choice of slots; heroes and arms are given with each question."""

    monster: Stats
    slots: tuple[Slot, ...]
    """The slots, without arms among their choices."""
    rounds: int

    def fewest(self, base: Stats, groups: Sequence[int]) -> list[float]:
        """Return, for each number of rounds from 1 on, the least number of items that may win by then.

        `base` are the stats of the hero with his arms, `groups` the groups of his free slots. Infinity if no number of
        items is enough.
        """
        gains = gain(np.array(base.attack, float))
        numbers = {group: number for group, number in Counter(groups).items() if len(self._tables[group])}
        need_damage, need_health = self._needs(base)
        # Both sides are scaled to at most 1, so that one set of weights serves monsters of any strength.
        dealt = {group: self._tables[group][:, 2:] @ gains for group in numbers}
        value = max([1.0, *(float(np.abs(each).max()) for each in dealt.values())])
        enough = _DAMAGE * (need_damage / value)[:, None] + _PRICES * (need_health / self._worth)[:, None]
        best = [self._best(group, dealt[group] / value) for group, number in numbers.items() for _ in range(number)]
        sums = np.sort(np.array([np.zeros_like(enough), *best]), axis=0)[::-1].cumsum(axis=0)
        lacking = np.concatenate([np.zeros_like(enough)[None], sums]) < enough - _MARGIN * (1 + np.abs(enough))
        # The best items come first, so the sums never fall: the sums that are too small count the items that
        # it takes. The pair of weights that asks for most decides.
        counts = lacking.sum(axis=0).max(axis=1)
        return [float(count) if count <= len(best) else np.inf for count in counts]

    def gains(self, base: Stats, groups: Sequence[int]) -> tuple[int, int]:
        """Return the least and the most that gear may add to the damage of the hero's round, in hundredths."""
        gains = gain(np.array(base.attack))
        dealt = {group: self._damages[group] @ gains for group in set(groups)}
        bounds = [(min(0, int(dealt[group].min())), max(0, int(dealt[group].max()))) for group in groups]
        return sum(least for least, _ in bounds), sum(most for _, most in bounds)

    @cached_property
    def _damages(self) -> dict[int, NDArray[np.int64]]:
        """The damage percentages of each item by element, by group. A row of zeros is for no item."""
        nothing = (0,) * len(self.monster.attack)
        rows = {slot.group: [nothing, *(choice.adds.damage for choice in slot.choices)] for slot in self.slots}
        return {group: np.array(damages, np.int64) for group, damages in rows.items()}

    def _needs(self, base: Stats) -> tuple[Array, Array]:
        """Return the damage a round and the health that the gear must add, for each number of rounds."""
        rounds = np.arange(1, self.rounds + 1)
        health = POINT * self.monster.hp / rounds - damage(base, self.monster)
        stand = (rounds - 1.0) * damage(self.monster, base) - POINT * base.hp
        return health, np.where(rounds == 1, -_NO_NEED, stand)

    def _best(self, group: int, dealt: Array) -> Array:
        """Return the most that a slot adds, for each number of rounds and each pair of weights."""
        worth = _DAMAGE * dealt[:, None, None] + self._healths[group][:, :, None] * _PRICES
        best: Array = worth.max(axis=0)
        # Not below 0: a slot may stay empty.
        return best.clip(0)

    @cached_property
    def _tables(self) -> dict[int, Array]:
        """The items of each group that no other item dominates: health, damage warded off a round (both in hundredths),
        and damage percentages by element."""
        wards = ward(np.array(self.monster.attack, float))
        tables = {}
        for slot in self.slots:
            if slot.group not in tables:
                adds = [choice.adds for choice in slot.choices]
                rows = [(POINT * add.hp, np.dot(add.resistance, wards), *add.damage) for add in adds]
                tables[slot.group] = _front(np.array(rows, float).reshape(len(rows), 2 + len(wards)))
        return tables

    @cached_property
    def _healths(self) -> dict[int, Array]:
        """The worth of each item in health, by group and number of rounds, as a share of the largest worth."""
        return {group: self._health(table) / self._worth for group, table in self._tables.items()}

    @cached_property
    def _worth(self) -> float:
        return max([1.0, *(float(np.abs(self._health(table)).max()) for table in self._tables.values() if len(table))])

    def _health(self, table: Array) -> Array:
        health: Array = table[:, :1] + table[:, 1:2] * np.arange(self.rounds)
        return health


def _front(rows: Array) -> Array:
    """Return the rows that no other row dominates."""
    rows = np.unique(rows, axis=0)
    # In blocks, since comparing all rows with all at once takes memory by the square of their number.
    blocks = [rows[start : start + _BLOCK] for start in range(0, len(rows), _BLOCK)]
    keeps = [(rows[None] >= some[:, None]).all(axis=2).sum(axis=1) == 1 for some in blocks]
    return rows[np.concatenate(keeps)] if keeps else rows
