"""How strong gear is, and in what: no item is as good as another of its type and level in everything.

Gear of a type and a level has one budget of points, to the point: what a piece has more of one thing it has less of
another, so none is dominated, and every level has more to spend than those below it. Points buy health, damage and
resistance at fixed prices; how a piece spends them is its style, and what they are spread over are the elements.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from types import MappingProxyType

from herobench.task_gen.remix.blueprint import LEVELS

Effects = Mapping[str, int]
Style = tuple[int, int, int]
"""What percentages of its points a piece spends on health, damage and resistance."""

HEALTH, DAMAGE, RESISTANCE = 1, 3, 5
"""What a point of each costs."""
_POINTS: Mapping[str, tuple[int, ...]] = MappingProxyType(
    {
        "weapon": (8, 16, 24, 32, 40, 50, 72, 82, 100),
        "shield": (60, 80, 120, 140, 180, 210, 260, 280, 320),
        "helmet": (56, 72, 105, 125, 150, 210, 290, 340, 430),
        "body_armor": (42, 55, 118, 165, 220, 290, 330, 360, 450),
        "leg_armor": (36, 49, 110, 140, 190, 245, 310, 345, 400),
        "boots": (40, 60, 90, 150, 200, 220, 250, 280, 320),
        "ring": (24, 30, 48, 54, 84, 90, 99, 108, 120),
        "amulet": (24, 30, 51, 72, 99, 126, 150, 189, 220),
        "artifact": (60, 75, 90, 120, 150, 165, 180, 210, 240),
    }
)
"""The budgets, by the levels."""
_STYLES: Mapping[str, tuple[Style, ...]] = MappingProxyType(
    {
        "shield": ((0, 0, 100), (25, 0, 75)),
        "helmet": ((60, 40, 0), (50, 35, 15), (65, 20, 15)),
        "body_armor": ((45, 35, 20), (50, 50, 0), (40, 30, 30)),
        "leg_armor": ((50, 35, 15), (45, 55, 0), (50, 20, 30)),
        "boots": ((45, 0, 55), (40, 15, 45), (0, 0, 100)),
        "ring": ((0, 100, 0), (25, 75, 0), (100, 0, 0), (0, 100, 0)),
        "amulet": ((40, 60, 0), (55, 45, 0), (100, 0, 0)),
        "artifact": ((100, 0, 0), (0, 100, 0), (50, 50, 0)),
    }
)
_MANY = 50
"""After so many pieces that exist already, styles and spreads are no longer those of the tables."""
_SPREADS = ((1,), (1,), (1, 1), (1, 1), (2, 1), (1, 1, 1, 1))
_BLADES = ((1,), (1,), (1,), (1, 1), (3, 1), (1, 1, 1, 1))
"""How things are spread over elements."""


class Forge:
    """Makes the effects of gear, none of them twice."""

    def __init__(self, elements: Sequence[str], chance: Random) -> None:
        self._elements = elements
        self._chance = chance
        self._unarmed = list(elements)
        self._made: set[tuple[str, frozenset[tuple[str, int]]]] = set()

    def effects(self, kind: str, step: int) -> Effects:
        """What a new piece of a type gives, at a level by its number."""
        for tries in range(100 * _MANY):
            effects = self._drawn(kind, _POINTS[kind][step], bold=tries >= _MANY)
            made = (f"{kind} {LEVELS[step]}", frozenset(effects.items()))
            if made not in self._made:
                self._made.add(made)
                return effects
        raise AssertionError("there is always another way to spend so many points")

    def _drawn(self, kind: str, points: int, bold: bool) -> dict[str, int]:
        if kind == "weapon":
            return self._blade(points, bold)
        _, damage, resistance = self._style(kind, bold)
        effects = self._spread("dmg", points * damage // 100 // DAMAGE, self._chance.choice(_SPREADS), bold)
        effects |= self._spread("res", points * resistance // 100 // RESISTANCE, self._chance.choice(_SPREADS), bold)
        spent = sum(value * (DAMAGE if name.startswith("dmg") else RESISTANCE) for name, value in effects.items())
        health = (points - spent) // HEALTH
        return {"hp": health, **effects} if health else effects

    def _blade(self, points: int, bold: bool) -> dict[str, int]:
        """A weapon's attack: the first ones see to it that there is one of each element."""
        if self._unarmed:
            return {f"attack_{self._unarmed.pop()}": points}
        return self._spread("attack", points, self._chance.choice(_BLADES), bold)

    def _style(self, kind: str, bold: bool) -> Style:
        health, damage, resistance = self._chance.choice(_STYLES[kind])
        shift = self._chance.randint(-15, 15) if bold else 0
        damage = min(100, max(0, damage + shift))
        return health, damage, min(resistance, 100 - damage)

    def _spread(self, effect: str, amount: int, parts: Sequence[int], bold: bool) -> dict[str, int]:
        """An amount shared out over as many elements as there are parts."""
        if bold:
            parts = [part * 4 + self._chance.randint(0, 8) for part in self._chance.choice(((1, 1), (1, 1, 1)))]
        elements = self._chance.sample(list(self._elements), len(parts))
        shares = [amount * part // sum(parts) for part in parts]
        shares[0] += amount - sum(shares)
        return {f"{effect}_{element}": share for element, share in zip(elements, shares, strict=True) if share}
