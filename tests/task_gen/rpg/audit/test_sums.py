from __future__ import annotations

from dataclasses import replace

import numpy as np

from herobench.suites.rpg.game.world import World
from herobench.task_gen.rpg.audit.sums import FEATURES, WEIGHTS, Foe, by_sum, features, summed_gear
from tests.builders import hero_row
from tests.task_gen.rpg.audit.cases import ALL, WINNING, armed, case, told


def summed(world: World, task: object) -> dict[str, str]:
    return {slot: item.code for slot, item in summed_gear(case(world, task), WEIGHTS["sum"].rate).items()}  # type: ignore[arg-type]


def test_numbers_of_a_piece_count_times_those_of_the_monster(tiny: World) -> None:
    drake, sword, coat = tiny.monsters["drake"].stats, tiny.items["bar_sword"], tiny.items["fur_coat"]
    rows = features([sword, coat], Foe.of(drake), sword)
    by_name = dict(zip(FEATURES, rows.T, strict=True))
    through = [1 - resistance / 100 for resistance in drake.resistance]
    assert by_name["hits"][0] == sum(a * share for a, share in zip(sword.worn.attack, through, strict=True)) > 0
    assert by_name["hp"].tolist() == [sword.worn.hp, coat.worn.hp]
    strikes = [a * (1 + d / 100) for a, d in zip(drake.attack, drake.damage, strict=True)]
    wards = sum(r / 100 * hit for r, hit in zip(coat.worn.resistance, strikes, strict=True))
    assert np.isclose(by_name["wards"][1], wards)


def test_a_bonus_to_hits_counts_by_the_weapon_beside_it(tiny: World) -> None:
    foe, sword = Foe.of(tiny.monsters["drake"].stats), tiny.items["bar_sword"]
    charm = replace(sword, worn=sword.worn._replace(attack=(0,) * len(foe.through), damage=(10,) * len(foe.through)))
    bonus = FEATURES.index("bonus")
    bare, armed_rows = features([charm], foe, None), features([charm], foe, sword)
    assert bare[0, bonus] == 0
    assert np.isclose(armed_rows[0, bonus], 0.1 * float(np.array(sword.worn.attack) @ foe.through))


def test_the_highest_sum_is_made_worn_and_fought_in(tiny: World) -> None:
    task = armed(tiny, **WINNING)
    assert summed(tiny, task) == {"blade": "bar_sword", "coat": "fur_coat"}
    journey = by_sum(case(tiny, task), WEIGHTS["sum"].rate)
    assert journey.judged().outcome == "win"


def test_what_is_worn_stays_if_its_sum_is_higher(tiny: World) -> None:
    hero = hero_row(worn={"blade": "bar_sword"})
    weaker = told(tiny, hero, recipes=["brick", "club"], materials=["clay", "twig"], stats=["bar_sword"])
    assert summed(tiny, weaker) == {"blade": "bar_sword"}


def test_spare_gear_in_the_bag_is_a_choice_as_often_as_it_is_there(tiny: World) -> None:
    hero = hero_row(inventory={"pearl_charm": 1})
    one = told(tiny, hero, stats=["pearl_charm"])
    assert dict(case(tiny, one).spare) == {"pearl_charm": 1}
    assert list(summed(tiny, one).values()) == ["pearl_charm"]
    two = told(tiny, hero_row(inventory={"pearl_charm": 2}), stats=["pearl_charm"])
    assert list(summed(tiny, two).values()) == ["pearl_charm"] * 2
    unknown = told(tiny, hero)
    assert summed(tiny, unknown) == {}


def test_what_the_task_says_is_missing_is_not_looked_at(tiny: World) -> None:
    task = armed(tiny, **ALL)
    assert summed(tiny, task) == summed(tiny, replace(task, missing={}))
