"""Rates and chances of several tries, and means over repeats of tasks, held against scipy and statsmodels."""

from __future__ import annotations

import math
import subprocess
import sys
from dataclasses import astuple
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from herobench.analysis.reading.interval import (
    Estimate,
    bounded_mean,
    by_task,
    clustered_mean,
    measure_success,
    pass_at_k,
    pass_hat_k,
    success_rate,
    wilson,
)
from tests.sizes import for_each

ROWS = st.lists(st.tuples(st.integers(0, 5), st.booleans() | st.none()), max_size=40)


def columns(rows: list[tuple[int, bool | None]]) -> tuple[list[int], list[bool | None]]:
    return [task for task, _ in rows], [won for _, won in rows]


def sampled(count: int, wins: int) -> tuple[str, list[bool]]:
    """One task with so many samples, of which so many won."""
    return "a" * count, [True] * wins + [False] * (count - wins)


# -- the rate -----------------------------------------------------------------------------------------------------


def test_an_interval_is_of_plain_floats_that_end_at_0_and_1() -> None:
    assert [type(end) for pair in (wilson(0, 5), wilson(5, 5), wilson(2, 5)) for end in pair] == [float] * 6
    assert wilson(0, 5)[0] == 0.0
    assert wilson(5, 5)[1] == 1.0


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


@given(ROWS)
def test_counting_as_lost_never_raises_the_rate(rows: list[tuple[int, bool | None]]) -> None:
    left_out, lost = success_rate(*columns(rows)), success_rate(*columns(rows), "lost")
    assert lost.samples == len(rows)
    if left_out.estimate is not None:
        assert lost.estimate <= left_out.estimate


@for_each("rate", [success_rate, lambda *rows: pass_at_k(*rows, 1), lambda *rows: pass_hat_k(*rows, 1)])
def test_a_score_is_not_taken_for_a_win(rate: object) -> None:
    with pytest.raises(ValueError, match=r"50\.0 is neither"):
        rate("ab", [1, 50.0])  # type: ignore[operator]


def test_repeats_of_a_task_change_the_interval_and_tasks_tried_once_have_wilsons() -> None:
    wins = [True, True, False, None]
    assert measure_success("abcd", wins) == success_rate("abcd", wins)
    assert measure_success("abcd", wins, "lost") == success_rate("abcd", wins, "lost")
    assert measure_success("aabc", wins) == bounded_mean("aabc", wins) != success_rate("aabc", wins)
    assert measure_success("abcc", iter(wins), "lost") == bounded_mean("abcc", wins, "lost")
    assert measure_success([], []) == Estimate()


# -- several tries ------------------------------------------------------------------------------------------------


@for_each("count", range(1, 8))
def test_chances_are_those_found_by_trying_every_choice_of_k_samples(count: int) -> None:
    for wins in range(count + 1):
        tasks, samples = sampled(count, wins)
        for k in range(1, count + 1):
            tries = list(combinations(samples, k))
            some = Fraction(sum(any(chosen) for chosen in tries), len(tries))
            every = Fraction(sum(all(chosen) for chosen in tries), len(tries))
            assert pass_at_k(tasks, samples, k).estimate == float(some)
            assert pass_hat_k(tasks, samples, k).estimate == float(every)


@for_each(("wins", "k"), [(1, 1), (1, 9_999), (37, 100), (5_000, 5_000), (9_999, 10_000), (9_990, 2)])
def test_chances_are_exact_for_ten_thousand_samples(wins: int, k: int) -> None:
    tasks, samples = sampled(10_000, wins)
    none = all_ = Fraction(1)
    for chosen in range(k):
        none *= Fraction(max(0, 10_000 - wins - chosen), 10_000 - chosen)
        all_ *= Fraction(max(0, wins - chosen), 10_000 - chosen)
    assert pass_at_k(tasks, samples, k).estimate == float(1 - none)
    assert pass_hat_k(tasks, samples, k).estimate == float(all_)


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


@for_each("k", [0, -1])
def test_fewer_than_one_try_is_refused(k: int) -> None:
    with pytest.raises(ValueError, match=r"k must be 1 or more, and it is "):
        pass_at_k("a", [1], k)


SCORES = st.floats(0, 100).map(lambda score: round(score, 3))
SCORED_ROWS = st.lists(st.tuples(st.integers(0, 6), SCORES), max_size=40)


def score_columns(rows: list[tuple[int, float]]) -> tuple[list[int], list[float]]:
    return [task for task, _ in rows], [value for _, value in rows]


@for_each("seed", range(5))
def test_the_error_is_that_of_a_regression_clustered_by_task(seed: int) -> None:
    rng = np.random.default_rng(seed)
    tasks = rng.integers(0, 12, 50)  # unbalanced
    values = rng.normal(0, 1, 12)[tasks] + rng.normal(0, 1, 50)
    mean = clustered_mean(tasks, values)
    from statsmodels.regression.linear_model import OLS  # half a second, for the worker that needs it only

    fit = OLS(values, np.ones(50)).fit(cov_type="cluster", cov_kwds={"groups": tasks}, use_t=True)
    assert (mean.samples, mean.tasks) == (50, len(set(tasks)))
    assert mean.estimate == pytest.approx(fit.params[0])
    assert mean.standard_error == pytest.approx(fit.bse[0])
    assert (mean.low, mean.high) == pytest.approx(tuple(fit.conf_int()[0]))


def test_nothing_is_said_of_no_samples_and_no_interval_given_for_one_task() -> None:
    assert clustered_mean([], []) == Estimate(None, None, None, None, 0, 0)
    assert clustered_mean("a", [None]) == Estimate(None, None, None, None, 0, 0)
    assert clustered_mean("aaa", [1, 2, 6]) == Estimate(3.0, None, None, None, 3, 1)


def test_tasks_that_are_all_alike_have_an_interval_without_width() -> None:
    assert clustered_mean("aab", [7, 7, 7]) == Estimate(7.0, 7.0, 7.0, 0.0, 3, 2)


def test_what_was_not_measured_is_left_out_or_lost() -> None:
    tasks, values = "aabbc", [50, None, 10, 30, None]
    assert clustered_mean(tasks, values) == clustered_mean("abb", [50, 10, 30])
    assert by_task(tasks, values) == {"a": [50.0], "b": [10.0, 30.0]}
    assert by_task(tasks, values, "lost") == {"a": [50.0, 0.0], "b": [10.0, 30.0], "c": [0.0]}


@for_each("value", [math.nan, math.inf, np.float64("nan")])
def test_a_value_that_is_no_number_is_refused(value: float) -> None:
    with pytest.raises(ValueError, match=r"task 'b' is (nan|inf): give None for what was not measured"):
        clustered_mean("ab", [1.0, value])


def test_columns_of_unlike_length_are_refused() -> None:
    with pytest.raises(ValueError, match="zip"):
        clustered_mean("abc", [1.0, 2.0])


@given(SCORED_ROWS)
def test_the_mean_lies_in_its_interval_and_nothing_is_nan(rows: list[tuple[int, float]]) -> None:
    mean = clustered_mean(*score_columns(rows))
    assert not any(math.isnan(part) for part in astuple(mean) if part is not None)
    if mean.low is not None:
        assert mean.low <= mean.estimate <= mean.high
        assert mean.estimate - mean.low == pytest.approx(mean.high - mean.estimate, abs=1e-9)
        assert 0 - 1e-9 <= mean.estimate <= 100 + 1e-9


# -- between bounds -----------------------------------------------------------------------------------------------


def ends(mean: Estimate) -> tuple[float | None, float | None]:
    return mean.low, mean.high


@given(st.integers(2, 200).flatmap(lambda count: st.tuples(st.integers(0, count), st.just(count))))
def test_scores_of_0_and_100_have_the_interval_of_a_rate(counts: tuple[int, int]) -> None:
    wins, count = counts
    scores = [100.0] * wins + [0.0] * (count - wins)
    low, high = wilson(wins, count)
    assert ends(bounded_mean(range(count), scores, most=100)) == pytest.approx((100 * low, 100 * high), abs=1e-9)
    # epochs that agree add nothing
    assert ends(bounded_mean([*range(count)] * 3, scores * 3, most=100)) == pytest.approx((100 * low, 100 * high))


@given(SCORED_ROWS)
def test_the_interval_lies_between_the_bounds_and_is_never_empty(rows: list[tuple[int, float]]) -> None:
    mean, plain = bounded_mean(*score_columns(rows), most=100), clustered_mean(*score_columns(rows))
    assert (mean.estimate, mean.standard_error, mean.tasks) == (plain.estimate, plain.standard_error, plain.tasks)
    if mean.tasks > 1:
        assert 0 <= mean.low <= mean.estimate <= mean.high <= 100
        assert mean.high - mean.low > 1
        mirrored = bounded_mean([task for task, _ in rows], [100 - value for _, value in rows], most=100)
        assert ends(mirrored) == pytest.approx((100 - mean.high, 100 - mean.low), abs=1e-6)
        # never wider than the interval of as many tasks at the bounds alone, if tasks have equal weight
        if len(rows) == mean.tasks:
            low, high = wilson(mean.estimate / 100 * mean.tasks, mean.tasks)
            assert 100 * low - 1e-6 <= mean.low <= mean.high <= 100 * high + 1e-6


def test_values_that_are_all_equal_leave_an_interval_that_shrinks_with_their_number() -> None:
    for value in (0.0, 20.0, 50.0, 100.0):
        found = [bounded_mean(range(count), [value] * count, most=100) for count in (2, 5, 50, 500)]
        widths = [mean.high - mean.low for mean in found]
        assert widths == sorted(widths, reverse=True)
        assert widths[0] > 60 > 3 > widths[-1] > 0
        assert all(0 <= mean.low <= value <= mean.high <= 100 for mean in found)


def test_scores_over_the_bound_widen_it_and_figures_without_one_have_a_t_interval() -> None:
    over = bounded_mean("abc", [130, 120, 100], most=100)
    assert 0 < over.low < over.estimate < over.high <= 130
    tokens = bounded_mean("ab", [10, 500], most=math.inf)
    assert ends(tokens) == (0.0, clustered_mean("ab", [10, 500]).high)


def test_one_task_alone_has_no_interval_between_bounds_either() -> None:
    assert bounded_mean("aaa", [1, 0, 0.5]) == Estimate(0.5, None, None, None, 3, 1)
    assert bounded_mean([], []) == Estimate()


def test_the_statistics_that_run_and_score_print_load_neither_scipy_nor_numpy() -> None:
    names = "herobench.analysis.reading.interval, herobench.analysis.statistics.tally"
    code = f"import sys, {names}; print({{'scipy', 'numpy', 'pandas'}} & sys.modules.keys())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
