"""The likeness of two worlds in depth, as distances between distributions.

Three are compared: the sizes of the smallest winning set against each monster, the work of each piece of crafted gear,
and the difficulties of kill tasks that are drawn. The distance is that of Kolmogorov and Smirnov: 0 for the same
distribution, 1 for two that do not meet. Tests hold remixed worlds to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.world import World, slot_type
from herobench.task_gen.rpg.gear.candidates import gear_slots
from herobench.task_gen.rpg.tasks.difficulty import item_difficulty
from herobench.task_gen.rpg.tasks.drafts import bare_search, hardest

_DRAWS = 20
"""The number of winning sets that are drawn for each monster."""


@dataclass(frozen=True)
class Profile:
    """The three distributions of a world, as lists of values."""

    sizes: tuple[int, ...]
    """The size of the smallest winning set, for each monster at its intended level."""
    works: tuple[int, ...]
    """The item difficulty of each piece of crafted gear."""
    tasks: tuple[int, ...]
    """The difficulties of kill tasks in which all of a random winning set is missing."""

    @classmethod
    def of(cls, world: World, rules: Rules) -> Profile:
        """Measure a world."""
        searches = [bare_search(world, rules, who.code, who.intended_level) for who in world.monsters.values()]
        chance = Random(0)
        drawn = [search.random_set(chance) for search in searches for _ in range(_DRAWS)]
        types = set(map(slot_type, gear_slots(world)))
        return cls(
            tuple(len(gear) for gear in (search.smallest() for search in searches) if gear is not None),
            tuple(
                item_difficulty(world, code) for code, item in world.items.items() if item.recipe and item.type in types
            ),
            tuple(hardest(world, gear) for gear in drawn if gear),
        )

    def distances(self, other: Profile) -> tuple[float, float, float]:
        """Return the distances of the three distributions to another world's."""
        return (
            distance(self.sizes, other.sizes),
            distance(self.works, other.works),
            distance(self.tasks, other.tasks),
        )


def distance(some: Sequence[int], others: Sequence[int]) -> float:
    """Return the distance between two distributions."""
    return max(abs(_share(some, value) - _share(others, value)) for value in {*some, *others})


def _share(values: Sequence[int], value: int) -> float:
    """Return the share of the values that are at most a value."""
    return sum(each <= value for each in values) / len(values)
