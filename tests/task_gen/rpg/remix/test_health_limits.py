"""Limits of a monster's health, against the exact gear search: no smaller set wins above, and one does below."""

from dataclasses import replace
from random import Random

import numpy as np

from herobench.suites.rpg.game.hero import HeroStart
from herobench.suites.rpg.game.world import Monster, World, slot_type
from herobench.suites.rpg.worlds.content import load_rules
from herobench.task_gen.rpg.gear.search import GearSearch
from herobench.task_gen.rpg.remix.monsters import Armory, MonsterPattern
from herobench.task_gen.rpg.remix.remixed_world import remix
from tests.sizes import for_each

rules = load_rules()
WORLD = World.from_documents(remix(11, 0.5))
MONSTERS = tuple(WORLD.monsters.values())


def armory(level: int) -> Armory:
    slots = {kind: 0 for kind in map(slot_type, WORLD.slots) if kind != "consumable"}
    for slot in WORLD.slots:
        if slot_type(slot) in slots:
            slots[slot_type(slot)] += 1
    items = [item for item in WORLD.items.values() if item.level <= level and item.code not in WORLD.starter_items]
    gear = {kind: [item.effects for item in items if item.type == kind] for kind in slots}
    return Armory.of(WORLD.elements, gear, slots)


def pattern(monster: Monster) -> MonsterPattern:
    hero = HeroStart.bare(WORLD, rules, monster.intended_level)
    return MonsterPattern(
        np.array(monster.stats.attack), np.array(monster.stats.resistance), hero.stats["hp"], rules.rounds
    )


def smallest(monster: Monster, health: int) -> int | None:
    target = replace(monster, stats=monster.stats._replace(hp=health))
    hero = HeroStart.bare(WORLD, rules, monster.intended_level)
    gear = GearSearch.of(WORLD, rules, target, hero).smallest()
    return None if gear is None else len(gear)


@for_each("seed", range(12))
def test_the_search_agrees_with_the_limits(seed: int) -> None:
    chance = Random(seed)
    monster = chance.choice(MONSTERS)
    here = armory(monster.intended_level)
    size = chance.randint(1, here.room)
    above, below = pattern(monster).limits(here, size)
    least, most = above // 100 + 1, (below - 1) // 100
    if least <= most:
        for health in (least, (least + most) // 2, most):
            assert smallest(monster, health) == size
    if most > 0:
        found = smallest(monster, most)
        assert found is not None
        assert found <= size


def test_limits_grow_with_the_size_of_the_set() -> None:
    monster = MONSTERS[-1]
    here = armory(monster.intended_level)
    reached = [pattern(monster).limits(here, size)[1] for size in range(1, here.room + 1)]
    assert reached == sorted(reached)
    assert reached[0] < reached[-1]
