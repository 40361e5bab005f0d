"""Decide whether a hero may beat a monster in some of the gear and with some of the food that he can have.

The answer is an upper bound: `False` is proven, `True` is not. To win in n rounds the hero has to take off the
monster's health by then, and to stand one round less. With the arms fixed, both are linear in what each other slot
holds. If any weighted sum of the two is negative in the best choice of every slot, no choice satisfies both (weak
duality).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from herobench.rpg.combat import POINT, damage
from herobench.rpg.hero import HeroStart
from herobench.rpg.rules import Rules
from herobench.rpg.world import CONSUMABLE, Code, Item, Monster, Stats, World, slot_type, stats_of
from herobench.task_gen.gear.stat_sums import add

_MOST_ARMS = 5_000
"""The most combinations of arms that are looked at. With more, the hero is taken to win."""
_WEIGHTS = np.linspace(0, 1, 17)[:, None]
_DUST = 1e-9
"""The duel counts in floats, so a fight that ends at exactly 0 may be won. Only what is below this is lost for sure."""


class Option(NamedTuple):
    """A thing that a slot may hold: the stats that it adds to a fight, and the health that it restores in a round."""

    adds: Stats
    restores: int = 0


class _Choices(NamedTuple):
    """What each slot may hold, as numbers: a row for each slot, a column for each option; the last axis is elements."""

    damage: NDArray[np.int64]
    resistance: NDArray[np.int64]
    hp: NDArray[np.int64]
    restores: NDArray[np.int64]

    @classmethod
    def of(cls, slots: Sequence[Sequence[Option]], nothing: Option) -> _Choices:
        """Return the options of some slots; each may stay empty, and the shorter rows are filled up with that."""
        width = 1 + max(map(len, slots), default=0)
        rows = [[*slot, *[nothing] * (width - len(slot))] for slot in slots] or [[nothing]]
        return cls(
            np.array([[option.adds.damage for option in row] for row in rows], dtype=np.int64),
            np.array([[option.adds.resistance for option in row] for row in rows], dtype=np.int64),
            np.array([[option.adds.hp for option in row] for row in rows], dtype=np.int64),
            np.array([[option.restores for option in row] for row in rows], dtype=np.int64),
        )


class Strength:
    """A hero with all that he can have."""

    def __init__(self, world: World, rules: Rules, hero: HeroStart, items: Collection[Code]) -> None:
        self._rounds = rules.rounds
        self._bare = stats_of(hero.stats, world.elements)
        self._slots = options(world, hero, items)
        nothing = Option(stats_of({}, world.elements))
        arms = [[nothing, *slot] for slot in self._slots if _is_armed(slot)]
        self._others = _Choices.of([slot for slot in self._slots if not _is_armed(slot)], nothing)
        self._count = int(np.prod([len(slot) for slot in arms], dtype=float))
        self._arms = arms
        self._only_hits = not any(option.adds.round_effects for slot in self._slots for option in slot)

    def may_beat(self, monster: Monster) -> bool:
        """Return whether the hero may win; False is proven."""
        if self._count > _MOST_ARMS or not self._only_hits or monster.stats.round_effects or self._bare.round_effects:
            return True
        standing = self._standing(monster.stats)
        return any(self._may_win_with(arms, monster.stats, standing) for arms in self._armed())

    def _armed(self) -> Iterator[Option]:
        """Yield the hero with each combination of arms."""
        for arms in product(*self._arms):
            yield Option(add(self._bare, *(arm.adds for arm in arms)), sum(arm.restores for arm in arms))

    def _standing(self, monster: Stats) -> NDArray[np.int64]:
        """Return what each option of the other slots adds to the health that is left, by number of rounds."""
        rounds = np.arange(1, self._rounds + 1)[:, None, None]
        others = self._others
        ward = others.resistance @ np.maximum(0, np.array(monster.attack, dtype=np.int64)) + POINT * others.restores
        return np.where(rounds == 1, 0, POINT * others.hp + (rounds - 1) * ward)

    def _may_win_with(self, armed: Option, monster: Stats, standing: NDArray[np.int64]) -> bool:
        rounds = np.arange(1, self._rounds + 1)
        # In hundredths, which are whole numbers.
        attack = np.maximum(0, np.array(armed.adds.attack, dtype=np.int64))
        dealt = rounds * damage(armed.adds, monster) - POINT * monster.hp
        taken = damage(monster, armed.adds) - POINT * armed.restores
        kept = POINT * armed.adds.hp - (rounds - 1) * taken
        # Who takes off all health in one round wins whatever he would suffer.
        kept[0] = POINT * max(armed.adds.hp, 1)
        striking = rounds[:, None, None] * (self._others.damage @ attack)
        most_dealt = dealt + striking.max(axis=2).sum(axis=1)
        most_kept = kept + standing.max(axis=2).sum(axis=1)
        hopeful = np.flatnonzero((most_dealt >= 0) & (most_kept >= 0))
        if not len(hopeful):
            return False
        # Both sides in shares of what is at stake, so that the same weights serve every fight.
        scale = POINT * monster.hp, POINT * max(armed.adds.hp, 1)
        fixed = _WEIGHTS * dealt[hopeful] / scale[0] + (1 - _WEIGHTS) * kept[hopeful] / scale[1]
        of_both = _WEIGHTS[:, :, None, None]
        worth = of_both * striking[hopeful] / scale[0] + (1 - of_both) * standing[hopeful] / scale[1]
        best = fixed + worth.max(axis=3).sum(axis=2)
        return bool((best.min(axis=0) >= -_DUST).any())


def options(world: World, hero: HeroStart, items: Collection[Code]) -> list[list[Option]]:
    """Return what each slot of a hero may hold of some items: what he has the level for, and what he wears already."""
    # Gear and food of the start stay on, whatever their levels.
    held = {*hero.worn.values(), *(stack.item for stack in hero.consumables.values())}
    usable = [world.items[code] for code in sorted(items) if world.items[code].level <= hero.combat[0] or code in held]
    return [
        list(dict.fromkeys(_option(world, item) for item in usable if item.type == slot_type(slot)))
        for slot in world.slots
    ]


def _option(world: World, item: Item) -> Option:
    if item.type != CONSUMABLE:
        return Option(item.worn)
    nothing = stats_of({}, world.elements)
    return Option(nothing._replace(hp=item.eaten.hp, damage=item.eaten.damage), max(0, item.eaten.restore))


def _is_armed(slot: Collection[Option]) -> bool:
    return any(any(option.adds.attack) for option in slot)
