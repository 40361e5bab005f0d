"""The climb is bounded, and finds nearly every loadout that wins."""

from __future__ import annotations

from itertools import product
from random import Random

from herobench.suites.rpg.game.hero import Hero
from herobench.suites.rpg.game.rules import Fighter, duel
from herobench.suites.rpg.game.world import Item, World
from herobench.task_gen.rpg.gear.candidates import add
from herobench.task_gen.rpg.gear.climb import GearClimb
from tests.builders import hero_row
from tests.task_gen.rpg.audit.cases import ALL, case, told

PLENTY = 100_000


def draw_options(world: World, rng: Random) -> dict[str, list[Item | None]]:
    kinds = {"weapon": "weapon", "helmet": "helmet", "body_armor": "body_armor", "boots": "boots"}
    return {
        slot: [None, *rng.sample([item for item in world.items.values() if item.type == kind], 3)]
        for slot, kind in kinds.items()
    }


def test_what_is_found_wins_and_nearly_every_win_is_found(classic: World) -> None:
    rng, possible, found = Random(1), 0, 0
    for _ in range(25):
        options = draw_options(classic, rng)
        task = told(classic, {**hero_row(stats={"hp": 500}), "skills": {}})
        hero, monster = Hero(classic, task.hero), rng.choice(list(classic.monsters.values())).stats
        sets = [[item for item in some if item] for some in product(*options.values())]
        wins = [some for some in sets if duel(Fighter(add(hero.stats, *(i.worn for i in some))), monster, 100).won]
        chosen = GearClimb(classic, hero, options, PLENTY).winning(monster, 100)
        if chosen is not None:
            assert sorted(chosen.values()) in [sorted(item.code for item in some) for some in wins]
        possible += bool(wins)
        found += chosen is not None
    assert possible >= 8
    assert found >= possible - 1


def test_the_effort_is_bounded(classic: World) -> None:
    task = told(classic, {**hero_row(stats={"hp": 50_000}), "skills": {}})
    hero, monster = Hero(classic, task.hero), classic.monsters["lich"].stats
    climb = GearClimb(classic, hero, draw_options(classic, Random(2)), 10)
    assert climb.winning(monster, 1) is None
    assert climb.evaluations == 0


def test_one_piece_in_the_bag_is_not_worn_in_two_slots(tiny: World) -> None:
    hero = Hero(tiny, told(tiny, hero_row(stats={"hp": 100, "attack_heat": 20}), **ALL).hero)
    charm = tiny.items["pearl_charm"]
    options = {"charm1": [None, charm], "charm2": [None, charm]}
    # With one charm the hit is 25, with two 30.
    monster = tiny.monsters["rat"].stats._replace(hp=30, attack=(500, 500), resistance=(0, 0))
    assert GearClimb(tiny, hero, options, PLENTY).winning(monster, 100) == dict.fromkeys(options, "pearl_charm")
    assert GearClimb(tiny, hero, options, PLENTY, {"pearl_charm": 1}).winning(monster, 100) is None


def test_a_hero_who_wins_as_he_is_changes_nothing(tiny: World) -> None:
    found = case(tiny, told(tiny, hero_row(stats={"hp": 900, "attack_heat": 900}, worn={"blade": "twig"}), **ALL))
    climb = GearClimb(tiny, found.journey().hero, {"blade": [tiny.items["twig"], tiny.items["club"]]}, PLENTY)
    assert climb.winning(tiny.monsters["drake"].stats, 100) == {"blade": "twig"}
    assert climb.evaluations == PLENTY
