"""The statistics of a world: winning gear, difficulties, depth of recipes, and what each bracket offers.

Called by `herobench world stats` and `world list`. A minimal winning gear set is a kill task in the making: any part
of it may be missing. Sets are counted up to a limit; beyond it, difficulties come from the smallest sets and a few
random ones, so a world may offer more than its statistics say, and never less.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from random import Random
from typing import Any

from herobench.suites.rpg.game.hero import HeroStart
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.world import Code, Monster, World
from herobench.task_gen.rpg.gear.search import Gear, GearSearch
from herobench.task_gen.rpg.tasks.craft_tasks import can_be_target
from herobench.task_gen.rpg.tasks.difficulty import BRACKETS, bracket_of, item_difficulty
from herobench.task_gen.rpg.tasks.kill_tasks import hero_levels
from herobench.task_gen.rpg.worlds.oddity import Spots
from herobench.task_gen.rpg.worlds.supply import Ladder, ladders
from herobench.task_gen.rpg.worlds.survey import brackets_of, difficulties

SCHEMA = 1
MOST_SETS = 1000
"""The limit up to which gear sets are counted."""
TIER = 10
"""The number of levels in a tier of items."""
_MORE_SETS = 40
"""The number of random sets that are added beyond the limit."""


@dataclass(frozen=True, slots=True)
class Fight:
    """A monster and a hero level, with the gear that wins."""

    monster: Code
    hero_level: int
    smallest: int | None
    """The number of items in the smallest set, or None if no gear wins."""
    sets: int
    """The number of minimal sets, up to `MOST_SETS`."""
    bits: int
    """The total difficulties of its tasks, as a bit set."""

    @classmethod
    def of(cls, world: World, rules: Rules, monster: Monster, level: int) -> Fight:
        """Return the winning gear for a hero who wears nothing."""
        search = GearSearch.of(world, rules, monster, HeroStart.bare(world, rules, level))
        # minimal_sets yields small sets first, so the first one is a smallest.
        found: list[Gear] = list(islice(search.minimal_sets(), MOST_SETS))
        bits = _bits(world, found)
        # The enumeration is cut off and begins with small sets; random sets add the larger ones.
        if len(found) == MOST_SETS:
            rng = Random(0)  # noqa: S311 - a reproducible estimate
            bits |= _bits(world, (search.random_set(rng) or {} for _ in range(_MORE_SETS)))
        return cls(monster.code, level, len(found[0]) if found else None, len(found), bits)

    @property
    def difficulty(self) -> tuple[int, int] | None:
        """The lowest and the highest total difficulty, or None if there are no tasks."""
        if not self.bits:
            return None
        # x & -x keeps the lowest set bit.
        return (self.bits & -self.bits).bit_length() - 1, self.bits.bit_length() - 1

    def as_row(self) -> dict[str, Any]:
        """Return the fight as plain data."""
        return {
            "monster": self.monster,
            "hero_level": self.hero_level,
            "smallest_set": self.smallest,
            "sets": self.sets,
            "difficulty": list(self.difficulty) if self.difficulty else None,
        }


def _bits(world: World, sets: Iterable[Gear]) -> int:
    bits = 0
    for gear in sets:
        bits |= difficulties(world, gear)
    return bits


@dataclass(frozen=True)
class WorldStats:
    """The statistics of a world."""

    world: World
    rules: Rules
    fights: tuple[Fight, ...]
    crafts: Mapping[Code, int]
    """The items that a craft task can ask for, with their total difficulties."""
    ladders: Sequence[Ladder]

    @classmethod
    def of(cls, world: World, rules: Rules, step: Callable[[], None] = lambda: None) -> WorldStats:
        """Return the statistics of a world; `step` is called after each fight."""
        fights = []
        for monster, level in fights_of(world, rules):
            fights.append(Fight.of(world, rules, monster, level))
            step()
        crafts = {
            code: item_difficulty(world, code)
            for code, item in world.items.items()
            if item.recipe and can_be_target(world, code)
        }
        return cls(world, rules, tuple(fights), crafts, ladders(world, rules, Spots(world, world.code)))

    def offers(self, bracket: int) -> tuple[list[Code], list[Code]]:
        """Return the monsters and the items that tasks of a bracket can be about."""
        monsters = dict.fromkeys(fight.monster for fight in self.fights if bracket in brackets_of(fight.bits))
        return list(monsters), [code for code, work in self.crafts.items() if bracket_of(work) == bracket]

    @property
    def depths(self) -> Mapping[int, list[Code]]:
        """The items by the length of the longest chain of crafts that makes them."""
        known: dict[Code, int] = {}
        found: dict[int, list[Code]] = {}
        for code in self.world.items:
            found.setdefault(_depth(self.world, code, known), []).append(code)
        return dict(sorted(found.items()))

    @property
    def tiers(self) -> Mapping[str, Mapping[int, int]]:
        """The number of items by type and by the first level of their tier."""
        counts: dict[str, Counter[int]] = {}
        for item in self.world.items.values():
            counts.setdefault(item.type, Counter())[max(1, item.level // TIER * TIER)] += 1
        return {kind: dict(sorted(counts[kind].items())) for kind in sorted(counts)}

    def as_row(self) -> dict[str, Any]:
        """Return the statistics as plain data."""
        world, depths = self.world, self.depths
        return {
            "schema": SCHEMA,
            "world": {"code": world.code, "name": world.name, "digest": world.digest},
            "rules": self.rules.name,
            "counts": counts_of(world),
            "most_sets": MOST_SETS,
            "fights": [fight.as_row() for fight in self.fights],
            "brackets": [self._bracket_row(bracket) for bracket in BRACKETS],
            "recipe_depth": {str(depth): len(codes) for depth, codes in depths.items()},
            "deepest": depths[max(depths)] if depths else [],
            "tiers": {kind: {str(level): n for level, n in tiers.items()} for kind, tiers in self.tiers.items()},
            "skills": [_ladder_row(ladder) for ladder in self.ladders],
        }

    def _bracket_row(self, bracket: int) -> dict[str, Any]:
        monsters, items = self.offers(bracket)
        return {"bracket": bracket, "kill": monsters, "craft": items}


def fights_of(world: World, rules: Rules) -> list[tuple[Monster, int]]:
    """Return the fights that kill tasks are about: each monster with the levels of its heroes."""
    return [(monster, level) for monster in world.monsters.values() for level in hero_levels(monster, rules)]


def counts_of(world: World) -> dict[str, int]:
    """Return the number of things of each kind."""
    return {
        "monsters": len(world.monsters),
        "resources": len(world.resources),
        "items": len(world.items),
        "recipes": sum(item.recipe is not None for item in world.items.values()),
        "distractors": len(world.distractors),
        "tiles": len(world.tiles),
    }


def _depth(world: World, code: Code, known: dict[Code, int]) -> int:
    if code not in known:
        recipe = world.recipe_of(code)
        known[code] = 1 + max(_depth(world, part, known) for part in recipe.ingredients) if recipe else 0
    return known[code]


def _ladder_row(ladder: Ladder) -> dict[str, Any]:
    recipes = Counter(rung.level for rung in ladder.recipes)
    return {
        "skill": ladder.skill,
        "nodes": [rung.level for rung in ladder.nodes],
        "recipes": {str(level): number for level, number in sorted(recipes.items())},
        "top": ladder.top,
    }
