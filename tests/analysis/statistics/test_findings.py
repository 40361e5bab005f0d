"""The figures of samples, and what success costs, on figures that can be checked by hand."""

from __future__ import annotations

import pytest

from herobench.analysis.statistics.findings import (
    efficiency,
    find,
    groups,
    per_10k_tokens,
    per_success,
)
from tests.analysis.samples.samples import as_table, sample
from tests.sizes import for_each


def test_tokens_are_those_of_measured_samples() -> None:
    samples = as_table(sample("1/1", True, tokens=100), sample("1/2", None, tokens=900))
    assert find("run", samples).tokens.estimate == 100


def test_groups_are_in_the_order_of_numbers_also_beside_what_only_looks_like_one() -> None:
    names = ("²", "10", "9", "1.5", ".", "x")
    samples = as_table(*(sample(f"{name}/1", True) for name in names))
    assert [group.name for group in groups(samples, "bracket")] == ["1.5", "9", "10", ".", "x", "²"]


def test_numbers_in_names_count_as_numbers() -> None:
    names = ("level 16-31", "level 8-15", "level 128-255", "level 1")
    samples = as_table(*(sample(f"{name}/1", True) for name in names))
    found = [group.name for group in groups(samples, "bracket")]
    assert found == ["level 1", "level 8-15", "level 16-31", "level 128-255"]


def test_success_per_tokens_is_averaged_over_brackets() -> None:
    found = per_10k_tokens("11123", [1, 0, 0, 1, 0], [1000, 3000, 2000, 500, 100])
    assert found == pytest.approx(((1 / 3) / 2000 + 1 / 500 + 0) / 3 * 10_000)


def test_a_bracket_without_tokens_is_not_averaged() -> None:
    assert per_10k_tokens("123", [1, 1, 1], [100, None, 0]) == 100.0
    assert per_10k_tokens("12", [1, 1], [None, 0]) is per_10k_tokens([], [], []) is None


def test_what_was_not_measured_is_left_out_with_its_tokens() -> None:
    assert per_10k_tokens("11", [1, None], [100, 300]) == 100.0


@for_each(
    ("wins", "amounts", "expected"),
    [
        ([1, 0, True, False], [0.5, 0.25, 0.25, 0.5], 0.75),
        ([1, None], [300, 200], 500.0),  # what was not measured was paid for
        ([0, 0], [3, 4], None),
        ([], [], None),
        ([1, 1, 0], [100, None, 100], 200.0),  # an unknown amount is not taken for nothing
        ([1, 1], [None, None], None),
    ],
)
def test_a_success_costs_the_total_by_the_wins(
    wins: list[float | None], amounts: list[float | None], expected: float | None
) -> None:
    assert per_success(wins, amounts) == expected


def test_efficiency_is_over_wins_with_a_known_oracle() -> None:
    found = efficiency([1, 1, 1, 0, 1, 1], [20, 40, 12, 1, 7, 9], [10, 10, 12, 1, None, 0])
    assert found == pytest.approx((2.0 + 4.0 + 1.0) / 3)
    assert efficiency([0, None], [3, 4], [3, 4]) is None
