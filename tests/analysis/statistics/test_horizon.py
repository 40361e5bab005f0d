"""The horizon of some samples, its verdict, what must not change it, and the fit."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from scipy.optimize import minimize
from statsmodels.api import Logit, add_constant

from herobench.adaptive.goal import LEAST_TASKS
from herobench.analysis.statistics.horizon import Horizon, chance, count_trials, estimate_horizon, fit, fit_curve
from tests.analysis.statistics.simulated import Floats, ladder, wins
from tests.sizes import one_in

LENGTHS = ladder(120)


def won_by(horizon: float, slope: float = 1.0, seed: int = 1) -> list[float | None]:
    return wins(np.random.default_rng(seed), LENGTHS, horizon, slope)[0].tolist()


def found(won: list[float | None], lengths: Floats = LENGTHS, names: str = "t") -> Horizon:
    return estimate_horizon([f"{names}{number}" for number in range(len(lengths))], lengths.tolist(), won)


# -- the figure -------------------------------------------------------------------------------------------------------


def test_a_horizon_is_found_with_its_interval() -> None:
    told = found(won_by(100))
    assert told.verdict == "determined"
    assert told.h50.low < 100 < told.h50.high  # type: ignore[operator]
    assert told.h50.low < told.h50.estimate < told.h50.high  # type: ignore[operator]
    assert told.h80.low < 25 < told.h80.high, "two doublings less, at a slope of ln 4 / 2 = 0.7"  # type: ignore[operator]
    assert told.slope.low < -1 < told.slope.high < 0  # type: ignore[operator]
    assert (told.h50.tasks, told.h50.samples, told.shortest, told.longest) == (120, 120, 4, pytest.approx(4000))
    assert 0.8 < told.auc < 1  # type: ignore[operator]
    assert 0 < told.calibration_error < 10  # type: ignore[operator]


def test_the_curve_passes_half_at_the_horizon_and_four_fifths_before() -> None:
    won = won_by(100)
    curve, told = fit_curve(count_trials(range(120), LENGTHS, won)), found(won)
    assert curve is not None
    points = curve.curve()
    lengths, success, low, high = np.array(points).T
    at = np.interp([np.log(told.h80.estimate), np.log(told.h50.estimate)], np.log(lengths), success)  # type: ignore[arg-type]
    assert at == pytest.approx([0.8, 0.5], abs=0.01)
    assert (low <= success).all()
    assert (success <= high).all()
    assert (lengths[0], lengths[-1]) == (pytest.approx(4), pytest.approx(4000))


def test_the_same_samples_give_the_same_figures_to_the_last_bit() -> None:
    assert found(won_by(300)) == found(won_by(300))


def test_the_order_and_the_names_of_tasks_do_not_matter() -> None:
    won = won_by(300)
    order = np.random.default_rng(2).permutation(len(LENGTHS))
    assert found([won[number] for number in order], LENGTHS[order], "other") == found(won)


@pytest.mark.parametrize("factor", [2.0, 10.0])
def test_a_longer_unit_gives_a_shorter_horizon(factor: float) -> None:
    """Lengths times a factor give horizons times it, and the same verdict and quality."""
    one, other = found(won_by(300)), found(won_by(300), LENGTHS * factor)
    for name in ("h50", "h80"):
        ends = [(e.low, e.estimate, e.high) for e in (getattr(one, name), getattr(other, name))]
        assert ends[1] == pytest.approx([factor * end for end in ends[0]]), name
    assert other.slope.estimate == pytest.approx(one.slope.estimate)
    assert (other.verdict, other.auc) == (one.verdict, one.auc)
    assert other.calibration_error == pytest.approx(one.calibration_error)


def test_more_wins_give_a_longer_horizon() -> None:
    horizons = [found(won_by(horizon)).h50.estimate or 0 for horizon in (20, 60, 200, 600)]
    assert horizons == sorted(horizons)


def test_repeats_of_a_task_are_no_new_tasks() -> None:
    """Samples that were copied move no figure, and do not make it surer."""
    won = won_by(100)
    names, lengths = [*range(120)] * 5, [*LENGTHS] * 5
    once, copied = found(won), estimate_horizon(names, lengths, won * 5)
    assert (copied.h50.tasks, copied.h50.samples) == (120, 600)
    widths = [np.log(told.h50.high / told.h50.low) for told in (once, copied)]  # type: ignore[operator]
    assert widths[1] == pytest.approx(widths[0], rel=0.15)
    apart = estimate_horizon(range(600), lengths, won * 5)
    assert np.log(apart.h50.high / apart.h50.low) < 0.6 * widths[0]  # type: ignore[operator]


def test_what_is_not_measured_or_has_no_length_is_left_out_and_counted() -> None:
    won = won_by(100)
    kept = found(won)
    names, lengths = [*range(120), 200, 201, 202], [*LENGTHS, 50, None, 0]
    told = estimate_horizon(names, lengths, [*won, None, 1.0, 0.0])
    assert (told.unmeasured, told.without_length) == (1, 2)
    assert replace(told, unmeasured=0, without_length=0) == kept


def test_a_task_is_as_long_as_the_shortest_plan_that_is_known() -> None:
    for lengths in ([8, 4], [4, 8]):
        assert count_trials(["a", "a"], lengths, [1, 0]).x.tolist() == [2.0]


# -- the verdict ------------------------------------------------------------------------------------------------------


def test_whoever_wins_all_is_beyond_the_range_and_whoever_loses_all_below() -> None:
    for won, verdict in ((1.0, "beyond the range"), (0.0, "below the range")):
        told = found([won] * 120)
        assert told.verdict == verdict
        assert (told.h50.estimate, told.h50.low, told.h50.high, told.slope.estimate, told.auc) == (None,) * 5
        assert told.h50.tasks == 120


@pytest.mark.parametrize(
    ("horizon", "slope", "verdict"),
    one_in(
        2,
        [
            (100, 1, "determined"),
            (100, 9, "determined"),  # wins and losses stand apart
            (20_000, 1, "beyond the range"),
            (1e-6, 0.1, "below the range"),
            (0.8, 1, "below the range"),
            (1e9, 0.1, "beyond the range"),  # wins nine of ten at all lengths alike
            (120, 0.02, "not determined"),  # wins half at all lengths alike
            (120, -1, "not determined"),  # wins the long ones
            (40, -1, "not determined"),
            (400, -1, "not determined"),
        ],
    ),
)
def test_a_verdict_says_what_the_samples_tell(horizon: float, slope: float, verdict: str) -> None:
    told = [found(won_by(horizon, slope, seed)).verdict for seed in range(4)]
    assert told == [verdict] * 4


def test_a_horizon_beyond_the_range_is_longer_than_the_longest_task() -> None:
    told = found(won_by(20_000))
    assert told.h50.estimate > 4000  # type: ignore[operator]
    assert told.h50.low > 1000  # type: ignore[operator]


def test_what_is_not_determined_has_no_figure() -> None:
    told = found(won_by(120, 0.02))
    assert (told.h50.estimate, told.h50.low, told.h50.high, told.h80.estimate) == (None,) * 4
    assert told.slope.high >= 0  # type: ignore[operator]
    assert told.auc == pytest.approx(0.5, abs=0.15)


def test_a_curve_that_may_not_fall_determines_nothing() -> None:
    """The interval ends within the lengths, but some draws rise."""
    told = found(won_by(400, 0.25, 10))
    assert 0 < told.slope.high < 0.05  # type: ignore[operator]
    assert (told.verdict, told.h50.estimate) == ("not determined", None)


@pytest.mark.parametrize("tasks", [0, 1, LEAST_TASKS - 1, LEAST_TASKS])
def test_a_few_tasks_determine_nothing(tasks: int) -> None:
    told = estimate_horizon(
        range(tasks), ladder(max(1, tasks)).tolist()[:tasks], [float(n < tasks / 2) for n in range(tasks)]
    )
    assert told.verdict == ("determined" if tasks == LEAST_TASKS else "not determined")
    assert (told.h50.estimate is None) == (tasks < LEAST_TASKS)
    assert told.h50.tasks == tasks


def test_tasks_of_one_length_determine_nothing_that_is_not_sure() -> None:
    half = estimate_horizon(range(60), [100] * 60, [1, 0] * 30)
    assert (half.verdict, half.auc) == ("not determined", 0.5)
    assert estimate_horizon(range(60), [100] * 60, [1] * 59 + [0]).verdict == "beyond the range"


# -- the quality of the fit -------------------------------------------------------------------------------------------


def test_the_auc_counts_pairs_of_a_won_and_a_lost_sample() -> None:
    rng = np.random.default_rng(6)
    lengths, won = rng.integers(1, 20, 60), rng.integers(0, 2, 60)
    pairs = product(lengths[won == 1], lengths[won == 0])
    by_hand = np.mean([1.0 if short < long else 0.5 if short == long else 0.0 for short, long in pairs])
    assert estimate_horizon(range(60), lengths.tolist(), won.tolist()).auc == pytest.approx(by_hand)


def test_the_calibration_error_is_large_where_success_does_not_fall_like_a_curve() -> None:
    """Every second octave is won, the others are lost."""
    stripes = [float(int(np.log2(length)) % 2 == 0) for length in LENGTHS]
    assert found(stripes).calibration_error > 30  # type: ignore[operator]
    assert found(won_by(100)).calibration_error < 8  # type: ignore[operator]


RNG = np.random.default_rng(4)
X = np.linspace(-5, 5, 40)


def penalized(ab: np.ndarray, x: np.ndarray, tried: np.ndarray, won: np.ndarray) -> float:
    """The logarithm of the likelihood times Jeffreys' prior, turned round."""
    score = ab[0] + ab[1] * x
    p = chance(score)
    weight = tried * p * (1 - p)
    information = np.array([[weight.sum(), weight @ x], [weight @ x, weight @ (x * x)]])
    likelihood = won @ -np.logaddexp(0, -score) + (tried - won) @ -np.logaddexp(0, score)
    return float(-likelihood - np.linalg.slogdet(information)[1] / 2)


def draw(slope: float, intercept: float, attempts: int) -> tuple[np.ndarray, np.ndarray]:
    tried = RNG.integers(0, attempts + 1, len(X)).astype(float)
    return tried, RNG.binomial(tried.astype(int), chance(intercept + slope * X)).astype(float)


@pytest.mark.parametrize(("slope", "intercept", "attempts"), [(-1, 0, 1), (-0.3, 2, 3), (0.5, -4, 2), (-8, 1, 4)])
def test_the_fit_has_the_greatest_penalized_likelihood(slope: float, intercept: float, attempts: int) -> None:
    tried, won = draw(slope, intercept, attempts)
    intercepts, slopes = fit(X, tried[None], won[None])
    found = np.array([intercepts[0], slopes[0]])
    best = minimize(
        penalized, found + 0.3, (X, tried, won), method="Nelder-Mead", options={"xatol": 1e-7, "fatol": 1e-10}
    )
    assert found == pytest.approx(best.x, abs=1e-3)


def test_with_much_data_it_is_plain_logistic_regression() -> None:
    x = np.repeat(X, 500)
    won = (RNG.random(len(x)) < chance(1 - 0.7 * x)).astype(float)
    intercepts, slopes = fit(x, np.ones((1, len(x))), won[None])
    assert [intercepts[0], slopes[0]] == pytest.approx(Logit(won, add_constant(x)).fit(disp=0).params, abs=3e-3)


@pytest.mark.parametrize("won", [X < 0, X > 1.3, X < 9, X > 9, X[3] == X], ids=["-", "+", "all won", "all lost", "one"])
def test_no_data_give_an_endless_slope(won: np.ndarray) -> None:
    (intercept,), (slope,) = fit(X, np.ones((1, len(X))), won[None].astype(float))
    assert abs(intercept) < 50
    assert abs(slope) < 50


def test_copies_are_fitted_alone_however_many_there_are() -> None:
    drawn = [draw(-1, 0.5, 2) for _ in range(600)]
    tried, won = (np.array(part) for part in zip(*drawn, strict=True))
    together = np.array(fit(X, tried, won))
    alone = np.array([fit(X, tried[number, None], won[number, None]) for number in (0, 249, 250, 599)])
    assert pytest.approx(together[:, [0, 249, 250, 599]]) == alone[:, :, 0].T
