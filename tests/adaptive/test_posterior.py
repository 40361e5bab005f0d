"""The posterior of the horizon, held against another way to compute it."""

from math import exp, log

import numpy as np
import pytest

from herobench.adaptive.posterior import Posterior, curves_between

CURVES = curves_between(2.0, 12.0)
X = np.linspace(2, 12, 121)


def verdicts(horizon: float, slope: float = 1.0, lapse: float = 0.0, seed: int = 0) -> list[float]:
    """Draw the wins of a model that wins half of the tasks of a length; `horizon` is the log2 of it."""
    chance = (1 - lapse) / (1 + np.exp(slope * (X - horizon)))
    return list((np.random.default_rng(seed).random(len(X)) < chance).astype(float))


def test_every_curve_wins_half_of_the_tasks_at_its_horizon() -> None:
    for number in range(0, len(CURVES.horizons), 97):
        assert CURVES.chances(float(CURVES.horizons[number]))[number] == pytest.approx(0.5)
    assert CURVES.chances(-30.0) == pytest.approx(1 - CURVES.lapses, abs=1e-3)


def test_the_weight_of_a_curve_is_its_likelihood_times_its_prior() -> None:
    """Two curves that differ in all three are compared by hand."""
    x, won = [3.0, 5.0, 5.0, 8.0], [1.0, 1.0, 0.0, 0.5]
    found = Posterior(CURVES, x, won)
    one, other = np.argsort(-found.weights)[[0, 500]]

    def by_hand(number: int) -> float:
        total = CURVES.prior[number]
        lapse, slope, horizon = (each[number] for each in (CURVES.lapses, CURVES.slopes, CURVES.horizons))
        for length, share in zip(x, won, strict=True):
            odds = exp(-slope * (length - horizon)) / (1 - 2 * lapse)
            chance = (1 - lapse) * odds / (1 + odds)
            total += share * log(chance) + (1 - share) * log(1 - chance)
        return float(total)

    assert log(found.weights[one] / found.weights[other]) == pytest.approx(by_hand(one) - by_hand(other))
    assert found.weights.sum() == pytest.approx(1)


def test_the_order_of_verdicts_changes_no_digit() -> None:
    won, mixed = verdicts(6.0), np.random.default_rng(1).permutation(len(X))
    shuffled = Posterior(CURVES, X[mixed], [won[number] for number in mixed])
    assert shuffled.interval() == Posterior(CURVES, X, won).interval()


def test_the_interval_narrows_around_the_horizon_and_knows_the_slope() -> None:
    before = Posterior(CURVES).interval()
    found = Posterior(CURVES, X, verdicts(6.0, slope=2.0))
    assert found.interval().low < 2**6.0 < found.interval().high
    assert found.interval().factor < 2.5 < before.factor
    assert found.slope() == pytest.approx(2.0, rel=0.4)


def test_all_won_is_beyond_the_range_and_all_lost_below() -> None:
    assert Posterior(CURVES, X, [1.0] * len(X)).interval().low > 2**11
    assert Posterior(CURVES, X, [0.0] * len(X)).interval().high < 2**3


def test_failures_that_length_does_not_explain_are_lapses() -> None:
    steady, spoiling = (Posterior(CURVES, X, verdicts(9.0, 3.0, lapse, seed=5)) for lapse in (0.0, 0.18))
    assert steady.lapse() < 0.05 < 0.1 < spoiling.lapse()


def test_a_curve_fits_the_models_that_it_is_made_for() -> None:
    fits = [Posterior(CURVES, X, verdicts(6.0, slope, 0.04, seed)).fits for slope in (0.5, 1, 2) for seed in range(5)]
    assert all(fits)


def test_a_curve_does_not_fit_success_that_rises_again() -> None:
    rising = [1.0 if x < 4 or x > 9 else 0.0 for x in X]
    assert not Posterior(CURVES, X, rising).fits
    assert Posterior(CURVES, X[:8], rising[:8]).fits, "too few to tell"


def test_whether_a_curve_fits_does_not_depend_on_the_order_of_tasks_of_one_length() -> None:
    alike = [5.0] * 32
    assert Posterior(CURVES, alike, [1.0, 0.0] * 16).fits
    assert Posterior(CURVES, alike, [1.0] * 16 + [0.0] * 16).fits
