"""Round effects: what items and monsters do in a fight beside their hits.

Health, attacks, damage and resistances make hits; `combat.strike` covers them. Any other effect of a fight is a
function in `ROUND_EFFECTS`, under the name that worlds give it. The duel and the duel over arrays apply it, and
searches that count hits leave fights with it to the duel. No shipped world has one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

RoundEffect = Callable[[Any, int, Any], Any]
"""Takes the effect's value, the number of the round and the other side's health; returns what it takes off that health.

It must do with numbers and numpy arrays alike, and a value of 0 must take nothing off. It comes after the hits of its
side. Example, a poison that takes 3 % more each round: `lambda value, number, hp: hp * (value * number * 0.01)`.
"""
ROUND_EFFECTS: dict[str, RoundEffect] = {}
"""The round effects of the game, by name."""

Values = tuple[tuple[str, int], ...]
"""The values of somebody's round effects, sorted by name."""


def values_of(effects: Iterable[tuple[str, int]]) -> Values:
    """Return the round effects among named effects."""
    return tuple(sorted((name, int(value)) for name, value in effects if value and name in ROUND_EFFECTS))


def summed(some: Values, others: Values, sign: int = 1) -> Values:
    """Add up round effects by name, or with a sign of -1 take the others away."""
    if not others:
        return some
    total = dict(some)
    for name, value in others:
        total[name] = total.get(name, 0) + sign * value
    return tuple(sorted((name, value) for name, value in total.items() if value))


def health_after(effects: Iterable[tuple[str, Any]], number: int, health: Any) -> Any:
    """Return the health, or the array of them, that one side's effects leave to the other side in a round."""
    for name, value in effects:
        health = health - ROUND_EFFECTS[name](value, number, health)
    return health
