"""Rates and chances of several tries, held against scipy, statsmodels and plain enumeration."""

import math
from dataclasses import astuple
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from herobench.analysis.reading.interval import Estimate, wilson
from herobench.analysis.statistics.rates import bounded_mean, pass_at_k, pass_hat_k, success_of, success_rate
from tests.sizes import for_each

ROWS = st.lists(st.tuples(st.integers(0, 5), st.booleans() | st.none()), max_size=40)


def columns(rows: list[tuple[int, bool | None]]) -> tuple[list[int], list[bool | None]]:
    return [task for task, _ in rows], [won for _, won in rows]


def sampled(count: int, wins: int) -> tuple[str, list[bool]]:
    """One task with so many samples, of which so many won."""
    return "a" * count, [True] * wins + [False] * (count - wins)


# -- the rate -----------------------------------------------------------------------------------------------------


@for_each(("wins", "count"), [(0, 1), (1, 1), (0, 180), (180, 180), (7, 180), (90, 180), (3, 10_000)])
@for_each("confidence", [0.8, 0.95, 0.99])
def test_the_interval_is_wilsons_as_statsmodels_has_it(wins: int, count: int, confidence: float) -> None:
    expected = proportion_confint(wins, count, 1 - confidence, "wilson")
    assert wilson(wins, count, confidence) == pytest.approx(expected, abs=1e-12)


def test_where_nothing_was_counted_the_interval_is_all_that_is_possible() -> None:
    assert wilson(0, 0) == (0.0, 1.0)


def test_an_interval_is_of_plain_floats_that_end_at_0_and_1() -> None:
    assert [type(end) for pair in (wilson(0, 5), wilson(5, 5), wilson(2, 5)) for end in pair] == [float] * 6
    assert wilson(0, 5)[0] == 0.0
    assert wilson(5, 5)[1] == 1.0


@given(st.integers(1, 2000).flatmap(lambda count: st.tuples(st.integers(0, count), st.just(count))))
def test_losses_have_the_mirrored_interval_of_wins(pair: tuple[int, int]) -> None:
    wins, count = pair
    low, high = wilson(wins, count)
    assert wilson(count - wins, count) == pytest.approx((1 - high, 1 - low), abs=1e-12)
    assert 0 <= low <= wins / count <= high <= 1
    assert low < high


def test_a_rate_comes_with_all_it_rests_on() -> None:
    rate = success_rate("aabbc", [1, 0, True, True, np.bool_(False)])
    assert rate == Estimate(0.6, *wilson(3, 5), pytest.approx(math.sqrt(0.6 * 0.4 / 5)), samples=5, tasks=3)


def test_no_samples_have_no_rate() -> None:
    assert success_rate([], []) == success_rate("ab", [None, None]) == Estimate(None, None, None, None, 0, 0)


def test_what_was_not_measured_is_left_out_of_the_rate_or_lost() -> None:
    tasks, wins = "aabbc", [True, None, True, False, None]
    assert success_rate(tasks, wins) == success_rate("abb", [True, True, False])
    assert success_rate(tasks, wins, "lost") == success_rate(tasks, [True, False, True, False, False])
    assert pass_at_k(tasks, wins, 2) == pass_at_k("bb", [True, False], 2)
    assert pass_hat_k(tasks, wins, 1, "lost") == pass_hat_k(tasks, [1, 0, 1, 0, 0], 1)


@given(ROWS)
def test_counting_as_lost_never_raises_the_rate(rows: list[tuple[int, bool | None]]) -> None:
    left_out, lost = success_rate(*columns(rows)), success_rate(*columns(rows), "lost")
    assert lost.samples == len(rows)
    if left_out.estimate is not None:
        assert lost.estimate <= left_out.estimate


@pytest.mark.parametrize("rate", [success_rate, lambda *rows: pass_at_k(*rows, 1), lambda *rows: pass_hat_k(*rows, 1)])
def test_a_score_is_not_taken_for_a_win(rate: object) -> None:
    with pytest.raises(ValueError, match=r"50\.0 is neither"):
        rate("ab", [1, 50.0])  # type: ignore[operator]


def test_repeats_of_a_task_change_the_interval_and_tasks_tried_once_have_wilsons() -> None:
    wins = [True, True, False, None]
    assert success_of("abcd", wins) == success_rate("abcd", wins)
    assert success_of("abcd", wins, "lost") == success_rate("abcd", wins, "lost")
    assert success_of("aabc", wins) == bounded_mean("aabc", wins) != success_rate("aabc", wins)
    assert success_of("abcc", iter(wins), "lost") == bounded_mean("abcc", wins, "lost")
    assert success_of([], []) == Estimate()


# -- several tries ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", range(1, 8))
def test_chances_are_those_found_by_trying_every_choice_of_k_samples(count: int) -> None:
    for wins in range(count + 1):
        tasks, samples = sampled(count, wins)
        for k in range(1, count + 1):
            tries = list(combinations(samples, k))
            some = Fraction(sum(any(chosen) for chosen in tries), len(tries))
            every = Fraction(sum(all(chosen) for chosen in tries), len(tries))
            assert pass_at_k(tasks, samples, k).estimate == float(some)
            assert pass_hat_k(tasks, samples, k).estimate == float(every)


@pytest.mark.parametrize(("wins", "k"), [(1, 1), (1, 9_999), (37, 100), (5_000, 5_000), (9_999, 10_000), (9_990, 2)])
def test_chances_are_exact_for_ten_thousand_samples(wins: int, k: int) -> None:
    tasks, samples = sampled(10_000, wins)
    none = all_ = Fraction(1)
    for chosen in range(k):
        none *= Fraction(max(0, 10_000 - wins - chosen), 10_000 - chosen)
        all_ *= Fraction(max(0, wins - chosen), 10_000 - chosen)
    assert pass_at_k(tasks, samples, k).estimate == float(1 - none)
    assert pass_hat_k(tasks, samples, k).estimate == float(all_)


@given(st.integers(1, 60).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n), st.integers(1, n))))
def test_chances_are_the_hypergeometric_distributions(parts: tuple[int, int, int]) -> None:
    count, wins, k = parts
    spread = stats.hypergeom(count, wins, k)
    assert pass_at_k(*sampled(count, wins), k).estimate == pytest.approx(spread.sf(0), abs=1e-9)
    assert pass_hat_k(*sampled(count, wins), k).estimate == pytest.approx(spread.pmf(k), abs=1e-9)


def test_only_tasks_with_enough_samples_are_averaged_and_counted() -> None:
    tasks, wins = "aabbbcddd", [1, 1, 1, 0, 0, 1, 0, 0, 0]
    some = pass_at_k(tasks, wins, 2)
    assert some.estimate == pytest.approx((1 + 2 / 3 + 0) / 3)
    assert (some.tasks, some.samples) == (3, 8)
    every = pass_hat_k(tasks, wins, 3)
    assert (every.estimate, every.tasks, every.samples) == (0.0, 2, 6)
    assert pass_at_k(tasks, wins, 4) == pass_hat_k(tasks, wins, 4) == Estimate(None, None, None, None, 0, 0)


def test_the_interval_of_a_chance_is_over_tasks() -> None:
    rng = np.random.default_rng(3)
    wins = rng.random((40, 5)) < rng.random((40, 1))
    tasks = np.repeat(np.arange(40), 5)
    once = pass_at_k(tasks, wins.ravel(), 1)
    assert astuple(once) == pytest.approx(astuple(bounded_mean(tasks, wins.ravel())))
    chances = bounded_mean("ab", [0.5, 1.0])
    assert pass_at_k("aab", [1, 0, 1], 1) == Estimate(0.75, chances.low, chances.high, pytest.approx(0.25), 3, 2)
    assert pass_at_k("aa", [1, 0], 1) == Estimate(0.5, None, None, None, 2, 1)


@pytest.mark.parametrize("k", [0, -1])
def test_fewer_than_one_try_is_refused(k: int) -> None:
    with pytest.raises(ValueError, match=r"k must be 1 or more, and it is "):
        pass_at_k("a", [1], k)


@given(ROWS, st.integers(1, 6))
def test_chances_are_ordered_and_within_bounds(rows: list[tuple[int, bool | None]], k: int) -> None:
    some, every, once = pass_at_k(*columns(rows), k), pass_hat_k(*columns(rows), k), pass_at_k(*columns(rows), 1)
    assert (some.tasks, some.samples) == (every.tasks, every.samples)
    assert (some.estimate is None) == (some.tasks == 0)
    if some.estimate is not None:
        assert 0 <= every.estimate <= some.estimate <= 1
    if some.low is not None:
        assert 0 <= some.low <= some.estimate <= some.high <= 1
    if some.tasks == once.tasks and some.tasks:
        assert every.estimate <= once.estimate + 1e-12 <= some.estimate + 2e-12
    assert pass_at_k(*columns(rows), 1) == pass_hat_k(*columns(rows), 1)


@given(ROWS, st.integers(1, 4))
def test_one_is_the_others_chance_that_not_all_lose(rows: list[tuple[int, bool | None]], k: int) -> None:
    tasks, wins = columns(rows)
    some, every = pass_at_k(tasks, wins, k), pass_hat_k(tasks, [None if won is None else not won for won in wins], k)
    if some.estimate is not None:
        assert some.estimate == pytest.approx(1 - every.estimate)
