"""Draw the fight or the craft of a task, before it is planned, told and certified.

A kill task has a monster, a minimal gear set that beats it, and a hero who wears a part of the set. A craft task has an
item to make. It has no fights, so materials that only monsters drop, and those that only the exchange has, are told to
be for sale. The generator calls this; world statistics and world checks use the same hero levels.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from random import Random
from types import MappingProxyType
from typing import NamedTuple

from herobench.suites.rpg.game.hero import NEXT_LEVEL_XP, HeroStart
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.task import Exchange, Kind, Knowledge, Mechanics, Task
from herobench.suites.rpg.game.world import Code, Item, Monster, World, slot_type
from herobench.task_gen.rpg.gear.candidates import add, gear_candidates, gear_slots
from herobench.task_gen.rpg.gear.search import Gear, GearSearch
from herobench.task_gen.rpg.oracle.gathering import Requirements, skills_for
from herobench.task_gen.rpg.tasks.spec import FIGHT, Spec, item_difficulty

EXCHANGE: Exchange = "told"
"""The exchange of generated tasks: it sells only what the task tells, or the hero could buy what he has to make."""


@dataclass(frozen=True)
class TaskDraft:
    """The goal, the hero and the missing gear of a task."""

    kind: Kind
    target: Code
    hero: HeroStart
    missing: Mapping[str, Code]
    sold: frozenset[Code] = frozenset()
    leveling: bool = False
    """True if the hero's gathering skills start at level 1."""

    def without_skills(self, world: World) -> TaskDraft:
        """Return the same draft with the hero's gathering skills at level 1."""
        # Only skills that nodes use: there is no place to raise the others.
        beginnings = {node.skill: (1, 0, NEXT_LEVEL_XP) for node in world.resources.values()}
        skills = MappingProxyType({**self.hero.skills, **beginnings})
        return replace(self, hero=replace(self.hero, skills=skills), leveling=True)

    def task(self, world: World, seed: int, mechanics: Mechanics) -> Task:
        """Return the draft as a task with full knowledge, for the oracle to plan."""
        # All places are known, so that the oracle may choose among all nodes.
        everything = Knowledge((), (), self.sold, (), tuple(world.tiles), ())
        return Task(
            id="draft",
            world=world.digest,
            kind=self.kind,
            target=self.target,
            hero=self.hero,
            missing=self.missing,
            knowledge=everything,
            mechanics=mechanics,
            seed=seed,
            difficulty=0,
        )


_MOST_SLOTS = 16
"""The largest number of items that may be missing, because the number of subsets doubles per item."""


class DrawnLoadout(NamedTuple):
    """Gear that the hero wears at the start, and gear that he has to make."""

    worn: Mapping[str, Code]
    missing: Mapping[str, Code]


def random_loadout(
    search: GearSearch, gear: Gear, level: int, difficulty: int, rng: Random, item: Code | None = None
) -> DrawnLoadout | None:
    """Choose a loadout of a difficulty, whose missing gear needs an item, at random. None if the gear set has none."""
    world = search.world
    fight_difficulty = difficulty - FIGHT
    fitting = sum(_needs(world, code, item) << index for index, code in enumerate(gear.values()))
    parts = [part for part in _parts(world, gear, fight_difficulty) if part & fitting]
    if not parts:
        return None
    part = rng.choice(parts)
    missing = {slot: gear[slot] for index, slot in enumerate(gear) if part >> index & 1}
    obstacles = fight_difficulty - sum(item_difficulty(world, code) for code in missing.values())
    worn = {slot: code for slot, code in gear.items() if slot not in missing}
    # Sorted, because the random choice must not depend on the order in which the set was found.
    for slot in rng.sample(sorted(missing), obstacles):
        poorer = _poorer(search, gear, slot, level)
        if not poorer:
            return None
        worn[slot] = rng.choice(poorer)
    # In the world's order, so that equal loadouts have equal bytes.
    return DrawnLoadout({slot: worn[slot] for slot in world.slots if slot in worn}, missing)


def _parts(world: World, gear: Gear, target: int) -> list[int]:
    """Return the subsets of a gear set that may be missing for a difficulty: numbers with a bit for each slot."""
    slots = list(gear)[:_MOST_SLOTS]
    # totals[subset] is the sum of the subset's difficulties (subset-sum doubling).
    totals = [0]
    for slot in slots:
        weight = item_difficulty(world, gear[slot])
        totals += [total + weight for total in totals]
    # The rest of the wanted difficulty comes from emptied slots, which is at most one per missing item.
    return [part for part, total in enumerate(totals) if part and total <= target <= total + part.bit_count()]


def _poorer(search: GearSearch, gear: Gear, slot: str, level: int) -> list[Code]:
    """Return the items that the hero may wear instead in a slot, with which he loses in the rest of the set.

    Starter items are not among them, because they do not add to the difficulty.
    """
    world, kind = search.world, slot_type(slot)
    rest = search.stats({name: code for name, code in gear.items() if name != slot})
    return [
        item.code
        for item in world.items.values()
        if item.type == kind
        and item.level <= level
        and item.code not in world.starter_items
        and not search.beats(add(rest, item.worn))
    ]


Fight = tuple[Code, int]
"""A monster, and the level of the hero who is sent against it."""
LEVELS_ABOVE = (0, 5)
"""The levels of heroes, as differences from the level that the monster is meant for."""


@lru_cache(maxsize=10_000)
def _needs(world: World, crafted: Code, item: Code | None) -> bool:
    """Return whether an item is made, or goes into what is made; any draw has the item None."""
    if item is None:
        return True
    requirements = Requirements.of(world, {crafted: 1})
    return item in requirements.crafts or item in requirements.raw


class KillTasks:
    """The kill tasks of a spec."""

    def __init__(self, world: World, rules: Rules, spec: Spec) -> None:
        self._world = world
        self._rules = rules
        self._monsters = [world.monsters[spec.monster]] if spec.monster else list(world.monsters.values())
        self._level = spec.level
        self._item = spec.item
        self._open: dict[int, list[Fight]] = {}

    def draw(self, difficulty: int, rng: Random, fight: Fight | None = None) -> TaskDraft | None:
        """Draw a task of a difficulty at random, of a fight if one is given. Return None if the draw fails."""
        if difficulty not in self._open:
            bounds = self._bounds.items()
            self._open[difficulty] = [fight for fight, (least, most) in bounds if least <= difficulty <= most]
        open_fights = self._open[difficulty]
        # The bounds ignore which items fit together, so a fight inside them may still fail later in the draw.
        if not open_fights:
            return None
        code, level = fight or rng.choice(open_fights)
        search = bare_search(self._world, self._rules, code, level)
        gear = search.random_set(rng)
        loadout = random_loadout(search, gear, level, difficulty, rng, self._item) if gear else None
        if gear is None or loadout is None:
            return None
        # The hero can craft all of his set from the start; leveling tasks lower the gathering skills later.
        skills = skills_for(self._world, level, Counter(gear.values()))
        hero = HeroStart.bare(self._world, self._rules, level, skills)
        hero = replace(hero, worn=MappingProxyType(dict(loadout.worn)))
        return TaskDraft("kill", code, hero, loadout.missing)

    @cached_property
    def _bounds(self) -> Mapping[Fight, tuple[int, int]]:
        """The fights for which gear may need the item, if one is asked for, with bounds on the difficulty of tasks."""
        fights = {
            (monster.code, level): gear_candidates(self._world, monster, level)
            for monster in self._monsters
            for level in ([self._level] if self._level is not None else hero_levels(monster, self._rules))
        }
        return {fight: self._bound(gear) for fight, gear in fights.items() if self._item is None or self._fitting(gear)}

    def _fitting(self, gear: Mapping[str, Collection[Item]]) -> list[int]:
        """Return the difficulties of the gear that needs the item."""
        codes = (item.code for items in gear.values() for item in items)
        return [item_difficulty(self._world, code) for code in codes if _needs(self._world, code, self._item)]

    def _bound(self, gear: Mapping[str, Collection[Item]]) -> tuple[int, int]:
        works = {kind: [item_difficulty(self._world, item.code) for item in items] for kind, items in gear.items()}
        slot_works = [works[slot_type(slot)] for slot in gear_slots(self._world) if works[slot_type(slot)]]
        return FIGHT + min(self._fitting(gear), default=0), FIGHT + sum(max(work) + 1 for work in slot_works)


def hero_levels(monster: Monster, rules: Rules) -> list[int]:
    """Return the levels of the heroes who are sent against a monster, lowest first."""
    return sorted({min(monster.intended_level + above, rules.level_cap) for above in LEVELS_ABOVE})


@lru_cache(maxsize=1000)
def bare_search(world: World, rules: Rules, monster: Code, level: int) -> GearSearch:
    """Return the gear search of a hero who wears nothing. It is cached, because many draws share it."""
    return GearSearch.of(world, rules, world.monsters[monster], HeroStart.bare(world, rules, level))


# -- craft tasks ------------------------------------------------------------------------------------------------------

_STEP = 5
"""Heroes of craft tasks have levels that are multiples of this, or level 1."""


class CraftTasks:
    """The craft tasks of a spec."""

    def __init__(self, world: World, rules: Rules, spec: Spec) -> None:
        self._world = world
        self._rules = rules
        self._level = spec.level
        self._targets: dict[int, list[Code]] = {}
        for code, item in world.items.items():
            if item.recipe and can_be_target(world, code) and _needs(world, code, spec.item):
                self._targets.setdefault(item_difficulty(world, code), []).append(code)

    def has(self, difficulty: int) -> bool:
        """Return whether there are targets of a difficulty."""
        return difficulty in self._targets

    def draw(self, difficulty: int, rng: Random) -> TaskDraft | None:
        """Draw a task of a difficulty at random. Return None if no target has that difficulty."""
        if difficulty not in self._targets:
            return None
        target = rng.choice(self._targets[difficulty])
        # A bare hero's skills are at his level, so the level has to reach the highest skill that is needed.
        least = max(skills_for(self._world, 1, {target: 1}).values())
        level = rng.choice(self._levels(least))
        hero = HeroStart.bare(self._world, self._rules, level, skills_for(self._world, level, {target: 1}))
        raw = Requirements.of(self._world, {target: 1}).raw
        return TaskDraft("craft", target, hero, MappingProxyType({}), frozenset(raw.keys() - self._world.nodes.keys()))

    def _levels(self, least: int) -> list[int]:
        if self._level is not None:
            return [self._level]
        return [level for level in (1, *range(_STEP, self._rules.level_cap + 1, _STEP)) if level >= least] or [least]


@lru_cache(maxsize=10_000)
def can_be_target(world: World, code: Code) -> bool:
    """Return whether a craft task can ask for an item with a recipe: whatever cannot be gathered for it is for sale."""
    raw = Requirements.of(world, {code: 1}).raw
    purchases = raw.keys() - world.nodes.keys()
    # Without an exchange on the map, nothing can be bought, whatever the world sells.
    return not purchases or (bool(world.standing("grand_exchange")) and purchases <= world.exchange_sells)


def craftable_like(world: World, target: Code) -> Mapping[Code, int]:
    """Return the other items that the skill of the target's recipe makes, with the levels of their recipes."""
    recipe = world.items[target].recipe
    return {
        code: item.recipe.level
        for code, item in world.items.items()
        if recipe and item.recipe and item.recipe.skill == recipe.skill and code != target
    }
