"""The best halving and what strategies win: compared with the real game in every possible world of small laws."""

from itertools import combinations_with_replacement, product
from random import Random
from typing import Any

import pytest

from herobench.suites.discover.game.day import STRENGTH
from herobench.suites.discover.game.knowledge import Knowledge, play_day
from herobench.suites.discover.game.land import HiddenLand
from herobench.suites.discover.game.laws import Law, Laws, Truth
from herobench.suites.discover.game.plan import days_of
from herobench.suites.discover.making.draw import draw_land
from herobench.suites.discover.making.explorers import Experimenter, Rote, Sight, explore
from herobench.suites.discover.making.generator import LANDS, LEAST_WON, MOST_DAYS, RUNGS, figures_of
from herobench.suites.discover.making.halving import Lab, lab_of
from herobench.suites.discover.making.strategies import (
    Shares,
    best_halving,
    fixed_bound,
    fixed_bound_together,
    play_out,
    shares_of,
    shares_together,
    sight,
)
from tests.sizes import for_each
from tests.suites.discover.mysteries import TINY, unproven

SMALL = Laws(Law(4, "both"), Law(3, "each", True), Law(4, "each"))
JOINT = Laws(Law(4, "both"), Law(3, "each", True, hidden=True), Law(4, "each"))


def worlds_of(laws: Laws) -> list[Truth]:
    return [Truth(*secrets) for secrets in product(*(law.secrets for law in laws))]


WORLDS = worlds_of(SMALL)


def hidden(truth: Truth, laws: Laws = SMALL) -> HiddenLand:
    return HiddenLand(draw_land(laws, Random(3)), laws, truth)


@for_each(("strategy", "explorer"), [(best_halving, Experimenter), (sight, Sight)])
@for_each("laws", [SMALL, JOINT])
@for_each("days", [1, 4])
def test_the_share_that_a_strategy_wins_is_what_it_wins_in_the_real_game(
    strategy: object, explorer: type[Experimenter], laws: Laws, days: int
) -> None:
    lands = [hidden(truth, laws) for truth in worlds_of(laws)]
    wins = [play_day(land, explorer(land, days).run()).won for land in lands]
    chance = shares_of(laws, strategy, days)[-1].won  # type: ignore[arg-type]
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
        explorer = Experimenter(hidden(truth), 3)
        explorer.run()
        assert all(secret in secrets for secret, secrets in zip(truth, explorer.known.secrets, strict=True))
        assert explorer.known.worlds < Knowledge.at_first(SMALL).worlds


@for_each("laws", [TINY, Laws(Law(3, "both"), Law(3, "each", hidden=True), Law(3, "each"))])
def test_no_list_of_days_wins_more_than_the_bound(laws: Laws) -> None:
    """Lists of up to two days of small laws, with exact conclusions, and the best day for the plan."""
    lab = lab_of(laws)
    designs = list(product(*(range(len(table.choices)) for table in lab.tables)))
    designs = [design for design in designs if _strength(lab, design) <= STRENGTH]
    worlds = list(product(*(range(len(table.law.secrets)) for table in lab.tables)))
    answers = {design: [_answer(lab, design, world) for world in worlds] for design in designs}
    wins = tuple(table.law.full for table in lab.tables)
    for days in (1, 2):
        most = 0
        for listed in combinations_with_replacement(Random(days).sample(designs, min(30, len(designs))), days):
            cells: dict[object, list[int]] = {}
            for number in range(len(worlds)):
                cells.setdefault(tuple(answers[day][number] for day in listed), []).append(number)
            won = sum(
                max(sum(answers[day][number] == wins for number in cell) for day in designs) for cell in cells.values()
            )
            most = max(most, won)
        assert most / len(worlds) <= fixed_bound(laws, days)


def _strength(lab: Lab, design: tuple[int, ...]) -> int:
    return sum(int(table.cost[choice]) for table, choice in zip(lab.tables, design, strict=True))


def _answer(lab: Lab, design: tuple[int, ...], world: tuple[int, ...]) -> tuple[int, ...]:
    """The levels that a design shows in a world, by the tables."""
    shown = list[int]()
    for table, choice, secret in zip(lab.tables, design, world, strict=True):
        shown.append(int(table.levels[choice, secret]))
        if shown[-1] < table.law.full:
            break
    return tuple(shown)


def test_the_bound_is_by_the_share_of_worlds_that_get_to_the_lord() -> None:
    """One choice of rings is right in 1 of 15 secrets, and one answer makes that 3 of 15."""
    laws = Laws(Law(6, "both"), Law(6, "both"), Law(6, "each"))
    assert fixed_bound(laws, 0) == pytest.approx(1 / 15)
    reached = 10 / 15 / 15
    assert fixed_bound(laws, 10) == pytest.approx(1 / 15 + reached * (1 - 1 / 15) / 3)


@for_each(("strategy", "explorer"), [(best_halving, Experimenter), (sight, Sight)])
@for_each("days", [0, 4, 8])
def test_the_share_of_several_lands_is_what_is_won_in_all_pairs_of_their_worlds(
    strategy: Any, explorer: type[Experimenter], days: int
) -> None:
    every = [[hidden(truth, laws) for truth in worlds_of(laws)[::step]] for laws, step in ((TINY, 2), (SMALL, 13))]
    won = certain = 0
    for lands in product(*every):
        tour = explore(unproven(lands, days), explorer)
        won += all(play_day(land, day).won for land, day in zip(lands, days_of(tour.plan), strict=True))
        certain += tour.is_done()
    pairs = len(every[0]) * len(every[1])
    shares = [_shares_in(lands, explorer, days) for lands in every]
    assert shares_together(shares, days) == pytest.approx((won / pairs, certain / pairs))
    alone = shares_of(TINY, strategy, days)
    assert shares_together([alone], days) == pytest.approx(alone[-1])


def _shares_in(lands: list[HiddenLand], explorer: type[Experimenter], days: int) -> list[Shares]:
    """The shares after 0, 1, 2, ... days in these lands, each played in the real game."""
    shares = []
    for most in range(days + 1):
        explorers = [explorer(land, most) for land in lands]
        wins = [play_day(land, each.run()).won for land, each in zip(lands, explorers, strict=True)]
        shares.append(Shares(sum(wins) / len(wins), sum(each.is_done() for each in explorers) / len(wins)))
    return shares


def test_the_bound_of_several_lands_is_the_best_way_to_deal_out_the_days() -> None:
    most = max(fixed_bound(TINY, own) * fixed_bound(SMALL, 5 - own) for own in range(6))
    assert fixed_bound_together((TINY, SMALL), 5) == pytest.approx(most)


@for_each("lands", RUNGS)
@pytest.mark.slow
def test_every_rung_keeps_its_bars(lands: tuple[Laws, ...]) -> None:
    figures = figures_of(lands)
    shares = [shares_of(laws, best_halving, MOST_DAYS) for laws in lands]
    assert shares_together(shares, figures.days).won >= LEAST_WON > shares_together(shares, figures.days - 1).won
    assert figures.fixed <= 15
    assert figures.days <= sum(laws.chores for laws in lands) / 3
    assert all(laws.worlds > 10 * laws.chores for laws in lands)


def test_rote_tries_each_pair_once_until_it_is_full() -> None:
    truth = WORLDS[-1]
    explorer = Rote(hidden(truth), 30)
    plan = explorer.run()
    assert explorer.days == sum(law.pairs.index(secret.wanted) for law, secret in zip(SMALL, truth, strict=True)) + 1
    assert play_day(hidden(truth), plan).won
    shuffled = Rote(hidden(truth), 2, Random(5))
    assert len(shuffled.run()) == len(plan)


def test_the_strength_of_a_day_is_that_of_a_plan() -> None:
    lab = lab_of(LANDS[0])
    assert _strength(lab, lab.likeliest(lab.at_first)) == STRENGTH
