import numpy as np
import pytest

from herobench.analysis.statistics.comparison import HorizonRatio, horizon_ratio
from herobench.analysis.statistics.horizon import Trials, fit_of, horizon_in, trials_of
from tests.analysis.statistics.simulated import ladder, wins

LENGTHS = ladder(180)


def run(horizon: float, seed: int, slope: float = 1.0, first: int = 0, last: int = 180) -> Trials:
    won = wins(np.random.default_rng(seed), LENGTHS, horizon, slope)[0]
    return trials_of(range(first, last), LENGTHS[first:last].tolist(), won[first:last].tolist())


def swapped(told: HorizonRatio) -> list[float]:
    return [1 / end for end in (told.ratio.high, told.ratio.estimate, told.ratio.low)]  # type: ignore[operator]


def test_a_longer_horizon_is_told_with_its_ratio() -> None:
    told = horizon_ratio(run(400, 1), run(80, 2))
    assert told.verdict == "longer"
    assert 1 < told.ratio.low < 5 < told.ratio.high  # type: ignore[operator]
    assert told.ratio.estimate == pytest.approx(told.first.h50.estimate / told.second.h50.estimate)  # type: ignore[operator]


def test_the_other_way_round_it_is_as_much_shorter() -> None:
    told, back = horizon_ratio(run(400, 1), run(80, 2)), horizon_ratio(run(80, 2), run(400, 1))
    assert back.verdict == "shorter"
    assert (back.first.verdict, back.second.verdict) == (told.second.verdict, told.first.verdict)
    assert [back.ratio.low, back.ratio.estimate, back.ratio.high] == pytest.approx(swapped(told), rel=0.1)


def test_a_run_is_not_told_apart_from_itself() -> None:
    told = horizon_ratio(run(100, 1), run(100, 1))
    assert (told.verdict, told.ratio.low, told.ratio.estimate, told.ratio.high) == ("not told apart", 1, 1, 1)


def test_pairs_tell_apart_what_the_intervals_of_two_runs_do_not() -> None:
    """The second run loses what the first loses, and a little more."""
    luck = np.random.default_rng(5).random(180)
    first, second = (luck < 1 / (1 + (LENGTHS / horizon) ** 1.44) for horizon in (200, 140))
    told = horizon_ratio(*(trials_of(range(180), LENGTHS, won.astype(float)) for won in (first, second)))
    assert told.first.h50.low < told.second.h50.high  # type: ignore[operator]
    assert told.verdict == "longer"


def test_each_horizon_is_the_one_that_the_run_has_by_itself() -> None:
    # tasks of one length are drawn as one, and fewer of them are alike in two runs than in one
    lengths = np.repeat(ladder(20), 9)
    won = (wins(np.random.default_rng(seed), lengths, horizon, 1.0)[0] for seed, horizon in ((1, 400), (2, 80)))
    first, second = (trials_of(range(180), lengths.tolist(), one.tolist()) for one in won)
    told = horizon_ratio(first, second)
    assert (told.first, told.second) == (horizon_in(first, fit_of(first)), horizon_in(second, fit_of(second)))


def test_only_shared_tasks_are_compared() -> None:
    told = horizon_ratio(run(100, 1, last=120), run(100, 1, first=40))
    assert (told.first.h50.tasks, told.second.h50.tasks, told.ratio.tasks) == (80, 80, 80)
    assert told.ratio.estimate == 1


def test_few_shared_tasks_and_undetermined_horizons_have_no_ratio() -> None:
    few = horizon_ratio(run(100, 1, last=100), run(100, 2, first=80))
    flat = horizon_ratio(run(100, 1), run(120, 2, slope=0.01))
    for told in (few, flat):
        assert (told.verdict, told.ratio.estimate, told.ratio.low) == ("not determined", None, None)
    assert few.ratio.tasks == 20


@pytest.mark.slow
def test_runs_that_win_all_or_lose_all_are_compared_without_a_figure() -> None:
    all_won, all_lost, some = run(1e12, 1), run(1e-12, 1), run(100, 1)
    assert horizon_ratio(all_won, all_won).verdict == "not told apart"
    assert horizon_ratio(all_won, some).verdict == "longer"
    told = horizon_ratio(all_lost, some)
    assert (told.verdict, told.ratio.estimate, told.ratio.low, told.ratio.high) == ("shorter", None, None, None)
