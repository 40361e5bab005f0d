"""Effects that the arithmetic of hits does not cover: a toy poison, for which the search fights real duels."""

import json
from dataclasses import replace
from itertools import product
from random import Random
from types import MappingProxyType
from typing import Any

import pytest

from herobench.suites.rpg.game.combat_batch import Fighters, duels, stat_rows
from herobench.suites.rpg.game.hero import Hero
from herobench.suites.rpg.game.rules import Fighter, duel
from herobench.suites.rpg.game.world import ROUND_EFFECTS, Stats, World
from herobench.task_gen.rpg.gear.candidates import add, subtract, verdict
from herobench.task_gen.rpg.gear.search import GearSearch
from tests.builders import TINY, documents
from tests.sizes import one_in
from tests.task_gen.rpg.gear.test_search import Case, all_minimal_sets, key, make_case, random_case

SEEDS = range(24)


def poison(value: Any, number: int, hp: Any) -> Any:
    """Take a percentage of what health is left, more each round: linear in nothing."""
    return hp * (value * number * 0.01)


@pytest.fixture(autouse=True)
def with_poison(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ROUND_EFFECTS, "poison", poison)


def poisoned(seed: int, monster: bool) -> Case:
    """A small random world with poison on some of its gear, and perhaps on the monster."""
    chance = Random(seed)
    case = random_case(seed)
    content = json.loads(case.world.source)
    made = [item for item in content["items"]["items"] if "_no_" in item["code"]]
    for item in chance.sample(made, min(len(made), 3)):
        item["effects"]["poison"] = chance.choice([-2, 1, 3, 5])
    world = World.from_documents(content)
    if monster:
        drake = world.monsters["drake"]
        venomous = replace(drake, stats=drake.stats._replace(round_effects=(("poison", 2),)))
        world = replace(world, monsters=MappingProxyType({**world.monsters, "drake": venomous}))
    return Case(world, case.rules, world.monsters["drake"], case.hero)


@pytest.mark.parametrize(("seed", "monster"), one_in(5, product(SEEDS, [False, True])))
def test_the_minimal_sets_are_those_of_brute_force_with_real_duels(seed: int, monster: bool) -> None:
    case = poisoned(seed, monster)
    minimal = all_minimal_sets(case)
    search = case.search()
    found = list(search.minimal_sets())
    assert sorted(key(case, gear) for gear in found) == sorted(minimal)
    assert [len(gear) for gear in found] == sorted(minimal.values())
    assert all(search.is_minimal(gear) for gear in found)
    drawn = [search.random_set(Random(draw)) for draw in range(10)]
    assert {gear is None for gear in drawn} == {not minimal}
    assert {key(case, gear) for gear in drawn if gear is not None} <= minimal.keys()


def test_counting_hits_alone_would_be_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    cases = [poisoned(seed, monster=True) for seed in SEEDS]
    right = [sorted(key(case, gear) for gear in case.search().minimal_sets()) for case in cases]
    monkeypatch.setattr(GearSearch, "only_hits", True)
    blind = [sorted(key(case, gear) for gear in case.search().minimal_sets()) for case in cases]
    assert sum(one != other for one, other in zip(right, blind, strict=True)) > len(cases) / 4


def test_a_world_without_it_is_searched_by_arithmetic(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(GearSearch, "_minimal_by_duels")
    assert make_case(with_venom(), "drake", 10).search().smallest() == {"blade": "bar_sword"}


def test_no_verdict_is_given_without_a_duel() -> None:
    plain, venomous = Stats(9, (9,), (0,), (0,)), Stats(9, (9,), (0,), (0,), (("poison", 1),))
    assert verdict(plain, Stats(8, (1,), (0,), (0,)), 49) is True
    assert verdict(venomous, Stats(8, (1,), (0,), (0,)), 49) is None
    assert verdict(plain, Stats(8, (1,), (0,), (0,), (("poison", 1),)), 49) is None


def test_an_effect_comes_after_the_hits_of_its_side() -> None:
    """100 less 10 is 90, less 10 % is 81; then 71, less 20 % is 56.8. The hero loses 5 and half of the rest."""
    hero = Stats(105, (10,), (0,), (0,), (("poison", 10),))
    monster = Stats(100, (5,), (0,), (0,), (("poison", 50),))
    assert duel(Fighter(hero), monster, 1)[1:4] == (1, 50, 81)
    assert duel(Fighter(hero), monster, 2)[1:4] == (2, 0, pytest.approx(56.8))
    assert duel(Fighter(hero), monster, 2).died


def test_many_duels_equal_single_ones_bit_for_bit() -> None:
    chance = Random(3)
    heroes = [
        Stats(
            chance.randint(50, 500),
            (chance.randint(0, 30), chance.randint(-5, 30)),
            (chance.randint(0, 50), 0),
            (chance.randint(-20, 50), 10),
            (("poison", value),) if (value := chance.choice([0, 0, 1, 3])) else (),
        )
        for _ in range(400)
    ]
    monster = Stats(300, (11, 7), (0, 0), (20, -10), (("poison", 1),))
    for opponent in (monster, monster._replace(round_effects=())):
        found = duels(Fighters.of(stat_rows(heroes)), opponent, 49)
        single = [duel(Fighter(hero), opponent, 49) for hero in heroes]
        assert found.won.tolist() == [one.won for one in single]
        assert found.rounds.tolist() == [one.rounds for one in single]
        assert found.hero_hp.tolist() == [one.hero_hp for one in single]
        assert found.monster_hp.tolist() == [one.monster_hp for one in single]
        assert {one.won for one in single} == {True, False}


def with_venom(**effects: int) -> World:
    content = documents(TINY)
    sword = next(item for item in content["items"]["items"] if item["code"] == "bar_sword")
    sword["effects"] |= effects
    return World.from_documents(content)


def test_what_is_worn_adds_up_and_comes_off_again() -> None:
    world = with_venom(poison=4, sparkle=9)
    assert world.items["bar_sword"].worn.round_effects == (("poison", 4),)
    hero = Hero(world, make_case(world, "drake", 10, blade="bar_sword").hero)
    assert hero.fighter().stats.round_effects == (("poison", 4),)
    hero.take_off("blade")
    assert hero.stats.round_effects == ()
    one, other = (
        hero.stats._replace(round_effects=(("poison", 4),)),
        hero.stats._replace(round_effects=(("poison", 1),)),
    )
    assert add(one, other).round_effects == (("poison", 5),)
    assert subtract(one, other).round_effects == (("poison", 3),)
    assert subtract(one, one).round_effects == ()


def test_a_name_without_a_function_means_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(ROUND_EFFECTS, "poison")
    assert with_venom(poison=4).items["bar_sword"].worn.round_effects == ()
