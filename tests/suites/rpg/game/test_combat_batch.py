from collections.abc import Sequence
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from herobench.suites.rpg.game.combat import Fighter, duel
from herobench.suites.rpg.game.combat_batch import BLOCK, Fighters, duels
from herobench.suites.rpg.game.world import Stats, World
from tests.sizes import many

ELEMENTS = 3

Row = tuple[bool, int, str, str]


def as_arrays(heroes: Sequence[Fighter]) -> Fighters:
    return Fighters(
        hp=np.array([hero.stats.hp for hero in heroes], float),
        attack=np.array([hero.stats.attack for hero in heroes], float),
        damage=np.array([hero.stats.damage for hero in heroes], float),
        resistance=np.array([hero.stats.resistance for hero in heroes], float),
    )


def one_by_one(heroes: Sequence[Fighter], monster: Stats, rounds: int) -> list[Row]:
    results = [duel(hero, monster, rounds) for hero in heroes]
    return [(one.won, one.rounds, one.hero_hp.hex(), one.monster_hp.hex()) for one in results]


def together(heroes: Fighters, monster: Stats, rounds: int) -> list[Row]:
    result = duels(heroes, monster, rounds)
    columns = (result.won, result.rounds, result.hero_hp, result.monster_hp)
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return [(won, number, hero_hp.hex(), monster_hp.hex()) for won, number, hero_hp, monster_hp in rows]


def numbers(least: int, most: int) -> st.SearchStrategy[tuple[int, ...]]:
    return st.tuples(*[st.integers(least, most) | st.just(0)] * ELEMENTS)


def some_stats(least_hp: int) -> st.SearchStrategy[Stats]:
    return st.builds(
        Stats, st.integers(least_hp, 400), numbers(-20, 90), numbers(-120, 150), numbers(-150, 150), st.just(())
    )


@settings(deadline=None, max_examples=many(250))
@given(st.lists(some_stats(-5).map(Fighter), min_size=1, max_size=12), some_stats(0), st.integers(0, 60))
def test_many_duels_equal_single_ones_bit_for_bit(heroes: list[Fighter], monster: Stats, rounds: int) -> None:
    assert together(as_arrays(heroes), monster, rounds) == one_by_one(heroes, monster, rounds)


def crowd(count: int, elements: int, seed: int) -> list[Fighter]:
    """Heroes of all strengths."""
    chance = Random(seed)

    def draw(least: int, most: int) -> tuple[int, ...]:
        return tuple(chance.randint(least, most) for _ in range(elements))

    return [Fighter(Stats(chance.randint(50, 900), draw(-20, 60), draw(0, 60), draw(-30, 30))) for _ in range(count)]


@pytest.mark.parametrize("count", [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK + 37])
def test_block_borders_do_not_show(classic: World, count: int) -> None:
    heroes = crowd(count, len(classic.elements), seed=count)
    wolf = classic.monsters["wolf"].stats
    arrays = as_arrays(heroes) if heroes else Fighters(np.empty(0), *[np.empty((0, len(classic.elements)))] * 3)
    found = together(arrays, wolf, 49)
    assert found == one_by_one(heroes, wolf, 49)
    if count > BLOCK:
        assert {won for won, *_ in found} == {True, False}


def test_the_arrays_given_are_left_as_they_were() -> None:
    heroes = [hero._replace(stats=hero.stats._replace(hp=100)) for hero in crowd(50, ELEMENTS, seed=1)]
    given_arrays, untouched = as_arrays(heroes), as_arrays(heroes)
    duels(given_arrays, Stats(500, (9, 9, 9), (0, 0, 0), (10, 0, -10)), 49)
    for name in Fighters.__slots__:
        assert np.array_equal(getattr(given_arrays, name), getattr(untouched, name)), name


def test_a_crowd_is_as_long_as_its_rows() -> None:
    assert len(as_arrays(crowd(7, ELEMENTS, seed=2))) == 7
