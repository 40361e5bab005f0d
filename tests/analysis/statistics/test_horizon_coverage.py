"""Do intervals of 95 % hold a known horizon in 95 of 100 cases? And how many tasks does a narrow interval need?

Some of the players are tried in every run of the tests, all in the slow ones. docs/horizon.md has their figures.
"""

import numpy as np
import pytest

from herobench.analysis.statistics.comparison import horizon_ratio
from herobench.analysis.statistics.horizon import Trials, count_trials
from herobench.suites.rpg.game.decisions import plan_decisions
from herobench.task_gen.rpg.datasets import shipped_tasks
from tests.analysis.statistics.simulated import PLAYERS, SLOPES, coverage, ends_of, fit_to, ladder, wins
from tests.task_gen.rpg.made import proof

LOWEST, HIGHEST = 0.93, 0.97


@pytest.mark.slow
def test_intervals_hold_the_horizons_of_some_players() -> None:
    held = coverage(np.random.default_rng(1), ladder(), PLAYERS[::6], 1.0, 25)
    assert 0.90 <= np.mean(held) <= 0.99


@pytest.mark.slow
@pytest.mark.parametrize("slope", SLOPES)
def test_intervals_hold_the_horizons_of_twenty_players(slope: float) -> None:
    """The mean over the players is within the limits, and none of them is far off."""
    held = coverage(np.random.default_rng(2), ladder(), PLAYERS, slope, 60)
    assert LOWEST <= np.mean(held) <= HIGHEST
    assert min(held) > 0.8


@pytest.mark.slow
def test_equal_horizons_are_told_apart_in_one_of_twenty_cases() -> None:
    rng, lengths = np.random.default_rng(3), ladder()

    def run() -> Trials:
        return count_trials(range(len(lengths)), lengths, wins(rng, lengths, 100, 1.0)[0])

    told = [horizon_ratio(run(), run(), 400).verdict for _ in range(300)]
    assert LOWEST <= told.count("not told apart") / len(told) <= HIGHEST


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
        curves = [fit_to(own, wins(rng, own, player, slope), 2) for own, player in zip(asked, PLAYERS, strict=True)]
        ranks = np.argsort(np.argsort([curve.crossings[0] for curve in curves]))
        found.append(np.corrcoef(ranks, range(len(PLAYERS)))[0, 1])
    assert np.median(found) >= 0.97, found


@pytest.mark.slow
@pytest.mark.parametrize("tasks", [60, 120])
def test_shorter_ladders_have_wider_intervals_that_hold_as_well(tasks: int) -> None:
    held = coverage(np.random.default_rng(4), ladder(tasks), PLAYERS[::3], 1.0, 150)
    assert LOWEST <= np.mean(held) <= HIGHEST


@pytest.mark.slow
def test_epochs_of_tasks_that_differ_are_no_new_tasks() -> None:
    """Tasks of one length differ in hardness: five epochs of them hold the horizon as well as one."""
    rng, lengths, held = np.random.default_rng(5), ladder(), 0
    for _ in range(400):
        harder = lengths * 2 ** rng.logistic(0, 1, len(lengths))
        low, high = ends_of(fit_to(lengths, wins(rng, harder, 100, 3.0, epochs=5)))
        held += low <= 100 <= high
    assert LOWEST <= held / 400 <= HIGHEST


NEEDED = {
    (0.5, 16): 640, (0.5, 100): 390, (0.5, 1000): 610,
    (1.0, 16): 200, (1.0, 100): 160, (1.0, 1000): 200,
    (2.0, 16): 80, (2.0, 100): 70, (2.0, 1000): 85,
}  # fmt: skip
"""The tasks that an interval of a factor of two takes, by slope and horizon. The table in docs/horizon.md is this."""


@pytest.mark.slow
@pytest.mark.parametrize(("player", "tasks"), NEEDED.items())
def test_so_many_tasks_give_an_interval_of_a_factor_of_two(player: tuple[float, float], tasks: int) -> None:
    slope, horizon = player
    rng, lengths = np.random.default_rng(6), ladder(tasks)
    ends = [ends_of(fit_to(lengths, wins(rng, lengths, horizon, slope))) for _ in range(80)]
    assert 1.8 <= np.median([high / low if low else np.inf for low, high in ends]) <= 2.2
