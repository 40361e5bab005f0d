"""The figures of samples, and what success costs, on figures that can be checked by hand."""

from __future__ import annotations

import pytest

from herobench.analysis.reading.interval import Estimate
from herobench.analysis.statistics.findings import (
    Efficiency,
    PerSuccess,
    PerTokens,
    efficiency,
    find,
    groups,
    per_10k_tokens,
    per_success,
)
from herobench.analysis.statistics.rates import clustered_mean
from tests.analysis.samples.samples import sample, table_of


def test_tokens_are_those_of_measured_samples() -> None:
    samples = table_of(sample("1/1", True, tokens=100), sample("1/2", None, tokens=900))
    assert find("run", samples).tokens.estimate == 100


def test_groups_are_in_the_order_of_numbers_also_beside_what_only_looks_like_one() -> None:
    names = ("²", "10", "9", "1.5", ".", "x")
    samples = table_of(*(sample(f"{name}/1", True) for name in names))
    assert [group.name for group in groups(samples, "bracket")] == ["1.5", "9", "10", ".", "x", "²"]


def test_numbers_in_names_count_as_numbers() -> None:
    names = ("campaign 16-31", "campaign 8-15", "campaign 128-255", "campaign 1")
    samples = table_of(*(sample(f"{name}/1", True) for name in names))
    found = [group.name for group in groups(samples, "bracket")]
    assert found == ["campaign 1", "campaign 8-15", "campaign 16-31", "campaign 128-255"]


def test_success_per_tokens_is_averaged_over_brackets() -> None:
    found = per_10k_tokens("11123", [1, 0, 0, 1, 0], [1000, 3000, 2000, 500, 100])
    assert found == PerTokens(pytest.approx(((1 / 3) / 2000 + 1 / 500 + 0) / 3 * 10_000), 3)


def test_a_bracket_without_tokens_is_not_averaged() -> None:
    assert per_10k_tokens("123", [1, 1, 1], [100, None, 0]) == PerTokens(100.0, 1)
    assert per_10k_tokens("12", [1, 1], [None, 0]) == per_10k_tokens([], [], []) == PerTokens(None, 0)


def test_what_was_not_measured_is_left_out_with_its_tokens_or_lost_with_them() -> None:
    brackets, values, tokens = "11", [1, None], [100, 300]
    assert per_10k_tokens(brackets, values, tokens) == PerTokens(100.0, 1)
    assert per_10k_tokens(brackets, values, tokens, "lost") == PerTokens(25.0, 1)


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
