"""How many tasks tell two models apart, held against simulated pairs of runs."""

from __future__ import annotations

import numpy as np
import pytest

from herobench.adaptive.choice import next_round
from herobench.adaptive.goal import LEAST_TASKS
from herobench.analysis.statistics.comparison import horizon_ratio
from herobench.analysis.statistics.horizon import Trials, count_trials
from herobench.analysis.statistics.noise import detect, least_difference, success, widest_least_difference
from tests.analysis.statistics.simulated import ladder, wins

LENGTHS = np.rint(ladder()).tolist()


@pytest.mark.slow
def test_nearer_horizons_and_gentler_slopes_take_more_tasks() -> None:
    by_factor = [detect(LENGTHS, factor, 100, 2.0) for factor in (4.0, 2.0, 1.5)]
    by_slope = [detect(LENGTHS, 3.0, 100, slope) for slope in (2.0, 1.0, 0.5)]
    for told in (by_factor, by_slope):
        needed = [each.tasks or 0 for each in told]
        assert needed == sorted(needed)
        assert all((each.chosen or 0) <= 1.05 * (each.tasks or 0) for each in told), "a choice takes no more"
    assert (by_factor[0].tasks, by_factor[0].chosen) == (LEAST_TASKS, LEAST_TASKS), "with fewer there is no horizon"


@pytest.mark.slow
def test_half_the_difference_in_doublings_takes_four_times_the_tasks() -> None:
    one, other = (detect(LENGTHS, factor, 100, 1.0).tasks or 0 for factor in (2.25, 1.5))
    assert other == pytest.approx(4 * one, rel=0.2)


@pytest.mark.slow
def test_what_the_set_cannot_tell_is_told() -> None:
    assert detect(LENGTHS, 1.1, 100, 0.5).chosen is None
    assert detect([4.0, 5.0], 1.1, 4.5, 0.5).tasks is None, "two lengths tell nothing of a slope"


def test_the_least_difference_of_a_set_is_that_of_two_models_with_its_horizon() -> None:
    chances = success(LENGTHS, 100, 1.0)
    expected = 100 * (least_difference(360, 2 * float((chances * (1 - chances)).mean())) or 0)
    assert detect(LENGTHS, 2.0, 100, 1.0).least_difference == pytest.approx(expected)
    assert expected < (widest_least_difference(360) or 0) == pytest.approx(10.4, abs=0.05)


@pytest.mark.slow
@pytest.mark.parametrize(("factor", "slope"), [(3.0, 0.5), (2.0, 1.0), (1.5, 2.0)])
def test_so_many_tasks_tell_two_models_apart_in_four_of_five_cases(factor: float, slope: float) -> None:
    """200 pairs; the standard error is 3 %."""
    rng, needed = np.random.default_rng(1), detect(LENGTHS, factor, 100, slope).tasks
    assert needed is not None
    lengths = ladder(needed)

    def run(horizon: float) -> Trials:
        return count_trials(range(needed), lengths, wins(rng, lengths, horizon, slope)[0])

    told = [horizon_ratio(run(100 * factor**0.5), run(100 / factor**0.5)).verdict for _ in range(200)]
    assert 0.72 <= told.count("longer") / 200 <= 0.88


@pytest.mark.slow
def test_so_many_chosen_tasks_tell_two_models_apart() -> None:
    """60 pairs; the standard error is 5 %."""
    rng, needed = np.random.default_rng(2), detect(LENGTHS, 1.5, 100, 2.0).chosen
    assert needed is not None
    lengths = dict(enumerate(LENGTHS))

    def run(horizon: float) -> Trials:
        won: dict[int, float] = {}
        while chosen := next_round(lengths, won, won, min(8, needed - len(won))):
            chances = success([lengths[task] for task in chosen], horizon, 2.0)
            won |= dict(zip(chosen, (rng.random(len(chosen)) < chances).astype(float).tolist(), strict=True))
        return count_trials(list(won), [lengths[task] for task in won], list(won.values()))

    told = [horizon_ratio(run(100 * 1.5**0.5), run(100 / 1.5**0.5)).verdict for _ in range(60)]
    assert 0.7 <= told.count("longer") / 60 <= 0.95
