"""Monsters of remixed worlds: their levels, drops and strengths.

A monster's drops go only into gear of levels above its own. So all gear of its level can be had before it is beaten,
every monster hunted for that gear can be beaten with gear from below, and no requirement is circular.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

import numpy as np

from herobench.rpg.rules import Rules
from herobench.rpg.world import HERO_STATS
from herobench.task_gen.remix.blueprint import Blueprint
from herobench.task_gen.remix.dialect import Dialect, code_of
from herobench.task_gen.remix.health_limits import Armory, Pattern
from herobench.task_gen.remix.materials import Material, Row, Store, drop, item_row
from herobench.task_gen.remix.nouns import BEASTS, PARTS

_DROP_IN, _GEAR_IN = 20, 200
_DROPS = (1, 1, 1, 2, 2)
_ATTACKS = ((1,), (1,), (1,), (1, 1), (1, 2), (1, 1, 1, 1))
"""Ways to share an attack out over elements."""
_ENDURED = range(8, 16)
"""About how many rounds a hero survives who wears all the health he can."""
_USE = range(70, 96)
"""The percentage of that health that a monster takes."""
_PATTERNS = 30
"""The number of patterns that are drawn for a monster before another size of set is tried."""
_HEALTHS = range(30, 76)
"""The place of a monster's health between its limits, in percent."""


@dataclass
class Beast:
    """A monster in the making."""

    name: str
    level: int
    intended_level: int
    size: int
    """The wanted size of a smallest winning set."""
    drops: list[Row] = field(default_factory=list)
    attack: Mapping[str, int] = field(default_factory=dict)
    resistance: Mapping[str, int] = field(default_factory=dict)
    hp: int = 0

    @property
    def row(self) -> Row:
        """Its row in a document."""
        return {
            "code": code_of(self.name),
            "name": self.name,
            "level": self.level,
            "intended_level": self.intended_level,
            "hp": self.hp,
            "attack": self.attack,
            "resistance": self.resistance,
            "gold": {"min": 0, "max": 1 + self.level // 4},
            "drops": self.drops,
        }


class Bestiary:
    """The monsters of a world, with their drops."""

    def __init__(self, plan: Blueprint, dialect: Dialect, chance: Random) -> None:
        self._plan = plan
        self._dialect = dialect
        self._chance = chance
        self.items: list[Row] = []
        self.drops = Store()
        self.by_step = [self._at(step) for step in range(len(plan.levels))]

    @property
    def beasts(self) -> list[Beast]:
        """All monsters, those of the lowest levels first."""
        return [beast for beasts in self.by_step for beast in beasts]

    def _at(self, step: int) -> list[Beast]:
        levels = [*self._plan.levels, self._plan.levels[-1] + 1]
        sizes = self._plan.winning_sizes(step)
        self._chance.shuffle(sizes)
        last = step + 1 == len(self._plan.levels)
        beasts = []
        for index, size in enumerate(sizes):
            level = levels[step] + index * (levels[step + 1] - levels[step]) // len(sizes)
            beast = Beast(f"{self._dialect.word()} {self._chance.choice(BEASTS)}", level, levels[step], size)
            # No gear is made of what the last step drops, only food, so one part for each monster is
            # enough.
            parts = self._chance.sample(PARTS, 1 if last else self._chance.choice(_DROPS))
            self.drops.add([self._part(beast, part, levels[step + 1]) for part in parts])
            beasts.append(beast)
        return beasts

    def _part(self, beast: Beast, part: str, usable_from: int) -> Material:
        name = f"{beast.name.split()[0]} {part}"
        self.items.append(item_row(code_of(name), name, beast.level, "resource", "mob"))
        beast.drops.append(drop(code_of(name), _DROP_IN))
        return Material(code_of(name), name, usable_from, 1)

    def give(self, item: str, step: int) -> None:
        """Make a piece of gear a drop of one of the monsters of a step."""
        self._chance.choice(self.by_step[step]).drops.append(drop(item, _GEAR_IN))


def arm(
    beast: Beast, armory: Armory, elements: Sequence[str], rules: Rules, chance: Random, struck: Sequence[int] = ()
) -> None:
    """Give a monster its strength, such that a smallest winning set has the wanted size.

    If the armory does not allow it, the nearest size is taken. The monster attacks in the elements with the numbers
    `struck`, or in elements that are drawn.
    """
    sizes = range(1, armory.room + 1)
    for size in sorted(sizes, key=lambda size: (abs(size - beast.size), size)):
        for _ in range(_PATTERNS):
            hero_hp = HERO_STATS["hp"] + (beast.intended_level - 1) * rules.hp_per_level
            pattern = _pattern(armory, size, hero_hp, rules.rounds, len(elements), struck, chance)
            below, above = pattern.limits(armory, size)
            # Strictly between the limits, which are in hundredths: at a limit the duel's floats would decide.
            least, most = below // 100 + 1, (above - 1) // 100
            if least < most:
                beast.size = size
                beast.hp = _round(least + (most - least) * chance.choice(_HEALTHS) // 100, least, most)
                beast.attack = _named(elements, pattern.attack)
                beast.resistance = _named(elements, pattern.resistance)
                return
    # Every armory has a weapon, and a monster with little enough health falls to it.
    raise AssertionError("some monster is beaten with one item")


def _pattern(
    armory: Armory, size: int, hero_hp: int, rounds: int, elements: int, struck: Sequence[int], chance: Random
) -> Pattern:
    total = (hero_hp + armory.health(size - 1)) * chance.choice(_USE) // (100 * chance.choice(_ENDURED))
    shares: Sequence[int] = [1] * len(struck) if struck else chance.choice(_ATTACKS)
    struck = struck or chance.sample(range(elements), len(shares))
    attack = np.zeros(elements, np.int64)
    attack[list(struck)] = [max(1, total * share // sum(shares)) for share in shares]
    return Pattern(attack, _resistance(attack, chance), hero_hp, rounds)


def _resistance(attack: Any, chance: Random) -> Any:
    """Draw resistances: strong in the elements that it attacks in, often weak in another."""
    own, foreign = (10, 20, 25, 30, 40), (0, 0, 0, 5, 10, 20, -10, -20, -30)
    return np.array([chance.choice(own if struck else foreign) for struck in attack], np.int64)


def _round(health: int, least: int, most: int) -> int:
    """Round a health to 50, 10 or 5 if the limits allow it."""
    return next((health - health % step for step in (50, 10, 5) if health - health % step >= least), health)


def _named(elements: Sequence[str], values: Any) -> dict[str, int]:
    return {element: int(value) for element, value in zip(elements, values, strict=True) if value}
