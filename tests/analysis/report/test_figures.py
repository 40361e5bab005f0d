"""The figures, with both readings of what was not measured."""

import pytest

from herobench.analysis.report.figures import Figures, mean, rate, token_bins
from herobench.analysis.suites.rpg.reading import RpgReading
from tests.analysis.report.made import LAZY, REFUSED, sample, task, unmeasured, without_events
from tests.builders import Json
from tests.made_runs import changed
from tests.plays import WINNING

READING = RpgReading()


def tell_rows(*rows: Json) -> Json:
    figures = Figures()
    for row in rows:
        figures.add(row, READING.cause(row), READING.facts(row))
    return figures.as_row()


def test_what_was_not_measured_counts_in_one_reading_and_not_in_the_other() -> None:
    told = tell_rows(sample(task(1), WINNING), sample(task(2), LAZY), unmeasured(task(3)), unmeasured(task(4)))
    assert (told["attempts"], told["count"], told["unmeasured"], told["wins"]) == (4, 2, 2, 1)
    assert (told["rate"], told["of_all"]["rate"]) == (0.5, 0.25)
    assert told["score_of_all"]["mean"] == pytest.approx(told["score"]["mean"] / 2)
    assert told["score"]["low"] < told["score"]["mean"] < told["score"]["high"]
    assert told["low"] < 0.5 < told["high"]
    assert (told["cost"], told["with_cost"]) == (0.02, 2)
    assert told["cost_per_win"] == pytest.approx(0.02 / told["wins"])
    assert (sum(told["failures"].values()), told["causes"]) == (1, {"gear_left_out": 1})


def test_where_nothing_was_measured_there_is_no_rate() -> None:
    told = tell_rows(unmeasured(task(1)))
    nothing = (told["rate"], told["low"], told["score"]["mean"], told["progress"]["mean"], told["tokens"], told["cost"])
    assert nothing == (None,) * 6
    assert told["of_all"]["rate"] == 0
    assert told["groups"][0][0] == "1"


def test_brackets_are_in_the_order_of_their_numbers_and_have_their_own_causes() -> None:
    told = tell_rows(sample(task(1, "10"), LAZY), sample(task(1, "9"), WINNING), sample(task(1), REFUSED))
    causes = [(name, bracket["causes"]) for name, bracket in told["groups"]]
    assert causes == [("1", {"wrong_tile_workshop": 1}), ("9", {}), ("10", {"gear_left_out": 1})]


def test_losses_without_events_have_no_cause() -> None:
    told = tell_rows(without_events(sample(task(1), LAZY)), sample(task(2), WINNING))
    assert (told["count"], told["wins"], told["causes"]) == (2, 1, {})


def test_token_bins_hold_everybody_once() -> None:
    pairs = [(tokens, float(tokens % 2 == 0), str(tokens)) for tokens in range(65)]
    bins = token_bins(pairs)
    assert len(bins) == 6
    assert sum(one["count"] for one in bins) == 65
    assert sum(one["wins"] for one in bins) == 33
    assert [one["least"] for one in bins] == sorted(one["least"] for one in bins)
    assert len(token_bins(pairs[:7])) == 1
    assert token_bins([]) == []


def test_a_rate_of_nothing_is_not_known() -> None:
    nothing = dict.fromkeys(("low", "high"))
    assert rate([], []) == {"wins": 0, "count": 0, "rate": None, **nothing}
    assert mean(["a"], [None]) == {"mean": None, **nothing}


def test_the_horizon_comes_with_its_curve_and_its_tasks() -> None:
    figures = Figures(length="decisions")
    rows = [sample(task(number), WINNING if number < 25 else LAZY, decisions=2 + number) for number in range(40)]
    for row in [*rows, unmeasured(task(99)), without_length(sample(task(100), LAZY))]:
        figures.add(row, None, READING.facts(row))
    told = figures.as_row()["horizon"]
    assert (told["verdict"], told["unmeasured"], told["without_length"]) == ("determined", 1, 1)
    assert 20 < told["h50"]["low"] < told["h50"]["estimate"] < told["h50"]["high"] < 34
    assert [told["curve"][end][0] for end in (0, -1)] == [pytest.approx(2), pytest.approx(41)]
    assert len(told["points"]) == 40
    assert told["points"][0] == (2.0, 1.0, 1)


def without_length(row: Json) -> Json:
    return changed(row, decisions=None)
