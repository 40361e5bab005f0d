"""The editions, experience, and the duel, alone and over arrays."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from herobench.suites.rpg.game.combat_batch import BLOCK, Fighters, duels
from herobench.suites.rpg.game.hero import Hero, HeroStart
from herobench.suites.rpg.game.rules import HEALTH, Duel, Fighter, Rules, duel, hits, next_combat_level
from herobench.suites.rpg.game.world import Stats, World
from herobench.suites.rpg.worlds.content import edition_names, load_rules
from tests.builders import hero_row
from tests.sizes import for_each, many, some_slow

LINEAR = load_rules("paper-late")
LOG_CURVE = load_rules("paper-early")


@for_each(
    ("edition", "xp", "workshop", "failed_craft_is_logged", "credits"),
    [
        ("standard", "linear", "matching", False, ("exact", "worn", "made")),
        ("paper-early", "log-curve", "any", False, ("mention", "mention", "all")),
        ("paper-hard", "linear", "matching", False, ("mention", "mention", "all")),
        ("paper-late", "linear", "matching", True, ("mention", "mention", "all")),
        ("paper-scoring", "log-curve", "matching", True, ("mention", "mention", "all")),
    ],
)
def test_the_editions_differ_in_their_switches(
    edition: str, xp: str, workshop: str, failed_craft_is_logged: bool, credits: tuple[str, ...]
) -> None:
    rules = load_rules(edition)
    assert (rules.xp, rules.workshop) == (xp, workshop)
    assert rules.failed_craft_is_logged == failed_craft_is_logged
    assert (rules.craft_credit, rules.equip_credit, rules.credit) == credits


@for_each("edition", edition_names())
def test_all_editions_share_what_the_paper_never_changed(edition: str) -> None:
    rules = load_rules(edition)
    assert rules.name == edition
    assert (rules.drops, rules.drop_scale) == ("sure", 1.0)
    assert rules.defeat == "free"
    assert (rules.rounds, rules.level_cap, rules.hp_per_level, rules.stack_limit) == (49, 40, 5, 50)


def test_an_edition_is_built_from_its_row_without_the_description() -> None:
    row = {name: getattr(LINEAR, name) for name in Rules.__slots__ if name != "name"}
    assert Rules.from_row("paper-late", {**row, "description": "Words."}) == LINEAR


@for_each(
    ("own", "action", "gain"),
    [
        (1, 1, 50),
        (1, 40, 50),
        (11, 1, 50),  # 11 is no more than 1 + 10
        (12, 1, 0),
        (40, 30, 50),
        (40, 29, 0),
    ],
)
def test_the_linear_curve_gives_50_until_ten_levels_above_the_action(own: int, action: int, gain: int) -> None:
    assert LINEAR.xp_gain(own, action) == gain


@for_each(
    ("own", "action", "gain"),
    [
        (1, 1, 18),  # (18 + int(0.36)) * max(1, 0.5)
        (5, 1, 10),  # 18 * (1 - 0.4) = 10.8
        (9, 1, 9),  # 18 * max(0.2, 0.5)
        (10, 1, 0),  # 10 // 10 > 1 // 10
        (10, 19, 45),  # (18 + int(6.84)) * (1 + 0.9) = 45.6
        (19, 10, 10),  # (18 + int(3.6)) * 0.5 = 10.5
        (20, 19, 0),
        (20, 25, 40),  # (18 + 9) * 1.5 = 40.5
        (1, 40, 156),  # (18 + int(14.4)) * 4.9 = 156.8
        (40, 40, 32),
    ],
)
def test_the_log_curve_gives_what_its_formula_says(own: int, action: int, gain: int) -> None:
    assert LOG_CURVE.xp_gain(own, action) == gain


@for_each(("level", "needed"), [(1, 150), (2, 160), (3, 170), (10, 240), (39, 530), (40, 540)])
def test_a_skill_level_takes_ten_more_each_time_on_the_linear_curve(level: int, needed: int) -> None:
    assert LINEAR.next_skill_level(level) == needed


LOG_THRESHOLDS = [
    (1, 150),
    (2, 250),  # 100 * 1 * 1
    (3, 300),  # int(158.5) // 50 * 50 = 150
    (4, 350),  # 200
    (9, 450),  # int(316.99) -> 300
    (10, 800),  # int(3.3219 * 200) = 664 -> 650
    (20, 1400),  # int(4.3219 * 300) = 1296 -> 1250
    (39, 2250),  # int(5.2854 * 400) = 2114 -> 2100
    (40, 2800),  # int(5.3219 * 500) = 2660 -> 2650
]


@for_each(("level", "needed"), LOG_THRESHOLDS)
def test_a_skill_level_takes_what_the_formula_says_on_the_log_curve(level: int, needed: int) -> None:
    assert LOG_CURVE.next_skill_level(level) == needed


@for_each(("level", "needed"), LOG_THRESHOLDS)
def test_a_combat_level_takes_the_log_curve_in_every_edition(level: int, needed: int) -> None:
    assert next_combat_level(level) == needed


ROUNDS = 49


def stats(
    hp: int = 100,
    attack: tuple[int, ...] = (0, 0),
    damage: tuple[int, ...] = (0, 0),
    resistance: tuple[int, ...] = (0, 0),
) -> Stats:
    return Stats(hp, attack, damage, resistance)


def wearing(world: World, worn: dict[str, str], **row: Any) -> Fighter:
    return Hero(world, HeroStart.from_row(hero_row(worn=worn, **row))).fighter()


# -- one hit -----------------------------------------------------------------------------------------------------------


@for_each(
    ("attack", "damage", "resistance", "hit"),
    [
        (20, 0, 0, 20.0),
        (20, 25, 0, 25.0),  # 20 + 20 * 0.25
        (20, 0, 50, 10.0),  # 20 - 20 * 0.5
        (20, 25, 50, 15.0),  # both are of the attack alone
        (20, 0, -20, 24.0),  # a negative resistance increases damage
        (20, -50, 0, 10.0),
        (20, 0, 150, -10.0),  # more than all of it heals
        (7, 3, 0, 7 + 7 * (3 * 0.01)),  # nothing is rounded
    ],
)
def test_a_hit_is_the_attack_with_its_percentages(attack: int, damage: int, resistance: int, hit: float) -> None:
    attacker = stats(attack=(attack, 0), damage=(damage, 0))
    assert hits(attacker, stats(resistance=(resistance, 0))) == [hit]


def test_damage_for_an_element_without_attack_does_nothing() -> None:
    assert hits(stats(attack=(0, 5), damage=(300, 0)), stats(), boost=(200, 0)) == [5]
    assert hits(stats(attack=(-4, 5)), stats()) == [5]


def test_a_boost_adds_to_the_damage_percentage() -> None:
    assert hits(stats(attack=(20, 0), damage=(25, 0)), stats(), boost=(50, 90)) == [20 + 20 * 0.75]


# -- fights, by hand ---------------------------------------------------------------------------------------------------


def test_a_fight_lost_round_by_round(tiny: World) -> None:
    """The sword takes 20 * 1.2 + 10 * 0.5 = 29 off the drake's 200, the drake 20 + 5 off 100: four rounds."""
    result = duel(wearing(tiny, {"blade": "bar_sword"}), tiny.monsters["drake"].stats, ROUNDS)
    assert result == Duel(False, 4, 0, 200 - 4 * 29)
    assert result.died


def test_a_fight_of_the_classic_world_by_hand(classic: World) -> None:
    """Skeleton: 480 health, fire 26 and earth 18, resists 30 % of fire and -10 % of water and air.

    A fire bow hits for 24 - 24 * 0.3 = 16.8 and, with two iron rings, for 24 + 24 * 0.08 - 7.2 = 18.72: 26 rounds.
    Iron legs resist 5 % of its 44, which leaves 41.8: 250 + 50 health last for 8 rounds.
    """
    worn = {"weapon": "fire_bow", "ring1": "iron_ring", "ring2": "iron_ring", "leg_armor": "iron_legs_armor"}
    fighter = wearing(classic, worn, stats={"hp": 250})
    skeleton = classic.monsters["skeleton"].stats
    assert hits(fighter.stats, skeleton) == pytest.approx([18.72])
    result = duel(fighter, skeleton, ROUNDS)
    assert (result.won, result.rounds) == (False, 8)
    assert result.hero_hp == pytest.approx(300 - 8 * 41.8)
    assert result.monster_hp == pytest.approx(480 - 8 * 18.72)
    assert duel(wearing(classic, worn, stats={"hp": 1500}), skeleton, ROUNDS).rounds == 26


# -- the order of things -----------------------------------------------------------------------------------------------


def test_the_hero_strikes_first_and_a_beaten_monster_strikes_no_more() -> None:
    killer = stats(hp=1, attack=(100, 0))
    assert duel(Fighter(killer), killer, ROUNDS) == Duel(True, 1, 1, -99)


def test_exactly_no_health_left_is_enough_for_either_side() -> None:
    assert duel(Fighter(stats(hp=10, attack=(5, 0))), stats(hp=10, attack=(10, 0)), ROUNDS) == Duel(False, 1, 0, 5)
    assert duel(Fighter(stats(hp=10, attack=(10, 0))), stats(hp=10, attack=(10, 0)), ROUNDS) == Duel(True, 1, 10, 0)


def test_an_undecided_fight_is_lost_by_the_round_limit_and_not_by_death() -> None:
    result = duel(Fighter(stats(attack=(1, 0))), stats(hp=50, attack=(0, 2)), ROUNDS)
    assert result == Duel(False, 49, 2, 1)
    assert not result.died


@for_each(("monster_hp", "won"), [(49, True), (50, False)])
def test_the_last_round_is_the_49th(monster_hp: int, won: bool) -> None:
    result = duel(Fighter(stats(attack=(1, 0))), stats(hp=monster_hp), ROUNDS)
    assert (result.won, result.rounds) == (won, 49)


def test_health_is_a_float_even_of_whom_nothing_hits() -> None:
    result = duel(Fighter(stats()), stats(), ROUNDS)
    assert [type(result.hero_hp), type(result.monster_hp)] == [float, float]


def after(hp: int, each_round: Sequence[float], rounds: int) -> float:
    """Health after so many rounds of hits, one hit at a time."""
    return list(accumulate([*each_round] * rounds, lambda left, hit: left - hit, initial=float(hp)))[-1]


def test_damage_comes_off_element_by_element_and_the_order_decides(classic: World) -> None:
    """A mushstaff against a wolf of 400 health: 16 * 1.19 + 1.6 of fire, 16 * 1.11 + 1.6 of earth, 40 together.

    In floats ten rounds leave it 1e-14, so it bites once more, and that kills; their sums, or earth before fire, would
    beat it. Counted in hundredths, it is beaten.
    """
    worn = {"weapon": "mushstaff", "body_armor": "mushmush_jacket", "ring1": "fire_ring"}
    fighter = wearing(classic, worn, stats={"hp": 290})
    wolf = classic.monsters["wolf"].stats
    each_round = hits(fighter.stats, wolf)
    assert each_round == pytest.approx([20.64, 19.36])
    exact = duel(fighter, wolf, ROUNDS)
    assert (exact.won, exact.rounds, exact.monster_hp) == (True, 10, 0)
    result = duel(fighter, wolf, ROUNDS, unit=HEALTH)
    assert 0 < result.monster_hp < 1e-13
    assert result.monster_hp == after(400, each_round, 10)
    assert after(400, [sum(each_round)], 10) == 0
    assert after(400, each_round[::-1], 10) < 0
    assert (result.won, result.rounds, result.hero_hp) == (False, 10, -10)


@settings(max_examples=many(2000, 200))
@given(
    st.integers(50, 400),
    st.integers(20, 3000),
    st.lists(st.tuples(*[st.integers(0, 60)] * 3, *[st.integers(-30, 80)] * 3), min_size=1, max_size=4),
)
def test_a_fight_is_decided_as_in_fractions(hero_hp: int, monster_hp: int, elements: list[tuple[int, ...]]) -> None:
    attack, damage, bites, own, others, _ = zip(*elements, strict=True)
    none = (0,) * len(elements)
    hero, foe = Stats(hero_hp, attack, damage, own), Stats(monster_hp, bites, none, others)

    def struck(attacker: Stats, defender: Stats) -> Fraction:
        numbers = zip(attacker.attack, attacker.damage, defender.resistance, strict=True)
        return sum((Fraction(a * (100 + d - r), 100) for a, d, r in numbers), Fraction())

    left, health, won, rounds = Fraction(monster_hp), Fraction(hero_hp), False, ROUNDS
    for number in range(1, ROUNDS + 1):
        left -= struck(hero, foe)
        if left <= 0:
            won, rounds = True, number
            break
        health -= struck(foe, hero)
        if health <= 0:
            rounds = number
            break
    result = duel(Fighter(hero), foe, ROUNDS)
    assert (result.won, result.rounds) == (won, rounds)
    assert (result.monster_hp, result.hero_hp) == (float(left), float(health))


def test_a_million_fights_end_as_their_whole_hundredths_say() -> None:
    """All numbers are fractions with the denominator 100, so their numerators are whole numbers of 64 bits."""
    chance, heroes, elements = np.random.default_rng(62), 5000, 4
    for _ in range(many(200, 4)):
        hp = chance.integers(50, 900, heroes)
        attack, damage, own = (chance.integers(low, high, (heroes, elements)) for low, high in LOWS_AND_HIGHS)
        bites, others = chance.integers(0, 60, elements), chance.integers(-30, 80, elements)
        foe = Stats(int(chance.integers(20, 3000)), tuple(map(int, bites)), (0,) * elements, tuple(map(int, others)))
        dealt, taken = (attack * (100 + damage - others)).sum(axis=1), (bites * (100 - own)).sum(axis=1)
        beats, falls = (
            np.where(hit > 0, -(-100 * health // np.maximum(hit, 1)), ROUNDS + 1)
            for hit, health in ((dealt, foe.hp), (taken, hp))
        )
        won = (beats <= falls) & (beats <= ROUNDS)
        rounds = np.where(won, beats, np.minimum(falls, ROUNDS))
        fought = duels(Fighters(*(np.asarray(part, np.float64) for part in (hp, attack, damage, own))), foe, ROUNDS)
        assert (fought.won == won).all()
        assert (fought.rounds == rounds).all()
        assert (np.rint(100 * fought.monster_hp) == 100 * foe.hp - dealt * rounds).all()


LOWS_AND_HIGHS = ((0, 60), (0, 60), (-30, 80))


# -- consumables -------------------------------------------------------------------------------------------------------


def test_a_piece_is_eaten_in_every_round_that_begins_below_half_health() -> None:
    """100, 75, 50 (not below), 25; then 25+15-25 = 15, 15+15-25 = 5, 5+15-25 = -5: three pieces in rounds 4 to 6."""
    fighter = Fighter(stats(), meals=((15, 10),))
    assert duel(fighter, stats(hp=200, attack=(25, 0)), ROUNDS) == Duel(False, 6, -5, 200, (3,))


def test_both_stacks_are_eaten_from_together_as_long_as_they_last() -> None:
    """From 25 on with 30 and one stack of two: 30, 35; then 15 a round: 25, 15, 5, and dead at -5."""
    fighter = Fighter(stats(), meals=((15, 2), (15, 9)))
    assert duel(fighter, stats(hp=200, attack=(25, 0)), ROUNDS) == Duel(False, 9, -5, 200, (2, 6))


def test_a_meal_may_give_more_than_full_health() -> None:
    """20, 9 (below half of 20), 9 + 50 - 11 = 48."""
    fighter = Fighter(stats(hp=20, attack=(4, 0)), meals=((50, 1),))
    assert duel(fighter, stats(hp=12, attack=(11, 0)), ROUNDS) == Duel(True, 3, 48, 0, (1,))


def test_half_is_of_the_health_with_boosts() -> None:
    """20 boosted to 40: 29, then 18, which is below 20: eaten from then on."""
    fighter = Fighter(stats(hp=20, attack=(4, 0)), boost_hp=20, boost_damage=(0, 0), meals=((1, 5),))
    assert duel(fighter, stats(hp=12, attack=(11, 0)), ROUNDS) == Duel(True, 3, 19, 0, (1,))
    assert duel(fighter._replace(boost_hp=0), stats(hp=8, attack=(11, 0)), ROUNDS) == Duel(True, 2, 10, 0, (1,))


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
@given(
    st.lists(some_stats(-5).map(Fighter), min_size=1, max_size=12),
    some_stats(0),
    st.integers(0, 60),
)
def test_many_duels_equal_single_ones_bit_for_bit(heroes: list[Fighter], monster: Stats, rounds: int) -> None:
    assert together(as_arrays(heroes), monster, rounds) == one_by_one(heroes, monster, rounds)


def crowd(count: int, elements: int, seed: int) -> list[Fighter]:
    """Heroes of all strengths."""
    chance = Random(seed)

    def draw(least: int, most: int) -> tuple[int, ...]:
        return tuple(chance.randint(least, most) for _ in range(elements))

    return [Fighter(Stats(chance.randint(50, 900), draw(-20, 60), draw(0, 60), draw(-30, 30))) for _ in range(count)]


@pytest.mark.parametrize(
    "count", some_slow([0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK + 37], {BLOCK, 2 * BLOCK + 37})
)
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
