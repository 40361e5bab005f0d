"""Prospects: which fights are worth a search at all, told by bounds for all numbers of rounds at once.

A set of so many items wins only if it adds damage enough and health enough. Whatever these two are weighed with, the
sum of both is then enough too, and no more than the sum of the best items of the slots. So weights under which even the
best items do not come to enough prove that no such set wins. Weights are tried in steps; what they leave open, the
search decides. All this is in floats, with a margin far beyond their errors: a bound never turns a winning set away.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from herobench.rpg.combat import POINT, damage, gain, ward
from herobench.rpg.world import Stats
from herobench.task_gen.gear.choices import Slot

Array = NDArray[np.float64]

_PRICES = np.array([0, 1, 2, 4, 6, 8, 11, 16, 23, 32, 45, 64, 128, 512, 1]) / 16
_DAMAGE = np.array([1] * 14 + [0])
"""The weights: of health, and of damage. The first leave health out, the last damage."""
_MARGIN = 1e-6
_NO_NEED = 1e15
_BLOCK = 256


@dataclass(frozen=True)
class Prospects:
    """The bounds for one monster, whoever fights it with whatever arms."""

    monster: Stats
    slots: tuple[Slot, ...]
    """With unarmed choices only."""
    rounds: int

    def fewest(self, base: Stats, groups: Sequence[int]) -> list[float]:
        """For each number of rounds, from one on, how many items at least it takes to win in so many: of a hero who is
        `base` with his arms, in the slots of groups that are left to him. Infinity where no number is enough."""
        gains = gain(np.array(base.attack, float))
        numbers = {group: number for group, number in Counter(groups).items() if len(self._tables[group])}
        need_damage, need_health = self._needs(base)
        dealt = {group: self._tables[group][:, 2:] @ gains for group in numbers}
        value = max([1.0, *(float(np.abs(each).max()) for each in dealt.values())])
        enough = _DAMAGE * (need_damage / value)[:, None] + _PRICES * (need_health / self._worth)[:, None]
        best = [self._best(group, dealt[group] / value) for group, number in numbers.items() for _ in range(number)]
        sums = np.sort(np.array([np.zeros_like(enough), *best]), axis=0)[::-1].cumsum(axis=0)
        lacking = np.concatenate([np.zeros_like(enough)[None], sums]) < enough - _MARGIN * (1 + np.abs(enough))
        counts = lacking.sum(axis=0).max(axis=1)
        return [float(count) if count <= len(best) else np.inf for count in counts]

    def gains(self, base: Stats, groups: Sequence[int]) -> tuple[int, int]:
        """The least and the most that gear may add to the damage of a round of the hero's, in hundredths."""
        gains = gain(np.array(base.attack))
        dealt = {group: self._damages[group] @ gains for group in set(groups)}
        bounds = [(min(0, int(dealt[group].min())), max(0, int(dealt[group].max()))) for group in groups]
        return sum(least for least, _ in bounds), sum(most for _, most in bounds)

    @cached_property
    def _damages(self) -> dict[int, NDArray[np.int64]]:
        """By group, what items add to damage by element, and what no item does."""
        nothing = (0,) * len(self.monster.attack)
        rows = {slot.group: [nothing, *(choice.adds.damage for choice in slot.choices)] for slot in self.slots}
        return {group: np.array(damages, np.int64) for group, damages in rows.items()}

    def _needs(self, base: Stats) -> tuple[Array, Array]:
        """What the gear has to add to the damage of a round, and to health, for each number of rounds."""
        rounds = np.arange(1, self.rounds + 1)
        health = POINT * self.monster.hp / rounds - damage(base, self.monster)
        stand = (rounds - 1.0) * damage(self.monster, base) - POINT * base.hp
        return health, np.where(rounds == 1, -_NO_NEED, stand)

    def _best(self, group: int, dealt: Array) -> Array:
        """What a slot adds at most, for each number of rounds and each pair of weights."""
        worth = _DAMAGE * dealt[:, None, None] + self._healths[group][:, :, None] * _PRICES
        best: Array = worth.max(axis=0)
        return best.clip(0)

    @cached_property
    def _tables(self) -> dict[int, Array]:
        """By group, the items that no other one makes idle: health, what is warded off in a round, damage by element;
        the first two in hundredths."""
        wards = ward(np.array(self.monster.attack, float))
        tables = {}
        for slot in self.slots:
            if slot.group not in tables:
                adds = [choice.adds for choice in slot.choices]
                rows = [(POINT * add.hp, np.dot(add.resistance, wards), *add.damage) for add in adds]
                tables[slot.group] = _fronted(np.array(rows, float).reshape(len(rows), 2 + len(wards)))
        return tables

    @cached_property
    def _healths(self) -> dict[int, Array]:
        """By group, what each item is worth in health in fights of each number of rounds, as a part of the most."""
        return {group: self._health(table) / self._worth for group, table in self._tables.items()}

    @cached_property
    def _worth(self) -> float:
        return max([1.0, *(float(np.abs(self._health(table)).max()) for table in self._tables.values() if len(table))])

    def _health(self, table: Array) -> Array:
        health: Array = table[:, :1] + table[:, 1:2] * np.arange(self.rounds)
        return health


def _fronted(rows: Array) -> Array:
    """The rows that no other row is as good as in everything."""
    rows = np.unique(rows, axis=0)
    kept = [_kept(rows[start : start + _BLOCK], rows) for start in range(0, len(rows), _BLOCK)]
    return rows[np.concatenate(kept)] if kept else rows


def _kept(some: Array, rows: Array) -> NDArray[np.bool_]:
    kept: NDArray[np.bool_] = (rows[None] >= some[:, None]).all(axis=2).sum(axis=1) == 1
    return kept
