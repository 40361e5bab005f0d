"""Weighted sums: for each slot the piece with the highest sum of told numbers, some of them times the monster's.

No round is computed and no strike. A hit on an element counts by what the monster's resistance lets through, a
resistance by what the monster strikes with, and a bonus to hits by the attack of the weapon that goes with it. For each
weapon the best pieces of the other slots are taken, and then the weapon with the highest sum of all. That is how an
attacker with a pocket calculator would choose, and what campaigns are meant to resist.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from herobench.suites.rpg.game.world import Item, Stats
from herobench.task_gen.rpg.audit.case import Case, OpenSlot, wearing
from herobench.task_gen.rpg.audit.journey import Journey

Numbers = NDArray[np.float64]
FEATURES = ("hits", "bonus", "wards", "hp", "attack", "damage", "resistance", "through", "level")
"""What is told of a piece. The first three are products with the monster's numbers, and so is `through`."""
_PERCENT = 100


class Foe(NamedTuple):
    """A monster, as the sums see it: the share of each element that comes through, and what it strikes with."""

    through: Numbers
    strikes: Numbers

    @classmethod
    def of(cls, stats: Stats) -> Foe:
        """Return a monster by its told numbers."""
        attack, damage = np.array(stats.attack), np.array(stats.damage)
        return cls(1 - np.array(stats.resistance) / _PERCENT, attack * (1 + damage / _PERCENT))


def features(pieces: Sequence[Item], foe: Foe, arm: Item | None) -> Numbers:
    """Return a row of FEATURES for each piece that may stand beside a weapon."""
    attack = np.array([piece.worn.attack for piece in pieces], dtype=np.float64)
    damage = np.array([piece.worn.damage for piece in pieces]) / _PERCENT
    resistance = np.array([piece.worn.resistance for piece in pieces]) / _PERCENT
    armed = foe.through * (np.array(arm.worn.attack) if arm else 0)
    return np.stack(
        [
            attack @ foe.through,
            damage @ armed,
            resistance @ foe.strikes,
            np.array([piece.worn.hp for piece in pieces], dtype=np.float64),
            attack.sum(axis=1),
            damage.sum(axis=1),
            resistance.sum(axis=1),
            damage @ foe.through,
            np.array([piece.level for piece in pieces], dtype=np.float64),
        ],
        axis=1,
    )


Rate = Callable[[Sequence[Numbers]], Sequence[Numbers]]
"""Rates the pieces of each slot, given the features of the pieces of each slot."""


class Weights(NamedTuple):
    """Fixed weights: of damage dealt a round, of damage warded off a round, and of health."""

    dealt: float
    warded: float
    health: float

    def rate(self, slots: Sequence[Numbers]) -> list[Numbers]:
        """Return the sum for each piece of each slot."""
        weights = np.zeros(len(FEATURES))
        weights[:4] = self.dealt, self.dealt, self.warded, self.health
        return [rows @ weights for rows in slots]


WEIGHTS: Mapping[str, Weights] = MappingProxyType(
    {
        "sum": Weights(1, 2, 0.1),
        "sum_attack": Weights(1, 1, 0.05),
        "sum_defence": Weights(1, 4, 0.1),
    }
)
"""The fixed weights by family. A fight has some twenty rounds, so a point of health counts a twentieth of a ward; and
heroes deal more than they take, so a ward counts more than a hit."""


def summed_gear(case: Case, rate: Rate) -> dict[str, Item]:
    """Return the piece for each slot that is rated highest, with the weapon for which the sum of all is highest."""
    slots = case.wardrobe
    foe = Foe.of(case.world.monsters[case.task.target].stats)
    armed = next((number for number, slot in enumerate(slots) if any(map(is_arm, slot.either))), None)
    best: tuple[float, dict[str, Item]] = (-np.inf, {})
    for number, arm in enumerate([None] if armed is None else slots[armed].either):
        worths = list(rate([features(slot.either, foe, arm) for slot in slots])) if slots else []
        if armed is not None:
            worths[armed] = np.where(np.arange(len(worths[armed])) == number, worths[armed], -np.inf)
        dealt = _dealt(case, slots, worths)
        if dealt[0] > best[0]:
            best = dealt
    return best[1]


def _dealt(case: Case, slots: Sequence[OpenSlot], worths: Sequence[Numbers]) -> tuple[float, dict[str, Item]]:
    """Return the highest sum, and the pieces that give it. Of pieces that cannot be made there are only so many."""
    left = Counter(case.spare)
    total, chosen = 0.0, dict[str, Item]()
    for slot, worth in zip(slots, worths, strict=True):
        for number in np.argsort(-worth, kind="stable"):
            item = slot.either[number]
            if item is slot.worn or item.code not in case.spare or left[item.code]:
                left[item.code] -= item is not slot.worn
                total += float(worth[number])
                chosen[slot.slot] = item
                break
    return total, chosen


def is_arm(item: Item) -> bool:
    """Return whether a piece adds to an attack."""
    return any(item.worn.attack)


def by_sum(case: Case, rate: Rate) -> Journey:
    """Make the pieces with the highest sums, put them on and fight."""
    return wearing(case, summed_gear(case, rate))
