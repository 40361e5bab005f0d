"""The figures, with both readings of what was not measured."""

import pytest

from herobench.analysis.report.figures import Figures, rate, token_bins
from herobench.analysis.report.run import bracket_of
from tests.analysis.report.made import LAZY, sample, task, unmeasured
from tests.plays import WINNING


def test_what_was_not_measured_counts_in_one_reading_and_not_in_the_other() -> None:
    figures = Figures()
    for row in [sample(task(1), WINNING), sample(task(2), LAZY), unmeasured(task(3)), unmeasured(task(4))]:
        figures.add(row, row["failure"])
    told = figures.as_row()
    assert (told["attempts"], told["count"], told["unmeasured"], told["wins"]) == (4, 2, 2, 1)
    assert (told["rate"], told["of_all"]["rate"]) == (0.5, 0.25)
    assert told["score_of_all"] == pytest.approx(told["score"] / 2)
    assert told["low"] < 0.5 < told["high"]
    assert (told["cost"], told["with_cost"]) == (0.02, 2)
    assert sum(told["failures"].values()) == 1


def test_where_nothing_was_measured_there_is_no_rate() -> None:
    figures = Figures()
    figures.add(unmeasured(task(1)), None)
    told = figures.as_row()
    assert (told["rate"], told["score"], told["progress"], told["tokens"], told["cost"]) == (None,) * 5
    assert told["of_all"]["rate"] == 0
    assert told["brackets"][0][0] == "1"


def test_brackets_are_in_the_order_of_their_numbers() -> None:
    figures = Figures()
    for bracket in ("10", "9", "1"):
        figures.add(sample(task(1, bracket), WINNING), None)
    assert [name for name, _ in figures.as_row()["brackets"]] == ["1", "9", "10"]


def test_ids_without_a_slash_are_one_bracket() -> None:
    assert [bracket_of(name) for name in ("a", "b", "3/a/b")] == ["all", "all", "3"]


def test_token_bins_hold_everybody_once() -> None:
    pairs = [(tokens, tokens % 2 == 0) for tokens in range(65)]
    bins = token_bins(pairs)
    assert len(bins) == 6
    assert sum(one["count"] for one in bins) == 65
    assert sum(one["wins"] for one in bins) == 33
    assert [one["least"] for one in bins] == sorted(one["least"] for one in bins)
    assert len(token_bins(pairs[:7])) == 1
    assert token_bins([]) == []


def test_a_rate_of_nothing_is_not_known() -> None:
    assert rate(0, 0) == {"wins": 0, "count": 0, "rate": None, "low": 0.0, "high": 1.0}
