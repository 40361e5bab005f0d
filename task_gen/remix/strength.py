"""The strength of gear in remixed worlds: no piece dominates another of its type and level.

Gear of a type and level has one budget of points, spent to the point: a piece that has more of one thing has less of
another, and every level has more to spend than those below. Points buy health, damage and resistance at fixed prices.
The style of a piece says how it spends them; its spread says over which elements.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from types import MappingProxyType

from herobench.task_gen.remix.blueprint import LEVELS

Effects = Mapping[str, int]
Style = tuple[int, int, int]
"""The percentages of its points that a piece spends on health, damage and resistance."""

HEALTH, DAMAGE, RESISTANCE = 1, 3, 5
"""The price of one point of each."""
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
"""The budgets, by level."""
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
"""After this many drawn pieces that exist already, styles and spreads leave the tables."""
_SPREADS = ((1,), (1,), (1, 1), (1, 1), (2, 1), (1, 1, 1, 1))
_BLADES = ((1,), (1,), (1,), (1, 1), (3, 1), (1, 1, 1, 1))
"""Ways to spread points over elements."""


class Forge:
    """Makes the effects of gear, none of them twice."""

    def __init__(self, elements: Sequence[str], chance: Random) -> None:
        self._elements = elements
        self._chance = chance
        self._unarmed = list(elements)
        self._made: set[tuple[str, frozenset[tuple[str, int]]]] = set()

    def effects(self, kind: str, step: int) -> Effects:
        """Draw the effects of a new piece of a type at a step."""
        # The tables hold few combinations; a large world needs more pieces than that, so later tries go beyond them.
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
        """Draw the attack of a weapon. The first weapons cover all elements, one each."""
        if self._unarmed:
            return {f"attack_{self._unarmed.pop()}": points}
        return self._spread("attack", points, self._chance.choice(_BLADES), bold)

    def _style(self, kind: str, bold: bool) -> Style:
        health, damage, resistance = self._chance.choice(_STYLES[kind])
        shift = self._chance.randint(-15, 15) if bold else 0
        damage = min(100, max(0, damage + shift))
        return health, damage, min(resistance, 100 - damage)

    def _spread(self, effect: str, amount: int, parts: Sequence[int], bold: bool) -> dict[str, int]:
        """Share an amount out over as many elements as there are parts."""
        if bold:
            parts = [part * 4 + self._chance.randint(0, 8) for part in self._chance.choice(((1, 1), (1, 1, 1)))]
        elements = self._chance.sample(list(self._elements), len(parts))
        shares = [amount * part // sum(parts) for part in parts]
        # What the division leaves goes to the first element, so that the budget is spent to the point.
        shares[0] += amount - sum(shares)
        return {f"{effect}_{element}": share for element, share in zip(elements, shares, strict=True) if share}
