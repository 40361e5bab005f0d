"""The balance of a world, in figures: what gear wins, how hard tasks get, how deep recipes go, what there is to choose.

A set of gear that wins and has nothing to spare is a kill task in the making: any part of it may be what is missing.
Where there are more such sets than are counted, the difficulties are those of the smallest and of some by chance, so a
world may offer more than is said here, and never less.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from random import Random
from typing import Any

from herobench.rpg.hero import HeroStart
from herobench.rpg.rules import Rules
from herobench.rpg.world import Code, Monster, World
from herobench.task_gen.craft_tasks import can_be_target
from herobench.task_gen.difficulty import BRACKETS, bracket_of, item_difficulty
from herobench.task_gen.gear.search import Gear, GearSearch
from herobench.task_gen.kill_tasks import LEVELS_ABOVE
from herobench.task_gen.worlds.brackets import brackets_of, difficulties
from herobench.task_gen.worlds.ladders import Ladder, ladders
from herobench.task_gen.worlds.oddity import Spots

SCHEMA = 1
MOST_SETS = 1000
"""Sets are counted up to so many."""
TIER = 10
"""How many levels a tier of items has."""
_MORE_SETS = 40


@dataclass(frozen=True, slots=True)
class Fight:
    """A monster and a hero of some level: the gear that wins."""

    monster: Code
    hero_level: int
    smallest: int | None
    """The items in the smallest set; None where no gear wins."""
    sets: int
    """The sets that have nothing to spare, up to `MOST_SETS`."""
    bits: int
    """The total difficulties of its tasks, each a bit."""

    @classmethod
    def of(cls, world: World, rules: Rules, monster: Monster, level: int) -> Fight:
        """The gear for a hero who has nothing on."""
        search = GearSearch.of(world, rules, monster, HeroStart.bare(world, rules, level))
        found: list[Gear] = list(islice(search.minimal_sets(), MOST_SETS))
        bits = _bits(world, found)
        if len(found) == MOST_SETS:
            chance = Random(0)  # noqa: S311 - a look around
            bits |= _bits(world, (search.random_set(chance) or {} for _ in range(_MORE_SETS)))
        return cls(monster.code, level, len(found[0]) if found else None, len(found), bits)

    @property
    def difficulty(self) -> tuple[int, int] | None:
        """The least and the highest total difficulty; None where there are no tasks."""
        if not self.bits:
            return None
        return (self.bits & -self.bits).bit_length() - 1, self.bits.bit_length() - 1

    def as_row(self) -> dict[str, Any]:
        """The fight as plain data."""
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
class Balance:
    """The figures of a world."""

    world: World
    rules: Rules
    fights: tuple[Fight, ...]
    crafts: Mapping[Code, int]
    """What a craft task can ask for, with its total difficulty."""
    ladders: Sequence[Ladder]

    @classmethod
    def of(cls, world: World, rules: Rules, step: Callable[[], None] = lambda: None) -> Balance:
        """The balance of a world; `step` is called for each fight once it is looked at."""
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
        """The monsters and the items that tasks of a bracket can be about."""
        monsters = dict.fromkeys(fight.monster for fight in self.fights if bracket in brackets_of(fight.bits))
        return list(monsters), [code for code, work in self.crafts.items() if bracket_of(work) == bracket]

    @property
    def depths(self) -> Mapping[int, list[Code]]:
        """The items by the number of crafts that follow on one another to make them."""
        known: dict[Code, int] = {}
        found: dict[int, list[Code]] = {}
        for code in self.world.items:
            found.setdefault(_depth(self.world, code, known), []).append(code)
        return dict(sorted(found.items()))

    @property
    def tiers(self) -> Mapping[str, Mapping[int, int]]:
        """How many items there are, by type and by the first level of their tier."""
        counts: dict[str, Counter[int]] = {}
        for item in self.world.items.values():
            counts.setdefault(item.type, Counter())[max(1, item.level // TIER * TIER)] += 1
        return {kind: dict(sorted(counts[kind].items())) for kind in sorted(counts)}

    def as_row(self) -> dict[str, Any]:
        """The figures as plain data."""
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
    """The fights that kill tasks are about: each monster with the levels of its heroes."""
    return [
        (monster, level)
        for monster in world.monsters.values()
        for level in sorted({min(monster.intended_level + above, rules.level_cap) for above in LEVELS_ABOVE})
    ]


def counts_of(world: World) -> dict[str, int]:
    """How many of everything there are."""
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
