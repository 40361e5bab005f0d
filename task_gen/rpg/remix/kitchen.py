"""Food of remixed worlds: dishes of fish restore health in a fight, dishes of game boost the hero for one.

Drops of the monsters of the highest level go in here too, since no gear is made of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from herobench.task_gen.rpg.remix.blueprint import Blueprint
from herobench.task_gen.rpg.remix.nodes import Material, Store, item_row
from herobench.task_gen.rpg.remix.words import BOOSTING, RESTORING, WordSource, code_of

_RESTORED = (8, 13, 20, 25, 30, 38, 45, 55, 65)
_BOOSTED = (32, 40, 48, 60, 80, 92, 104, 120, 140)
"""The strength of dishes, by level: the health they restore, and the health they boost."""
_LENT_FOR_ONE = 3
"""The boosted health that is worth one point restored."""
_DAMAGE = 4
"""The boosted health that a percent of damage is worth."""
_PARTS = (1, 3)


class Kitchen:
    """The dishes of a world. As with gear, no dish of a level dominates another."""

    def __init__(
        self,
        plan: Blueprint,
        elements: Sequence[str],
        skill: str,
        fish: Store,
        game: Store,
        chance: Random,
        dialect: WordSource,
    ) -> None:
        self._elements = elements
        self._skill = skill
        self._chance = chance
        self._dialect = dialect
        self._made: set[tuple[int, frozenset[tuple[str, int]]]] = set()
        self._names: set[str] = set()
        self.items: list[dict[str, Any]] = []
        for step, level in enumerate(plan.levels):
            for caught in [each for each in fish.open_at(level) if each.level == level]:
                self._restoring(step, level, caught)
            for _ in range(plan.counts["boost"][step]):
                self._boosting(step, level, game.take(game.open_at(level), chance.randint(1, 2), chance))
        self._feast(len(plan.levels) - 1, plan.levels[-1], game)

    def _feast(self, step: int, level: int, game: Store) -> None:
        """Make dishes of the game that no recipe takes."""
        left = game.unused()  # so that no drop is without a use
        while left:
            parts, left = left[: _PARTS[1]], left[_PARTS[1] :]
            self._boosting(step, level, game.take(parts, len(parts), self._chance))

    def _restoring(self, step: int, level: int, fish: Material) -> None:
        """Make a dish that restores all it can; if there is one already, one that restores less and boosts more."""
        less, effects = 0, {"restore": _RESTORED[step]}
        while not self._is_new(level, effects):
            less = self._chance.randint(1, _RESTORED[step] - 1)
            effects = {"restore": _RESTORED[step] - less, **self._boost(less * _LENT_FOR_ONE)}
        self._dish(level, RESTORING, "restore", [fish], effects)

    def _boosting(self, step: int, level: int, parts: Sequence[Material]) -> None:
        effects = self._boost(_BOOSTED[step])
        while not self._is_new(level, effects):
            effects = self._boost(_BOOSTED[step])
        self._dish(level, BOOSTING, "boost", parts, effects)

    def _boost(self, points: int) -> dict[str, int]:
        elements = self._chance.sample(list(self._elements), self._chance.randint(0, len(self._elements)))
        left, effects = points, dict[str, int]()
        for element in elements:
            percent = self._chance.randint(0, left // _DAMAGE)
            effects |= {f"boost_dmg_{element}": percent} if percent else {}
            left -= percent * _DAMAGE
        return {"boost_hp": left, **effects} if left else effects

    def _is_new(self, level: int, effects: dict[str, int]) -> bool:
        return (level, frozenset(effects.items())) not in self._made

    def _dish(
        self, level: int, nouns: Sequence[str], sort: str, parts: Sequence[Material], effects: dict[str, int]
    ) -> None:
        self._made.add((level, frozenset(effects.items())))
        name = self._name(nouns, parts)
        row = item_row(code_of(name), name, level, "consumable", sort)
        row["effects"] = effects
        quantities = {part.code: self._chance.randint(*_PARTS) for part in parts}
        row["recipe"] = {"skill": self._skill, "level": level, "ingredients": quantities}
        self.items.append(row)

    def _name(self, nouns: Sequence[str], parts: Sequence[Material]) -> str:
        words = [*(part.word for part in parts), self._dialect.word()]
        names = [f"{word} {self._chance.choice(nouns)}" for word in words]
        name = next(name for name in names if name not in self._names)
        self._names.add(name)
        return name
