"""Do intervals of 95 % hold a known horizon in 95 of 100 cases? And how many tasks does a narrow interval need?"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from herobench.analysis.statistics.comparison import horizon_ratio
from herobench.analysis.statistics.horizon import Trials, count_trials, horizon_in
from herobench.suites.rpg.game.decisions import plan_decisions
from herobench.task_gen.rpg.datasets import shipped_tasks
from tests.analysis.statistics.simulated import PLAYERS, SLOPES, coverage, fit_to, ladder, wins
from tests.task_gen.rpg.made import proof

LOWEST, HIGHEST = 0.93, 0.97
LAPSES = (0.0, 0.05)


@pytest.mark.slow
@pytest.mark.parametrize("lapse", LAPSES)
@pytest.mark.parametrize("slope", SLOPES)
def test_intervals_hold_the_horizons_of_twenty_players(slope: float, lapse: float) -> None:
    """The mean over the players is within the limits, and none of them is far off."""
    held = coverage(np.random.default_rng(2), ladder(), PLAYERS, slope, 60, lapse)
    assert LOWEST <= np.mean(held) <= HIGHEST
    assert min(held) > 0.8


@pytest.mark.slow
@pytest.mark.parametrize(("most", "least"), [(1.0, 0.6), (0.95, 0.6), (1.0, 0.55)])
def test_players_that_never_fall_to_a_half_are_hardly_ever_determined(most: float, least: float) -> None:
    """They win `most` of the tasks below 100 decisions, and `least` of the others."""
    rng, lengths = np.random.default_rng(12), ladder()
    runs = (rng.random(len(lengths)) < np.where(lengths < 100, most, least) for _ in range(40))
    told = [horizon_in(count_trials(range(len(lengths)), lengths, won.astype(float))).verdict for won in runs]
    assert told.count("determined") <= 1


@pytest.mark.slow
def test_players_that_fall_to_a_half_are_determined() -> None:
    rng, lengths = np.random.default_rng(12), ladder()
    runs = (wins(rng, lengths, player, slope)[0] for slope in SLOPES for player in PLAYERS for _ in range(6))
    told = [horizon_in(count_trials(range(len(lengths)), lengths, won)).verdict for won in runs]
    assert told.count("determined") >= 354


PAIRS = ((0.0, 1.0), (2.0, 3.0))
"""How much the tasks of one length differ in hardness, in doublings, and the slope of both models."""


def not_told_apart(hardness: float, slope: float) -> float:
    """The share of 300 pairs of equal horizons that are not told apart."""
    rng, lengths = np.random.default_rng(3), ladder(120)

    def run(harder: np.ndarray) -> Trials:
        return count_trials(range(len(lengths)), lengths, wins(rng, harder, 100, slope)[0])

    pairs = (lengths * 2 ** rng.logistic(0, hardness, len(lengths)) for _ in range(300))
    told = [horizon_ratio(run(harder), run(harder)).verdict for harder in pairs]
    return told.count("not told apart") / len(told)


@pytest.mark.slow
@pytest.mark.parametrize(("hardness", "slope"), PAIRS)
def test_equal_horizons_are_told_apart_in_one_of_twenty_cases(hardness: float, slope: float) -> None:
    """Also if the tasks of one length differ in hardness, so that both runs win the same ones."""
    assert LOWEST <= not_told_apart(hardness, slope) <= HIGHEST + 0.01


@pytest.mark.slow
@pytest.mark.parametrize("slope", SLOPES)
def test_a_third_of_the_set_ranks_models_as_their_horizons_do(slope: float) -> None:
    """Each model is asked 120 tasks of its own. This is the median of Spearman's figure over some draws."""
    rng = np.random.default_rng(7)
    lengths = np.array([plan_decisions(proof(task)) for task in shipped_tasks("horizon").values()], float)
    assert (lengths.min(), len(lengths)) == (4, 360)
    assert lengths.max() > 4000
    found = []
    for _ in range(15):
        asked = (rng.choice(lengths, 120, replace=False) for _ in PLAYERS)
        fits = [fit_to(own, wins(rng, own, player, slope)) for own, player in zip(asked, PLAYERS, strict=True)]
        ranks = np.argsort(np.argsort([fit.known.interval().horizon for fit in fits]))
        found.append(np.corrcoef(ranks, range(len(PLAYERS)))[0, 1])
    assert np.median(found) >= 0.97, found


SHORTER = (40, 60, 120)


def held_by_shorter(tasks: int, lapse: float, times: int, players: Sequence[float] = PLAYERS) -> float:
    """The share of intervals on a ladder of so many tasks that hold the horizon."""
    return float(np.mean(coverage(np.random.default_rng(4), ladder(tasks), players, 1.0, times, lapse)))


@pytest.mark.slow
@pytest.mark.parametrize("lapse", LAPSES)
@pytest.mark.parametrize("tasks", SHORTER)
def test_shorter_ladders_have_wider_intervals_that_hold_as_well(tasks: int, lapse: float) -> None:
    assert LOWEST - 0.01 <= held_by_shorter(tasks, lapse, 100, PLAYERS[::3]) <= HIGHEST


def held_by_epochs(hardness: float, epochs: int) -> float:
    """The share of 300 intervals of several epochs that hold the horizon."""
    rng, lengths, held = np.random.default_rng(5), ladder(120), 0
    for _ in range(300):
        harder = lengths * 2 ** rng.logistic(0, hardness, len(lengths))
        found = fit_to(lengths, wins(rng, harder, 100, 3.0, epochs=epochs)).known.interval()
        held += found.low <= 100 <= found.high
    return held / 300


@pytest.mark.slow
@pytest.mark.parametrize("hardness", [0.0, 1.0])
def test_epochs_of_tasks_that_differ_are_no_new_tasks(hardness: float) -> None:
    """Tasks of one length may differ in hardness: five epochs of them hold the horizon as well as one."""
    assert LOWEST - 0.01 <= held_by_epochs(hardness, 5) <= HIGHEST + 0.01


NEEDED = {
    (0.5, 16): 550, (0.5, 100): 400, (0.5, 1000): 520,
    (1.0, 16): 230, (1.0, 100): 165, (1.0, 1000): 200,
    (2.0, 16): 95, (2.0, 100): 80, (2.0, 1000): 85,
}  # fmt: skip
"""The tasks that an interval of a factor of two takes, by slope and horizon."""


def mid_factor(slope: float, horizon: float, tasks: int) -> float:
    """The median factor between the ends of 60 intervals."""
    rng, lengths = np.random.default_rng(6), ladder(tasks)
    found = [fit_to(lengths, wins(rng, lengths, horizon, slope)).known.interval() for _ in range(60)]
    return float(np.median([each.factor for each in found]))


@pytest.mark.slow
@pytest.mark.parametrize(("player", "tasks"), NEEDED.items())
def test_so_many_tasks_give_an_interval_of_a_factor_of_two(player: tuple[float, float], tasks: int) -> None:
    assert 1.8 <= mid_factor(*player, tasks) <= 2.2
