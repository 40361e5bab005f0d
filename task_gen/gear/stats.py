"""Stats added up: what gear makes of the one who wears it."""

from __future__ import annotations

from herobench.rpg.world import Stats


def add(stats: Stats, *others: Stats) -> Stats:
    """The sum of stats."""
    for other in others:
        stats = Stats(
            stats.hp + other.hp,
            tuple(map(int.__add__, stats.attack, other.attack)),
            tuple(map(int.__add__, stats.damage, other.damage)),
            tuple(map(int.__add__, stats.resistance, other.resistance)),
        )
    return stats


def subtract(stats: Stats, other: Stats) -> Stats:
    """What is left of stats."""
    negative = (tuple(-value for value in values) for values in other[1:])
    return add(stats, Stats(-other.hp, *negative))
