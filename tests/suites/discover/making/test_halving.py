"""The best halving and what strategies win: compared with the real game in every possible world of small laws."""

from itertools import combinations_with_replacement, product
from random import Random

import pytest

from herobench.suites.discover.game.day import STRENGTH
from herobench.suites.discover.game.knowledge import Knowledge, play_day
from herobench.suites.discover.game.laws import Law, Laws, Truth
from herobench.suites.discover.game.mystery import Certificate, Mystery
from herobench.suites.discover.making.draw import draw_land
from herobench.suites.discover.making.explorers import Experimenter, Explorer, Rote, Sight
from herobench.suites.discover.making.generator import LEAST_WON, MOST_DAYS, RUNGS, figures_of
from herobench.suites.discover.making.halving import Lab, lab_of
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
JOINT = Laws(Law(4, "both"), Law(3, "each", True, hidden=True), Law(4, "each"))


def worlds_of(laws: Laws) -> list[Truth]:
    return [Truth(*secrets) for secrets in product(*(law.secrets for law in laws))]


WORLDS = worlds_of(SMALL)
LAND = draw_land(SMALL, Random(3))


def mystery(truth: Truth, days: int, laws: Laws = SMALL) -> Mystery:
    return Mystery("small", draw_land(laws, Random(3)), laws, truth, days, Certificate("", 0, 0.0, 0.0, 0.0))


def is_won(explorer: Explorer) -> bool:
    plan, asked = explorer.run(), explorer.mystery
    return play_day(asked.land, asked.laws, asked.truth, plan).won


@for_each(("strategy", "explorer"), [(best_halving, Experimenter), (sight, Sight)])
@for_each("laws", [SMALL, JOINT])
@for_each("days", [1, 4])
def test_the_share_that_a_strategy_wins_is_what_it_wins_in_the_real_game(
    strategy: object, explorer: type[Experimenter], laws: Laws, days: int
) -> None:
    wins = [is_won(explorer(mystery(truth, days, laws))) for truth in worlds_of(laws)]
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
        explorer = Experimenter(mystery(truth, 3))
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
    shuffled = Rote(mystery(truth, 2), Random(5))
    assert len(shuffled.run()) == len(plan)


def test_the_strength_of_a_day_is_that_of_a_plan() -> None:
    lab = lab_of(RUNGS[0])
    assert _strength(lab, lab.likeliest(lab.at_first)) == STRENGTH
