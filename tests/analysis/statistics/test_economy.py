"""What success costs, on figures that can be checked by hand."""

import math
from statistics import fmean, median

import pytest
from hypothesis import given
from hypothesis import strategies as st

from herobench.analysis.reading.interval import Estimate
from herobench.analysis.statistics.findings import (
    Efficiency,
    PerSuccess,
    PerTokens,
    efficiency,
    per_10k_tokens,
    per_success,
)
from herobench.analysis.statistics.rates import clustered_mean
from herobench.analysis.statistics.tally import SampleTally


def test_success_per_tokens_is_averaged_over_brackets() -> None:
    found = per_10k_tokens("11123", [1, 0, 0, 1, 0], [1000, 3000, 2000, 500, 100])
    assert found == PerTokens(pytest.approx(((1 / 3) / 2000 + 1 / 500 + 0) / 3 * 10_000), 3)


def test_it_is_made_of_the_means_that_the_tables_show() -> None:
    scores, tokens = [10.0, 40.0, 100.0, 70.0, 0.0], [400, None, 100, 800, 0]
    rows = [
        {"group": bracket, "won": False, "score": score, "progress": 0.0, "output_tokens": count, "failure": None}
        for bracket, score, count in zip("11223", scores, tokens, strict=True)
    ]
    brackets = [
        (group.score / group.count, group.tokens / group.with_tokens) for _, group in SampleTally(rows).groups()
    ]
    ratios = [10_000 * score / spent for score, spent in brackets if spent]
    assert per_10k_tokens("11223", scores, tokens) == PerTokens(pytest.approx(fmean(ratios)), 2)


def test_a_bracket_without_tokens_is_not_averaged() -> None:
    assert per_10k_tokens("123", [1, 1, 1], [100, None, 0]) == PerTokens(100.0, 1)
    assert per_10k_tokens("12", [1, 1], [None, 0]) == per_10k_tokens([], [], []) == PerTokens(None, 0)


def test_what_was_not_measured_is_left_out_with_its_tokens_or_lost_with_them() -> None:
    brackets, values, tokens = "11", [1, None], [100, 300]
    assert per_10k_tokens(brackets, values, tokens) == PerTokens(100.0, 1)
    assert per_10k_tokens(brackets, values, tokens, "lost") == PerTokens(25.0, 1)


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 100), st.integers(1, 5000)), min_size=1))
def test_twice_the_tokens_are_half_the_success_per_token(rows: list[tuple[int, int, int]]) -> None:
    brackets, values, tokens = zip(*rows, strict=True)
    once, twice = per_10k_tokens(brackets, values, tokens), per_10k_tokens(brackets, values, [2 * n for n in tokens])
    assert twice.estimate == pytest.approx(once.estimate / 2)
    assert once.groups == len(set(brackets))


def test_a_success_costs_the_total_by_the_wins() -> None:
    assert per_success([1, 0, True, False], [0.5, 0.25, 0.25, 0.5]) == PerSuccess(0.75, 1.5, 2, 4)
    assert per_success([1, None], [300, 200]) == PerSuccess(500.0, 500.0, 1, 2), "what was not measured was paid for"


def test_without_a_win_no_success_has_a_cost() -> None:
    assert per_success([0, 0], [3, 4]) == PerSuccess(None, 7.0, 0, 2)
    assert per_success([], []) == PerSuccess(None, 0.0, 0, 0)


def test_an_unknown_amount_is_not_taken_for_nothing() -> None:
    assert per_success([1, 1, 0], [100, None, 100]) == PerSuccess(200.0, 200.0, 1, 2)
    assert per_success([1, 1], [None, None]) == PerSuccess(None, 0.0, 0, 0)


def test_efficiency_is_over_wins_with_a_known_oracle() -> None:
    found = efficiency("aabcde", [1, 1, 1, 0, 1, 1], [20, 40, 12, 1, 7, 9], [10, 10, 12, 1, None, 0])
    assert found == Efficiency(clustered_mean("aab", [2.0, 4.0, 1.0]), 2.0)
    assert (found.mean.samples, found.mean.tasks) == (3, 2)
    assert efficiency("ab", [1, 1], [None, 5], [5, 5]) == Efficiency(Estimate(1.0, samples=1, tasks=1), 1.0)


def test_without_wins_there_is_no_efficiency() -> None:
    assert efficiency("ab", [0, None], [3, 4], [3, 4]) == Efficiency(Estimate(), None)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(1, 50), st.integers(0, 50)), min_size=1))
def test_plans_no_shorter_than_the_oracles_have_an_efficiency_of_1_or_more(rows: list[tuple[int, int, int]]) -> None:
    tasks, best, more = zip(*rows, strict=True)
    taken = [a + b for a, b in zip(best, more, strict=True)]
    found = efficiency(tasks, [True] * len(rows), taken, best)
    assert found.mean.estimate >= 1
    assert found.median == median(a / b for a, b in zip(taken, best, strict=True))
    assert not math.isnan(found.median)
