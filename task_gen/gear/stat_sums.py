"""Sums and differences of stats: the stats of a hero who puts gear on or takes it off."""

from __future__ import annotations

from herobench.rpg.round_effects import summed
from herobench.rpg.world import Stats


def add(stats: Stats, *others: Stats) -> Stats:
    """Return the sum of stats."""
    hp, attack, damage, resistance, effects = stats
    for other in others:
        hp += other.hp
        attack = tuple(map(int.__add__, attack, other.attack))
        damage = tuple(map(int.__add__, damage, other.damage))
        resistance = tuple(map(int.__add__, resistance, other.resistance))
        if other.round_effects:
            effects = summed(effects, other.round_effects)
    return Stats(hp, attack, damage, resistance, effects)


def subtract(stats: Stats, other: Stats) -> Stats:
    """Return the difference of two stats."""
    return Stats(
        stats.hp - other.hp,
        tuple(map(int.__sub__, stats.attack, other.attack)),
        tuple(map(int.__sub__, stats.damage, other.damage)),
        tuple(map(int.__sub__, stats.resistance, other.resistance)),
        summed(stats.round_effects, other.round_effects, -1),
    )
