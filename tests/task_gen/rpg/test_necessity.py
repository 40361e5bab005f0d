from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations
from random import Random
from types import MappingProxyType

import pytest

from herobench.suites.rpg.game.combat import duel
from herobench.suites.rpg.game.hero import Hero, HeroStart
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import World, slot_type
from herobench.suites.rpg.worlds.content import load_rules
from herobench.task_gen.rpg.gear.candidates import gear_slots
from herobench.task_gen.rpg.oracle.loadouts import MissingGear, without
from tests.builders import tiny_task
from tests.task_gen.rpg.made import tasks

rules = load_rules()


def gear_by_chance(world: World, slots: list[str], chance: Random) -> dict[str, str]:
    gear = {}
    for slot in slots:
        gear[slot] = chance.choice([item.code for item in world.items.values() if item.type == slot_type(slot)])
    return gear


def dressed(world: World, hero: HeroStart, gear: Mapping[str, str], extra_hp: int = 0) -> Hero:
    """Return the hero with some gear on, as the game equips it."""
    found = Hero(world, hero)
    for slot, code in gear.items():
        if slot in found.worn:
            found.take_off(slot)
        found.put_on(slot, world.items[code])
    found.hp += extra_hp
    return found


def winning_parts(
    world: World, hero: HeroStart, missing: Mapping[str, str], target: str, extra_hp: int
) -> set[frozenset[int]]:
    slots = list(missing)
    parts = [frozenset(part) for size in range(len(slots) + 1) for part in combinations(range(len(slots)), size)]
    monster = world.monsters[target].stats
    return {
        part
        for part in parts
        if duel(
            dressed(world, hero, {slots[number]: missing[slots[number]] for number in part}, extra_hp).fighter(),
            monster,
            rules.rounds,
        ).won
    }


@pytest.mark.parametrize("seed", range(60))
def test_the_parts_that_win_are_those_of_the_duel(classic: World, tiny: World, seed: int) -> None:
    """Random gear against random monsters; some heroes have more health than at the start."""
    chance = Random(seed)
    world = tiny if seed % 6 == 0 else classic
    slots = list(gear_slots(world))
    missing = gear_by_chance(world, chance.sample(slots, chance.randint(0, min(6, len(slots)))), chance)
    worn = gear_by_chance(world, chance.sample(slots, chance.randint(0, len(slots))), chance)
    level, extra_hp = chance.randint(1, 40), chance.choice([0, 0, 5, 35])
    hero = replace(HeroStart.bare(world, rules, level), worn=MappingProxyType(worn))
    for target in chance.sample(list(world.monsters), min(3, len(world.monsters))):
        found = MissingGear.of(world, hero, missing, extra_hp).winning_subsets(world.monsters[target], rules)
        assert len(found) == len(set(found))
        assert set(found) == winning_parts(world, hero, missing, target, extra_hp)


def test_all_of_it_is_needed_where_only_the_whole_wins(tiny: World) -> None:
    drake = tiny.monsters["drake"]

    def all_needed(hero: HeroStart, **missing: str) -> bool:
        return MissingGear.of(tiny, hero, missing).all_needed(drake, rules)

    hero = HeroStart.bare(tiny, rules, 5)
    assert all_needed(hero, blade="bar_sword", coat="fur_coat")
    assert all_needed(hero, blade="bar_sword", charm1="pearl_charm")
    assert not all_needed(hero, blade="bar_sword", coat="fur_coat", charm1="pearl_charm")
    assert not all_needed(hero, blade="bar_sword")
    assert not all_needed(hero, coat="fur_coat")
    assert all_needed(replace(hero, worn=MappingProxyType({"blade": "bar_sword"})), coat="fur_coat")


def test_old_gear_may_be_better_than_what_is_missing(tiny: World) -> None:
    """He wins with the sword he wears and loses with the club he has to make; the coat changes nothing."""
    hero = replace(HeroStart.bare(tiny, rules, 10), worn=MappingProxyType({"blade": "bar_sword"}))
    missing_gear = MissingGear.of(tiny, hero, {"blade": "club", "coat": "fur_coat"})
    assert missing_gear.winning_subsets(tiny.monsters["drake"], rules) == [frozenset(), frozenset([1])]
    assert not missing_gear.all_needed(tiny.monsters["drake"], rules)


def test_a_hero_who_is_healthier_may_do_without(tiny: World) -> None:
    hero, gear = HeroStart.bare(tiny, rules, 5), {"blade": "bar_sword", "coat": "fur_coat"}
    assert MissingGear.of(tiny, hero, gear).all_needed(tiny.monsters["drake"], rules)
    assert not MissingGear.of(tiny, hero, gear, 50).all_needed(tiny.monsters["drake"], rules)


def test_without_an_item_the_last_fight_goes_as_the_duel_goes(classic: World) -> None:
    for task in tasks(classic, 18, kind="kill"):
        fights = without(classic, rules, task, 5)
        assert fights.keys() == task.missing.keys()
        for slot, fight in fights.items():
            rest = {name: code for name, code in task.missing.items() if name != slot}
            hero = dressed(classic, task.hero, rest, 5)
            assert fight == duel(hero.fighter(), classic.monsters[task.target].stats, rules.rounds)


def test_of_no_missing_gear_there_is_one_part(tiny: World) -> None:
    task: Task = tiny_task(tiny, missing={})
    assert MissingGear.of(tiny, task.hero, {}).winning_subsets(tiny.monsters["drake"], rules) == []
    assert without(tiny, rules, task, 0) == {}
