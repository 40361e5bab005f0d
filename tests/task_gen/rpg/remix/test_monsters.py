"""The strength of gear, and the limits of the health of monsters against the exact gear search."""

from dataclasses import replace
from random import Random

import numpy as np

from herobench.suites.rpg.game.hero import HeroStart
from herobench.suites.rpg.game.world import Monster, World, slot_type
from herobench.suites.rpg.worlds.content import load_rules
from herobench.task_gen.rpg.gear.search import GearSearch
from herobench.task_gen.rpg.remix.blueprint import GEAR, LEVELS
from herobench.task_gen.rpg.remix.monsters import Armory, MonsterPattern
from herobench.task_gen.rpg.remix.remixed_world import remix
from herobench.task_gen.rpg.remix.smithy import DAMAGE, HEALTH, RESISTANCE, Forge
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


# -- strength ---------------------------------------------------------------------------------------------------------

ELEMENTS = ("frost", "tide", "void", "thorn")


def points(effects: dict[str, int]) -> int:
    prices = {"hp": HEALTH, "attack": 1, "dmg": DAMAGE, "res": RESISTANCE}
    return sum(value * prices[effect.split("_")[0]] for effect, value in effects.items())


def made(kind: str, step: int, number: int = 80) -> list[dict[str, int]]:
    forge = Forge(ELEMENTS, Random(3))
    return [dict(forge.effects(kind, step)) for _ in range(number)]


@for_each("kind", GEAR)
def test_gear_of_a_level_has_one_budget_and_higher_levels_have_more(kind: str) -> None:
    budgets = [{points(effects) for effects in made(kind, step, 40)} for step in range(len(LEVELS))]
    assert all(len(budget) == 1 for budget in budgets)
    sums = [min(budget) for budget in budgets]
    assert sums == sorted(set(sums))


@for_each("kind", GEAR)
def test_nothing_is_as_good_as_another_in_everything(kind: str) -> None:
    all_of_it = [effects for step in (0, 4) for effects in made(kind, step)]
    for index, one in enumerate(all_of_it):
        better = [
            other for other in all_of_it[: 80 if index < 80 else None] if other is not one and outdoes(other, one)
        ]
        assert better == []


def outdoes(other: dict[str, int], one: dict[str, int]) -> bool:
    return all(other.get(effect, 0) >= one.get(effect, 0) for effect in {*one, *other})


def test_the_first_weapons_strike_in_all_elements() -> None:
    struck = [set(effects) for effects in made("weapon", 0, 4)]
    assert set.union(*struck) == {f"attack_{element}" for element in ELEMENTS}


def test_no_effect_does_harm() -> None:
    assert all(value > 0 for kind in GEAR for effects in made(kind, 3) for value in effects.values())
