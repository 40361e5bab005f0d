"""Means over repeats of tasks, held against statsmodels' clustered regression."""

import math
import subprocess
import sys
from dataclasses import astuple
from statistics import stdev

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.regression.linear_model import OLS

from herobench.analysis.reading.interval import Estimate, wilson
from herobench.analysis.statistics.rates import bounded_mean, by_task, clustered_mean

SCORES = st.floats(0, 100).map(lambda score: round(score, 3))
ROWS = st.lists(st.tuples(st.integers(0, 6), SCORES), max_size=40)


def columns(rows: list[tuple[int, float]]) -> tuple[list[int], list[float]]:
    return [task for task, _ in rows], [value for _, value in rows]


@pytest.mark.parametrize("seed", range(5))
def test_the_error_is_that_of_a_regression_clustered_by_task(seed: int) -> None:
    rng = np.random.default_rng(seed)
    tasks = rng.integers(0, 12, 50)  # unbalanced
    values = rng.normal(0, 1, 12)[tasks] + rng.normal(0, 1, 50)
    mean = clustered_mean(tasks, values)
    fit = OLS(values, np.ones(50)).fit(cov_type="cluster", cov_kwds={"groups": tasks}, use_t=True)
    assert (mean.samples, mean.tasks) == (50, len(set(tasks)))
    assert mean.estimate == pytest.approx(fit.params[0])
    assert mean.standard_error == pytest.approx(fit.bse[0])
    assert (mean.low, mean.high) == pytest.approx(tuple(fit.conf_int()[0]))


@given(st.lists(SCORES, min_size=2, max_size=30))
def test_with_one_epoch_the_error_is_the_plain_one(values: list[float]) -> None:
    mean = clustered_mean(range(len(values)), values)
    assert mean.standard_error == pytest.approx(stdev(values) / math.sqrt(len(values)), abs=1e-9)
    if stdev(values) > 1e-6:
        expected = stats.t.interval(0.95, len(values) - 1, np.mean(values), stats.sem(values))
        assert (mean.low, mean.high) == pytest.approx(expected)


def test_repeats_that_agree_say_no_more_than_one() -> None:
    once = clustered_mean("abcd", [1, 0, 0, 1])
    often = clustered_mean("abcd" * 10, [1, 0, 0, 1] * 10)
    assert often.standard_error == pytest.approx(once.standard_error)
    assert (often.samples, often.tasks, once.samples) == (40, 4, 4)


def test_nothing_is_said_of_no_samples_and_no_interval_given_for_one_task() -> None:
    assert clustered_mean([], []) == Estimate(None, None, None, None, 0, 0)
    assert clustered_mean("a", [None]) == Estimate(None, None, None, None, 0, 0)
    assert clustered_mean("aaa", [1, 2, 6]) == Estimate(3.0, None, None, None, 3, 1)


def test_tasks_that_are_all_alike_have_an_interval_without_width() -> None:
    assert clustered_mean("aab", [7, 7, 7]) == Estimate(7.0, 7.0, 7.0, 0.0, 3, 2)


def test_what_was_not_measured_is_left_out_or_lost() -> None:
    tasks, values = "aabbc", [50, None, 10, 30, None]
    assert clustered_mean(tasks, values) == clustered_mean("abb", [50, 10, 30])
    assert clustered_mean(tasks, values, "lost") == clustered_mean(tasks, [50, 0, 10, 30, 0])
    assert by_task(tasks, values) == {"a": [50.0], "b": [10.0, 30.0]}
    assert by_task(tasks, values, "lost") == {"a": [50.0, 0.0], "b": [10.0, 30.0], "c": [0.0]}


@pytest.mark.parametrize("value", [math.nan, math.inf, np.float64("nan")])
def test_a_value_that_is_no_number_is_refused(value: float) -> None:
    with pytest.raises(ValueError, match=r"task 'b' is (nan|inf): give None for what was not measured"):
        clustered_mean("ab", [1.0, value])


def test_columns_of_unlike_length_are_refused() -> None:
    with pytest.raises(ValueError, match="zip"):
        clustered_mean("abc", [1.0, 2.0])


@given(ROWS)
def test_the_mean_lies_in_its_interval_and_nothing_is_nan(rows: list[tuple[int, float]]) -> None:
    mean = clustered_mean(*columns(rows))
    assert not any(math.isnan(part) for part in astuple(mean) if part is not None)
    if mean.low is not None:
        assert mean.low <= mean.estimate <= mean.high
        assert mean.estimate - mean.low == pytest.approx(mean.high - mean.estimate, abs=1e-9)
        assert 0 - 1e-9 <= mean.estimate <= 100 + 1e-9


@given(ROWS, st.randoms(use_true_random=False))
def test_the_order_of_the_rows_does_not_matter(rows: list[tuple[int, float]], random: object) -> None:
    shuffled = list(rows)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    same = [None if part is None else pytest.approx(part, abs=1e-9) for part in astuple(clustered_mean(*columns(rows)))]
    assert list(astuple(clustered_mean(*columns(shuffled)))) == same


@given(ROWS, st.floats(0.5, 3).map(lambda factor: round(factor, 2)))
def test_other_units_change_only_the_units(rows: list[tuple[int, float]], factor: float) -> None:
    tasks, values = columns(rows)
    mean, scaled = clustered_mean(tasks, values), clustered_mean(tasks, [factor * value + 5 for value in values])
    if mean.standard_error is not None:
        assert scaled.estimate == pytest.approx(factor * mean.estimate + 5)
        assert scaled.standard_error == pytest.approx(factor * mean.standard_error, abs=1e-9)


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


@given(ROWS)
def test_the_interval_lies_between_the_bounds_and_is_never_empty(rows: list[tuple[int, float]]) -> None:
    mean, plain = bounded_mean(*columns(rows), most=100), clustered_mean(*columns(rows))
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
    names = "herobench.analysis.statistics.rates, herobench.analysis.statistics.tally"
    code = f"import sys, {names}; print({{'scipy', 'numpy', 'pandas'}} & sys.modules.keys())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
