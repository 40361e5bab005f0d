import numpy as np
import pytest
from scipy.optimize import minimize
from statsmodels.api import Logit, add_constant

from herobench.analysis.statistics.horizon import chance, fit

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
