"""Kill tasks: a monster, a minimal set of gear that beats it, and a hero who wears a part of it."""

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
from herobench.task_gen.draft import Draft, skills_for
from herobench.task_gen.gear.candidates import gear_candidates, gear_slots
from herobench.task_gen.gear.search import GearSearch
from herobench.task_gen.outfit import hardest, random_outfit
from herobench.task_gen.spec import Spec

LEVELS_ABOVE = (0, 5)
"""By how much a hero's level may lie above the one that a monster is meant for."""
_SETS_LOOKED_AT = 40


class KillTasks:
    """The kill tasks of a spec."""

    def __init__(self, world: World, rules: Rules, spec: Spec) -> None:
        self._world = world
        self._rules = rules
        self._monsters = [world.monsters[spec.monster]] if spec.monster else list(world.monsters.values())
        self._level = spec.level

    def draw(self, difficulty: int, chance: Random) -> Draft | None:
        """A task of a difficulty by chance; None where the draw does not work out."""
        open_fights = [fight for fight, (least, most) in self._bounds.items() if least <= difficulty <= most]
        if not open_fights:
            return None
        code, level = chance.choice(open_fights)
        search = self._search(code, level)
        gear = search.random_set(chance)
        outfit = random_outfit(search, gear, level, difficulty, chance) if gear else None
        if gear is None or outfit is None:
            return None
        skills = skills_for(self._world, level, Counter(gear.values()))
        hero = HeroStart.bare(self._world, self._rules, level, skills)
        hero = replace(hero, worn=MappingProxyType(dict(outfit.worn)))
        return Draft("kill", code, hero, outfit.missing)

    def range(self, chance: Random) -> tuple[int, int] | None:
        """The least and the highest difficulty among some sets drawn by chance; None where no gear wins."""
        found: list[int] = []
        for code, level in self._bounds:
            for _ in range(_SETS_LOOKED_AT):
                gear = self._search(code, level).random_set(chance)
                if gear:
                    easiest = min(item_difficulty(self._world, item) for item in gear.values())
                    found += (FIGHT + easiest, hardest(self._world, gear))
        return (min(found), max(found)) if found else None

    @cached_property
    def _bounds(self) -> Mapping[tuple[Code, int], tuple[int, int]]:
        """The fights there may be, monster and level of the hero, each with bounds on how hard its tasks are."""
        fights = [(monster, level) for monster in self._monsters for level in self._levels(monster)]
        return {(monster.code, level): self._bound(monster, level) for monster, level in fights}

    def _levels(self, monster: Monster) -> list[int]:
        if self._level is not None:
            return [self._level]
        levels = (monster.intended_level + above for above in LEVELS_ABOVE)
        return sorted({min(level, self._rules.level_cap) for level in levels})

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


@lru_cache(maxsize=1000)
def bare_search(world: World, rules: Rules, monster: Code, level: int) -> GearSearch:
    """The gear search of a hero with nothing on."""
    return GearSearch.of(world, rules, world.monsters[monster], HeroStart.bare(world, rules, level))
