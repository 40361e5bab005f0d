"""The gear of courses: few loadouts win, and the bound that leaves duels out is sure."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from herobench.suites.discover.courses.armory import (
    BETWEEN,
    EMPTY,
    PIECES,
    SLOTS,
    Choice,
    CourseArmory,
    CourseFoe,
    foe_numbers,
)
from herobench.suites.discover.courses.world import bare_hero
from herobench.suites.rpg.game.rules import Fighter, First, duel
from herobench.suites.rpg.game.world import Stats
from herobench.suites.rpg.worlds.content import load_rules
from tests.sizes import for_each

RULES = load_rules()
HERO = bare_hero(RULES)


def drawn(seed: int) -> tuple[CourseArmory, CourseFoe]:
    rng = Random(seed)
    while True:
        armory = CourseArmory.draw(HERO, RULES, rng)
        if foe := armory.foe(rng):
            return armory, foe


def numbers(stats: Stats) -> list[int]:
    return [stats.hp, *stats.attack, *stats.damage, *stats.resistance]


def total(armory: CourseArmory, choice: Choice) -> Stats:
    """The hero's stats in a loadout, added up piece by piece."""
    worn = [armory.pieces[slot][piece] for slot, piece in enumerate(choice) if piece != EMPTY]
    sums = [sum(values) for values in zip(*map(numbers, [armory.hero, *worn]), strict=True)]
    return Stats(sums[0], tuple(sums[1:5]), tuple(sums[5:9]), tuple(sums[9:]))


@given(seed=st.integers(0, 10_000), weights=st.lists(st.floats(-9, 9), min_size=13, max_size=13))
def test_no_weighted_sum_prefers_the_piece_between(seed: int, weights: list[float]) -> None:
    for one, between, other in CourseArmory.draw(HERO, RULES, Random(seed)).pieces:
        middle = [(a + b) / 2 for a, b in zip(numbers(one), numbers(other), strict=True)]
        assert numbers(between) == middle
        rated = [np.dot(weights, numbers(piece)) for piece in (one, between, other)]
        assert rated[1] <= max(rated[0], rated[2]) + 1e-6


@given(st.integers(0, 10_000))
def test_the_pieces_of_a_slot_look_equally_good(seed: int) -> None:
    for pieces in CourseArmory.draw(HERO, RULES, Random(seed)).pieces:
        assert len({sum(numbers(piece)) for piece in pieces}) == 1
        assert len({tuple(number > 0 for number in numbers(piece)) for piece in pieces}) == 1
        assert len(set(pieces)) == PIECES


@for_each("seed", range(3))
def test_few_loadouts_win_and_each_has_a_piece_between_on(seed: int) -> None:
    armory, foe = drawn(seed)
    winners = {tuple(row) for row in foe.winners.tolist()}
    assert 0 < len(winners) <= 12
    assert all(BETWEEN in winner for winner in winners)
    rng = Random(seed)
    some = [*winners, *(tuple(rng.randrange(PIECES) for _ in SLOTS) for _ in range(300))]
    for choice in some:
        won = duel(Fighter(total(armory, choice)), foe.stats, RULES.rounds).won
        assert won == (choice in winners), choice


@settings(max_examples=20)
@given(
    seed=st.integers(0, 200),
    share=st.floats(0.3, 1.2),
    first=st.sampled_from(["hero", "monster"]),
    ward=st.sampled_from([50, 75, 100, 150]),
    damage=st.sampled_from([0, 0, 30]),
    emptied=st.sampled_from([(), (2,)]),
)
def test_the_duels_that_are_left_out_are_lost(
    seed: int, share: float, first: First, ward: int, damage: int, emptied: tuple[int, ...]
) -> None:
    rng = Random(seed)
    rules = replace(RULES, first=first, ward=ward)
    armory = CourseArmory.draw(HERO, rules, rng).with_empty(frozenset(emptied))
    attack, resistance = foe_numbers(rng)
    most, _ = armory.most_dealt(np.array([attack], np.float32), np.array([resistance], np.float32))
    # at a share of 1 the best loadout just wins, or just loses
    foe = Stats(int(share * most.max()) + rng.randrange(2), attack, (damage,) * 4, resistance)
    assert (armory.beats(foe) == armory.duels(foe).won).all()


@settings(max_examples=10)
@given(seed=st.integers(0, 200), slot=st.integers(0, len(SLOTS) - 1))
def test_a_hero_who_wins_with_an_empty_slot_wins_with_any_piece_in_it(seed: int, slot: int) -> None:
    armory, foe = drawn(seed)
    winners = {tuple(row) for row in armory.with_empty(frozenset({slot})).winners(foe.stats).tolist()}
    full = {winner for winner in winners if winner[slot] != EMPTY}
    assert full == {tuple(row) for row in foe.winners.tolist()}
    for winner in winners - full:
        assert {(*winner[:slot], piece, *winner[slot + 1 :]) for piece in range(PIECES)} <= full
