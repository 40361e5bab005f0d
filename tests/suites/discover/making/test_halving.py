"""The best halving and what strategies win: compared with the real game in every possible world of small laws."""

from dataclasses import replace
from itertools import combinations_with_replacement, product
from random import Random

import pytest

from herobench.suites.discover.game.day import LORD, STRENGTH
from herobench.suites.discover.game.knowledge import Knowledge, play_day
from herobench.suites.discover.game.laws import FULL, Choice, Law, Laws, Truth
from herobench.suites.discover.game.mystery import Certificate, Mystery
from herobench.suites.discover.making.draw import draw_land
from herobench.suites.discover.making.explorers import Experimenter, Rote, Sight
from herobench.suites.discover.making.generator import LEAST_WON, MOST_DAYS, RUNGS, figures_of
from herobench.suites.discover.making.halving import lab_of
from herobench.suites.discover.making.strategies import (
    best_halving,
    fixed_bound,
    play_out,
    shares_of,
    sight,
)
from tests.sizes import for_each
from tests.suites.discover.mysteries import TINY

SMALL = Laws(Law(4, "both"), Law(3, "each", True), Law(4, "each"))
WORLDS = [Truth(*secrets) for secrets in product(*(law.secrets for law in SMALL))]
LAND = draw_land(SMALL, Random(3))


def mystery(truth: Truth, days: int) -> Mystery:
    return Mystery("small", LAND, SMALL, truth, days, Certificate("", 0, 0.0, 0.0, 0.0))


@for_each(("strategy", "explorer"), [(best_halving, Experimenter), (sight, Sight)])
@for_each("days", [1, 3, 5])
def test_the_share_that_a_strategy_wins_is_what_it_wins_in_the_real_game(
    strategy: object, explorer: type[Experimenter], days: int
) -> None:
    wins = [play_day(LAND, SMALL, truth, explorer(mystery(truth, days)).run()).won for truth in WORLDS]
    chance = shares_of(SMALL, strategy, days)[-1].won  # type: ignore[arg-type]
    assert chance == pytest.approx(sum(wins) / len(wins))


def test_states_are_all_worlds_and_only_grow_surer() -> None:
    lab = lab_of(SMALL)
    for states in play_out(lab, best_halving, 6):
        assert sum(states.values()) == pytest.approx(1)
    shares = [share.certain for share in shares_of(SMALL, best_halving, 12)]
    assert shares == sorted(shares)
    assert shares[-1] == pytest.approx(1)
    assert shares_of(SMALL, best_halving, 0)[0].won == pytest.approx(1 / 6 / 3 / 6)


def test_an_explorer_knows_the_truth_among_what_is_left() -> None:
    for truth in WORLDS[:: len(WORLDS) // 12]:
        explorer = Experimenter(mystery(truth, 3))
        explorer.run()
        assert all(secret in secrets for secret, secrets in zip(truth, explorer.known.secrets, strict=True))
        assert explorer.known.worlds < Knowledge.at_first(SMALL).worlds


def test_no_list_of_days_wins_more_than_the_bound() -> None:
    """Every list of up to two days of small laws, with exact conclusions, and the best day for the last one."""
    lab = lab_of(TINY)
    designs = list(product(*(range(len(table.choices)) for table in lab.tables)))
    worlds = list(product(*(range(len(law.secrets)) for law in TINY)))
    answers = {design: [_answer(TINY, design, world) for world in worlds] for design in designs}
    for days in (1, 2):
        most = 0
        for listed in combinations_with_replacement(Random(days).sample(designs, 60), days):
            cells: dict[object, list[int]] = {}
            for number in range(len(worlds)):
                cells.setdefault(tuple(answers[day][number] for day in listed), []).append(number)
            won = sum(
                max(sum(answers[day][number] == (FULL,) * 3 for number in cell) for day in designs)
                for cell in cells.values()
            )
            most = max(most, won)
        assert most / len(worlds) <= fixed_bound(TINY, days)


def _answer(laws: Laws, design: tuple[int, ...], world: tuple[int, ...]) -> tuple[int, ...]:
    """The levels that a design shows in a world, by the tables."""
    lab, shown = lab_of(laws), list[int]()
    goes_on = (True, *lab.is_enough(design))
    for table, choice, secret, is_enough in zip(lab.tables, design, world, goes_on, strict=True):
        if not is_enough or (shown and shown[-1] < FULL):
            break
        shown.append(int(table.levels[choice, secret]))
    return tuple(shown)


def test_the_bound_is_by_the_share_of_worlds_that_get_to_the_lord() -> None:
    laws = Laws(Law(6, "both"), Law(6, "both"), Law(6, "each"))
    assert fixed_bound(laws, 0) == pytest.approx(1 / 15)
    reached = 10 / 15 / 15
    assert fixed_bound(laws, 10) == pytest.approx(reached + (1 - reached) / 15)


@for_each("laws", RUNGS)
@pytest.mark.slow
def test_every_rung_keeps_its_bars(laws: Laws) -> None:
    figures = figures_of(laws)
    shares = shares_of(laws, best_halving, MOST_DAYS)
    assert shares[figures.days].won >= LEAST_WON > shares[figures.days - 1].won
    assert figures.fixed <= 15
    assert figures.days <= laws.chores / 3
    assert laws.worlds > 10 * laws.chores


def test_rote_tries_each_pair_once_until_it_is_full() -> None:
    truth = WORLDS[-1]
    explorer = Rote(mystery(truth, 30))
    plan = explorer.run()
    assert explorer.days == sum(law.pairs.index(secret.wanted) for law, secret in zip(SMALL, truth, strict=True)) + 1
    assert play_day(LAND, SMALL, truth, plan).won
    shuffled = Rote(replace(mystery(truth, 2)), Random(5))
    assert len(shuffled.run()) == len(plan)
    assert STRENGTH >= 2 + 1 + 2 + 1 + LORD
    assert Choice.of(frozenset({1})).whole == {1}
