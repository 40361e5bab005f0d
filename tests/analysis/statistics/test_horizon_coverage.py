"""Do intervals of 95 % hold a known horizon in 95 of 100 cases? And how many tasks does a narrow interval need?

`python -m tests.analysis.statistics.test_horizon_coverage RUNS` prints the first table of docs/horizon.md, from so many
runs of each of twenty players.
"""

from __future__ import annotations

import sys

import numpy as np
import pytest

from herobench.analysis.statistics.comparison import horizon_ratio
from herobench.analysis.statistics.horizon import Trials, count_trials
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
@pytest.mark.parametrize(("hardness", "slope"), [(0.0, 1.0), (2.0, 3.0)])
def test_equal_horizons_are_told_apart_in_one_of_twenty_cases(hardness: float, slope: float) -> None:
    """Also if the tasks of one length differ in hardness, so that both runs win the same ones."""
    rng, lengths = np.random.default_rng(3), ladder(120)

    def run(harder: np.ndarray) -> Trials:
        return count_trials(range(len(lengths)), lengths, wins(rng, harder, 100, slope)[0])

    pairs = (lengths * 2 ** rng.logistic(0, hardness, len(lengths)) for _ in range(300))
    told = [horizon_ratio(run(harder), run(harder)).verdict for harder in pairs]
    assert LOWEST <= told.count("not told apart") / len(told) <= HIGHEST + 0.01


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


@pytest.mark.slow
@pytest.mark.parametrize("lapse", LAPSES)
@pytest.mark.parametrize("tasks", [40, 60, 120])
def test_shorter_ladders_have_wider_intervals_that_hold_as_well(tasks: int, lapse: float) -> None:
    held = coverage(np.random.default_rng(4), ladder(tasks), PLAYERS[::3], 1.0, 100, lapse)
    assert LOWEST - 0.01 <= np.mean(held) <= HIGHEST


@pytest.mark.slow
@pytest.mark.parametrize("hardness", [0.0, 1.0])
def test_epochs_of_tasks_that_differ_are_no_new_tasks(hardness: float) -> None:
    """Tasks of one length may differ in hardness: five epochs of them hold the horizon as well as one."""
    rng, lengths, held = np.random.default_rng(5), ladder(120), 0
    for _ in range(300):
        harder = lengths * 2 ** rng.logistic(0, hardness, len(lengths))
        found = fit_to(lengths, wins(rng, harder, 100, 3.0, epochs=5)).known.interval()
        held += found.low <= 100 <= found.high
    assert LOWEST - 0.01 <= held / 300 <= HIGHEST + 0.01


NEEDED = {
    (0.5, 16): 550, (0.5, 100): 400, (0.5, 1000): 520,
    (1.0, 16): 230, (1.0, 100): 165, (1.0, 1000): 200,
    (2.0, 16): 95, (2.0, 100): 80, (2.0, 1000): 85,
}  # fmt: skip
"""The tasks that an interval of a factor of two takes, by slope and horizon. The table in docs/horizon.md is this."""


@pytest.mark.slow
@pytest.mark.parametrize(("player", "tasks"), NEEDED.items())
def test_so_many_tasks_give_an_interval_of_a_factor_of_two(player: tuple[float, float], tasks: int) -> None:
    slope, horizon = player
    rng, lengths = np.random.default_rng(6), ladder(tasks)
    found = [fit_to(lengths, wins(rng, lengths, horizon, slope)).known.interval() for _ in range(60)]
    assert 1.8 <= np.median([each.factor for each in found]) <= 2.2


if __name__ == "__main__":
    for each in LAPSES:
        for steepness in SLOPES:
            shares = coverage(np.random.default_rng(2), ladder(), PLAYERS, steepness, int(sys.argv[1]), each)
            told = f"held {np.mean(shares):.1%}, at least {min(shares):.1%}"
            sys.stdout.write(f"slope {steepness}, lapses {each:.0%}: {told}\n")
