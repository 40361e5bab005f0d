"""Kill tasks: draw a monster, a minimal gear set that beats it, and a hero who wears a part of the set.

The generator calls this. World statistics and world checks use the same hero levels.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property, lru_cache
from random import Random
from types import MappingProxyType

from herobench.rpg.hero import HeroStart
from herobench.rpg.rules import Rules
from herobench.rpg.world import Code, Monster, World, slot_type
from herobench.task_gen.difficulty import FIGHT, item_difficulty
from herobench.task_gen.draft import Draft
from herobench.task_gen.gear.candidates import gear_candidates, gear_slots
from herobench.task_gen.gear.search import GearSearch
from herobench.task_gen.oracle.requirements import skills_for
from herobench.task_gen.outfit import hardest, random_outfit
from herobench.task_gen.spec import Spec

Fight = tuple[Code, int]
"""A monster, and the level of the hero who is sent against it."""
LEVELS_ABOVE = (0, 5)
"""The levels of heroes, as differences from the level that the monster is meant for."""
_SETS_LOOKED_AT = 40
"""The number of random gear sets per fight from which the range is estimated."""


class KillTasks:
    """The kill tasks of a spec."""

    def __init__(self, world: World, rules: Rules, spec: Spec) -> None:
        self._world = world
        self._rules = rules
        self._monsters = [world.monsters[spec.monster]] if spec.monster else list(world.monsters.values())
        self._level = spec.level

    def draw(self, difficulty: int, rng: Random, fight: Fight | None = None) -> Draft | None:
        """Draw a task of a difficulty at random, of a fight if one is given. Return None if the draw fails."""
        open_fights = [fight for fight, (least, most) in self._bounds.items() if least <= difficulty <= most]
        # The bounds ignore which items fit together, so a fight inside them may still fail later in the draw.
        if not open_fights:
            return None
        code, level = fight or rng.choice(open_fights)
        search = self._search(code, level)
        gear = search.random_set(rng)
        outfit = random_outfit(search, gear, level, difficulty, rng) if gear else None
        if gear is None or outfit is None:
            return None
        # The hero can craft all of his set from the start; leveling tasks lower the gathering skills later.
        skills = skills_for(self._world, level, Counter(gear.values()))
        hero = HeroStart.bare(self._world, self._rules, level, skills)
        hero = replace(hero, worn=MappingProxyType(dict(outfit.worn)))
        return Draft("kill", code, hero, outfit.missing)

    def range(self, rng: Random) -> tuple[int, int] | None:
        """Return the lowest and the highest difficulty among some random gear sets, or None if no gear wins."""
        found: list[int] = []
        for code, level in self._bounds:
            # An estimate: the number of minimal sets may be far too large to list.
            for _ in range(_SETS_LOOKED_AT):
                gear = self._search(code, level).random_set(rng)
                if gear:
                    easiest = min(item_difficulty(self._world, item) for item in gear.values())
                    found += (FIGHT + easiest, hardest(self._world, gear))
        return (min(found), max(found)) if found else None

    @cached_property
    def _bounds(self) -> Mapping[Fight, tuple[int, int]]:
        """The possible fights, with bounds on the difficulty of their tasks."""
        fights = [(monster, level) for monster in self._monsters for level in self._levels(monster)]
        return {(monster.code, level): self._bound(monster, level) for monster, level in fights}

    def _levels(self, monster: Monster) -> list[int]:
        if self._level is not None:
            return [self._level]
        return hero_levels(monster, self._rules)

    def _bound(self, monster: Monster, level: int) -> tuple[int, int]:
        world = self._world
        works = {
            kind: [item_difficulty(world, item.code) for item in items]
            for kind, items in gear_candidates(world, monster, level).items()
        }
        filled = [works[slot_type(slot)] for slot in gear_slots(world) if works[slot_type(slot)]]
        return FIGHT + min(map(min, filled), default=0), FIGHT + sum(max(work) + 1 for work in filled)

    def _search(self, code: Code, level: int) -> GearSearch:
        return bare_search(self._world, self._rules, code, level)


def hero_levels(monster: Monster, rules: Rules) -> list[int]:
    """Return the levels of the heroes who are sent against a monster, lowest first."""
    return sorted({min(monster.intended_level + above, rules.level_cap) for above in LEVELS_ABOVE})


@lru_cache(maxsize=1000)
def bare_search(world: World, rules: Rules, monster: Code, level: int) -> GearSearch:
    """Return the gear search of a hero who wears nothing. It is cached, because many draws share it."""
    return GearSearch.of(world, rules, world.monsters[monster], HeroStart.bare(world, rules, level))
