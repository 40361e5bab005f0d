"""The duel of `combat` for many heroes at once against one monster, over numpy arrays.

The task generator calls it to try thousands of loadouts; its heroes have no consumables. It does the same operations in
the same order as the single duel, so every number is the same bit for bit (a property test compares them). It must not
have rules of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from herobench.suites.rpg.game.rules import HUNDREDTHS, Unit, strike
from herobench.suites.rpg.game.world import ROUND_EFFECTS, Stats, health_after

Numbers = NDArray[np.float64]
BLOCK = 4096
"""Heroes are fought in blocks of this size, which stay in the processor's cache."""


@dataclass(frozen=True, slots=True)
class Fighters:
    """Many heroes: one row for each hero, one column for each element."""

    hp: Numbers
    attack: Numbers
    damage: Numbers
    resistance: Numbers
    round_effects: Numbers | None = None
    """One column for each of `ROUND_EFFECTS`, sorted by name."""

    @classmethod
    def of(cls, rows: Numbers) -> Fighters:
        """Build heroes from rows of stats, as `stat_rows` makes them."""
        elements = (rows.shape[1] - 1 - len(ROUND_EFFECTS)) // 3
        ends = [1, 1 + elements, 1 + 2 * elements, 1 + 3 * elements]
        hp, attack, damage, resistance, effects = np.split(rows, ends, axis=1)
        return cls(hp[:, 0], attack, damage, resistance, round_effects=effects if ROUND_EFFECTS else None)

    def __len__(self) -> int:
        return len(self.hp)


def stat_rows(many: Iterable[Stats]) -> Numbers:
    """Return stats as rows of numbers, which can be added up."""
    names = sorted(ROUND_EFFECTS)
    rows = [[stats.hp, *stats.attack, *stats.damage, *stats.resistance, *_effects(stats, names)] for stats in many]
    return np.array(rows, dtype=np.float64)


def _effects(stats: Stats, names: Sequence[str]) -> list[int]:
    values = dict(stats.round_effects)
    return [values.get(name, 0) for name in names]


class Duels(NamedTuple):
    """The results of the fights, one row for each hero."""

    won: NDArray[np.bool_]
    rounds: NDArray[np.int64]
    hero_hp: Numbers
    monster_hp: Numbers


def duels(heroes: Fighters, monster: Stats, rounds: int, unit: Unit[Any] = HUNDREDTHS) -> Duels:
    """Let every hero fight alone against the monster."""
    count = len(heroes)
    # Each fight that ends fills in its row. A row that nothing fills in ran out of rounds, so it starts as that
    # loss.
    result = Duels(np.zeros(count, bool), np.full(count, rounds), np.empty(count), np.empty(count))
    for start in range(0, count, BLOCK):
        block = slice(start, min(start + BLOCK, count))
        _fight_block(heroes, monster, rounds, block, result, _hits(heroes, monster, block, unit), unit[0])
    return result._replace(hero_hp=result.hero_hp / unit[0], monster_hp=result.monster_hp / unit[0])


def _fight_block(
    heroes: Fighters,
    monster: Stats,
    rounds: int,
    block: slice,
    result: Duels,
    hits: tuple[list[Numbers], list[Numbers]],
    point: int,
) -> None:
    """Fight one block round by round. Heroes whose fight is over leave the arrays."""
    hero_hits, monster_hits = hits
    hero_hp = heroes.hp[block].astype(np.float64) * point
    monster_hp = np.full(len(hero_hp), float(monster.hp * point))
    rows = np.arange(block.start, block.stop)
    effects = [] if heroes.round_effects is None else list(heroes.round_effects[block].T)
    names = sorted(ROUND_EFFECTS)
    for number in range(1, rounds + 1):
        for hit in hero_hits:
            monster_hp = monster_hp - hit
        if effects:
            monster_hp = health_after(zip(names, effects, strict=True), number, monster_hp, point)
        won = monster_hp <= 0
        # A beaten monster strikes no more: these heroes keep the health that they had before its turn.
        hero_hp = np.where(won, hero_hp, _struck(hero_hp, monster_hits, monster, number, point))
        over = won | (hero_hp <= 0)
        # Most fights end early. Dropping their rows keeps the late rounds cheap, and ends the loop with the last fight.
        if over.any():
            rows_over = rows[over]
            result.won[rows_over] = won[over]
            result.rounds[rows_over] = number
            result.hero_hp[rows_over] = hero_hp[over]
            result.monster_hp[rows_over] = monster_hp[over]
            on = ~over
            rows, hero_hp, monster_hp = rows[on], hero_hp[on], monster_hp[on]
            hero_hits = [hit[on] for hit in hero_hits]
            monster_hits = [hit[on] for hit in monster_hits]
            effects = [values[on] for values in effects]
            if not len(rows):
                return
    result.hero_hp[rows] = hero_hp
    result.monster_hp[rows] = monster_hp


def _struck(health: Numbers, hits: Sequence[Numbers], monster: Stats, number: int, point: int) -> Numbers:
    """Return the healths after the monster's turn in a round."""
    for hit in hits:
        health = health - hit
    effects = monster.round_effects
    return health_after(effects, number, health, point) if effects else health


def _hits(heroes: Fighters, monster: Stats, block: slice, unit: Unit[Any]) -> tuple[list[Numbers], list[Numbers]]:
    """Return each side's hits by element. A hero without an attack in an element gets a hit of 0 there."""
    hero_hits, monster_hits = [], []
    for element, resistance in enumerate(monster.resistance):
        attack = heroes.attack[block, element]
        if (attack > 0).any():
            damage = heroes.damage[block, element]
            hero_hits.append(np.where(attack > 0, strike(attack, damage, resistance, unit), 0.0))
    for element, strength in enumerate(monster.attack):
        if strength > 0:
            resistances = heroes.resistance[block, element]
            monster_hits.append(strike(strength, monster.damage[element], resistances, unit))
    return hero_hits, monster_hits
