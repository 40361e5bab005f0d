"""Do intervals of 95 % hold the truth in 95 of 100 cases? Tried on runs whose truth is known.

The coverage of Wilson's interval is summed up exactly. The others are simulated, with fixed seeds and in so many draws
that chance moves them by 0.5 % (one standard deviation). The limits are 93 and 97 %; where an interval is known to keep
to them only on average, or not at all, a test of its own says so.
"""

from collections.abc import Callable

import numpy as np
import pytest
import scipy
from numpy.typing import NDArray

from herobench.analysis.reading.interval import (
    Estimate,
    bounded_mean,
    clustered_mean,
    pass_at_k,
    pass_hat_k,
    wilson,
)
from herobench.analysis.statistics.comparison import Comparison, compare
from tests.sizes import for_each, many, one_in, some_slow

DRAWS = many(2000, 500)
LOWEST, HIGHEST = 0.93, 0.97
TASKS, EPOCHS = 60, 5
REPEATED = np.repeat(np.arange(TASKS), EPOCHS).tolist()
ONCE = list(range(180))

Draw = Callable[[np.random.Generator], Estimate]


def coverage(draw: Draw, truth: float, draws: int = DRAWS) -> float:
    rng = np.random.default_rng(20_240)
    found = (draw(rng) for _ in range(draws))
    return sum(estimate.low <= truth <= estimate.high for estimate in found) / draws


# -- rates --------------------------------------------------------------------------------------------------------


def wilsons_coverage(p: float, count: int) -> float:
    """The probability of all counts of wins whose interval holds p."""
    low, high = np.array([wilson(wins, count) for wins in range(count + 1)]).T
    return float(scipy.stats.binom.pmf(range(count + 1), count, p)[(low <= p) & (p <= high)].sum())


@for_each("count", [180, 500])
@for_each("p", [0.1, 0.3, 0.5, 0.9])
def test_wilsons_interval_holds_the_rate(p: float, count: int) -> None:
    assert LOWEST <= wilsons_coverage(p, count) <= HIGHEST


@for_each("count", [10, 20, 60, 180])
def test_wilsons_interval_holds_the_rate_on_average_over_rates(count: int) -> None:
    low, high = np.array([wilson(wins, count) for wins in range(count + 1)]).T
    rates = np.linspace(0.02, 0.98, 97)[:, None]
    chances = scipy.stats.binom.pmf(np.arange(count + 1), count, rates)
    assert LOWEST <= (chances * ((low <= rates) & (rates <= high))).sum(1).mean() <= HIGHEST


# -- repeats ------------------------------------------------------------------------------------------------------


def wins(rng: np.random.Generator, mean: float = 0.5, tasks: int = TASKS) -> list[bool]:
    """Repeats of tasks most of which are nearly always won or nearly always lost."""
    chances = rng.beta(mean, 1 - mean, (tasks, 1))
    return (rng.random((tasks, EPOCHS)) < chances).ravel().tolist()


def scores(rng: np.random.Generator, tasks: int = TASKS) -> NDArray[np.float64]:
    """Repeats of tasks that differ twice as much from one another as from one epoch to the next."""
    return (50 + rng.normal(0, 20, (tasks, 1)) + rng.normal(0, 10, (tasks, EPOCHS))).ravel()


def some_unmeasured(rng: np.random.Generator, values: NDArray[np.float64]) -> list[float | None]:
    return [None if lost else value for lost, value in zip(rng.random(len(values)) < 0.3, values.tolist(), strict=True)]


@pytest.mark.slow
@for_each(
    ("draw", "truth"),
    [
        (lambda rng: bounded_mean(REPEATED, wins(rng)), 0.5),
        (lambda rng: bounded_mean(REPEATED, wins(rng, 0.2)), 0.2),
        (lambda rng: clustered_mean(REPEATED, scores(rng).tolist()), 50),
        (lambda rng: clustered_mean(REPEATED, some_unmeasured(rng, scores(rng))), 50),
        (lambda rng: clustered_mean(REPEATED[:50], scores(rng, 10).tolist()), 50),
        (lambda rng: pass_at_k(REPEATED, wins(rng), 2), 1 - 0.375),
        (lambda rng: pass_hat_k(REPEATED, wins(rng), 2), 0.375),  # the mean of p squared for p of beta(1/2, 1/2)
    ],
)
def test_the_clustered_interval_holds_the_mean_over_repeats(draw: Draw, truth: float) -> None:
    assert LOWEST <= coverage(draw, truth) <= HIGHEST


# -- scores between bounds ----------------------------------------------------------------------------------------

SHARES = {"some": (0.3, 0.4), "few": (0.7, 0.1), "hardly any": (0.9, 0.02), "most": (0.05, 0.8), "none": (0.0, 0.0)}
"""How many tasks get a score of 0 and of 100. The others get a part of it, 28.6 on average."""


def partial(rng: np.random.Generator, zero: float, full: float, tasks: int) -> list[float]:
    """Return scores as suites have them: many of 0, many of 100, the rest in between."""
    which, part = rng.random(tasks), rng.beta(2, 5, tasks)
    return (100 * np.where(which < zero, 0.0, np.where(which < zero + full, 1.0, part))).tolist()


@pytest.mark.parametrize(("tasks", "least"), one_in(2, [(2, 0.94), (5, 0.89), (20, 0.89), (60, 0.89)]))
@pytest.mark.parametrize("kind", SHARES)
def test_the_interval_of_scores_holds_the_mean(kind: str, tasks: int, least: float) -> None:
    zero, full = SHARES[kind]
    truth = 100 * (full + (1 - zero - full) * 2 / 7)
    found = coverage(lambda rng: bounded_mean(range(tasks), partial(rng, zero, full, tasks), most=100), truth)
    students = coverage(lambda rng: clustered_mean(range(tasks), partial(rng, zero, full, tasks)), truth)
    assert found > least
    assert found > min(students, 0.95) - 0.02, "nowhere less sure than Student's"


@for_each("mean", [0.2, 0.5])
@for_each("tasks", [3, 10])
def test_the_interval_of_few_tasks_with_epochs_holds_the_rate(mean: float, tasks: int) -> None:
    repeated = np.repeat(np.arange(tasks), EPOCHS).tolist()
    assert coverage(lambda rng: bounded_mean(repeated, wins(rng, mean, tasks)), mean) > 0.92


# -- two runs -----------------------------------------------------------------------------------------------------


def scored_runs(rng: np.random.Generator) -> Comparison:
    """Correlated scores, the first run better by 2."""
    hardness = rng.normal(50, 20, len(ONCE))
    first, second = hardness + 2 + rng.normal(0, 6, len(ONCE)), hardness + rng.normal(0, 6, len(ONCE))
    return compare(ONCE, first.tolist(), ONCE, second.tolist())


def won_runs(rng: np.random.Generator, gain: float) -> Comparison:
    """Correlated wins, the first run better by so much."""
    chances = 0.9 * rng.beta(0.5, 0.5, len(ONCE))
    first, second = rng.random((2, len(ONCE)))
    return compare(ONCE, (first < chances + gain).tolist(), ONCE, (second < chances).tolist())


def repeated_runs(rng: np.random.Generator) -> Comparison:
    """Correlated scores over epochs, many of them unmeasured, the first run better by 2."""
    hardness = np.repeat(rng.normal(50, 20, TASKS), EPOCHS)
    first, second = hardness + np.array([[2], [0]]) + rng.normal(0, 10, (2, len(REPEATED)))
    return compare(REPEATED, some_unmeasured(rng, first), REPEATED, some_unmeasured(rng, second))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("draw", "truth"),
    [
        (lambda rng: scored_runs(rng).difference, 2),
        (lambda rng: won_runs(rng, 0.05).difference, 0.05),
        (lambda rng: repeated_runs(rng).difference, 2),
    ],
    ids=["scores", "wins", "epochs, 30 % unmeasured"],
)
def test_the_paired_interval_holds_the_difference(draw: Draw, truth: float) -> None:
    assert LOWEST <= coverage(draw, truth) <= HIGHEST


@pytest.mark.parametrize(("first", "second"), [(0.05, 0.1), (0.3, 0.3), (0.0, 0.9), (0.0, 0.99), (0.0, 0.03)])
@pytest.mark.parametrize("tasks", some_slow([5, 20, 60], {20, 60}))
def test_the_interval_of_few_paired_wins_holds_the_difference(first: float, second: float, tasks: int) -> None:
    """Tasks are won by one run alone with these chances, and else by both: Student's interval is empty if none is."""

    def draw(rng: np.random.Generator) -> Estimate:
        chance = rng.random(tasks)
        ours, theirs = chance >= first, (chance < first) | (chance >= first + second)
        return compare(range(tasks), ours.tolist(), range(tasks), theirs.tolist(), most=1).difference

    assert coverage(draw, second - first) > 0.9


def test_runs_that_are_alike_are_told_apart_in_one_of_twenty_cases_at_most() -> None:
    rng = np.random.default_rng(7)
    found = [won_runs(rng, 0.0) for _ in range(many(1500, 500))]
    assert 0.03 <= np.mean([one.p < 0.05 for one in found]) <= 0.07
    assert np.mean([one.exact_p < 0.05 for one in found]) <= 0.05, "exact tests err on the safe side"
