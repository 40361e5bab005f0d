"""The duel: the one place where a fight is decided.

Deterministic, in floats, nothing rounded. The hero strikes first; both start every fight at full health. Damage comes
off health element by element in the world's order: with floats the order can decide whether a monster survives a hit
by 10 to the minus 14, so it is part of the rules. `combat_batch` has the same duel over arrays.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from herobench.rpg.world import Stats


class Fighter(NamedTuple):
    """The hero as he enters a fight: his stats with what he wears, and what his consumables do."""

    stats: Stats
    boost_hp: int = 0
    boost_damage: tuple[int, ...] = ()
    meals: tuple[tuple[int, int], ...] = ()
    """What each restoring stack gives back when a piece is eaten, and how many pieces it has."""


class Duel(NamedTuple):
    """How a fight went."""

    won: bool
    rounds: int
    hero_hp: float
    monster_hp: float
    eaten: tuple[int, ...] = ()
    """Pieces eaten, for each of the fighter's meals."""

    @property
    def died(self) -> bool:
        """Whether the hero lost by death, not by running out of rounds."""
        return self.hero_hp <= 0


def hits(attacker: Stats, defender: Stats, boost: Sequence[int] = ()) -> tuple[float, ...]:
    """What one round of the attacker takes off the defender, element by element."""
    boosts = boost or (0,) * len(attacker.attack)
    return tuple(
        attack + attack * ((damage + extra) * 0.01) - attack * (resistance * 0.01)
        for attack, damage, extra, resistance in zip(
            attacker.attack, attacker.damage, boosts, defender.resistance, strict=True
        )
        if attack > 0
    )


def duel(hero: Fighter, monster: Stats, rounds: int) -> Duel:
    """Fight it out, for at most so many rounds; undecided is lost."""
    hero_hits = hits(hero.stats, monster, hero.boost_damage)
    monster_hits = hits(monster, hero.stats)
    hero_hp, monster_hp = float(hero.stats.hp + hero.boost_hp), float(monster.hp)
    half = hero_hp / 2
    left = [pieces for _, pieces in hero.meals]
    for number in range(1, rounds + 1):
        if left and hero_hp < half:
            for index, (restore, _) in enumerate(hero.meals):
                if left[index] > 0:
                    hero_hp += restore
                    left[index] -= 1
        for hit in hero_hits:
            monster_hp -= hit
        if monster_hp <= 0:
            return Duel(True, number, hero_hp, monster_hp, _eaten(hero, left))
        for hit in monster_hits:
            hero_hp -= hit
        if hero_hp <= 0:
            return Duel(False, number, hero_hp, monster_hp, _eaten(hero, left))
    return Duel(False, rounds, hero_hp, monster_hp, _eaten(hero, left))


def _eaten(hero: Fighter, left: Sequence[int]) -> tuple[int, ...]:
    return tuple(pieces - rest for (_, pieces), rest in zip(hero.meals, left, strict=True))
