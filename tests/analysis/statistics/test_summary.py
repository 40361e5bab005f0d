from statistics import pstdev
from typing import Any

import pytest

from herobench.analysis.statistics.tally import GroupSum, SampleTally
from herobench.analysis.suites.rpg.flat_rows import bracket_in_id


def row(task: str, score: float = 0.0, **changes: Any) -> dict[str, Any]:
    """What the summary reads of a sample."""
    base = {
        "group": bracket_in_id(task),
        "won": False,
        "score": score,
        "progress": score,
        "output_tokens": None,
        "failure": "gear",
    }
    return {**base, **changes}


def win(task: str, **changes: Any) -> dict[str, Any]:
    return row(task, 100.0, won=True, failure=None, **changes)


def test_rows_are_added_up_by_bracket_and_over_all() -> None:
    tally = SampleTally([win("1/a"), row("1/b", 50.0, progress=80.0), row("2/a", 0.0, failure="other")])
    sums = {name: (group.count, group.wins, group.score, group.progress) for name, group in tally.groups()}
    assert sums == {"1": (2, 1, 150.0, 180.0), "2": (1, 0, 0.0, 0.0)}
    assert (tally.overall.count, tally.overall.wins, tally.overall.score) == (3, 1, 150.0)
    assert tally.overall.failures == {"gear": 1, "other": 1}


def test_a_bracket_is_what_stands_before_the_first_slash() -> None:
    assert bracket_in_id("1/2/3") == "1"
    tally = SampleTally([row("1/2/3"), row("none"), row("/x")])
    assert [(name, group.count) for name, group in tally.groups()] == [("1", 1), ("all", 2)]


def test_brackets_are_in_the_order_of_their_numbers() -> None:
    tally = SampleTally(row(f"{bracket}/x") for bracket in (10, 9, 1, 2, 11))
    assert [name for name, _ in tally.groups()] == ["1", "2", "9", "10", "11"]


def test_only_known_tokens_are_averaged() -> None:
    tally = SampleTally([row("1/a", output_tokens=10), row("1/b"), row("1/c", output_tokens=0), row("2/a")])
    assert (tally.overall.tokens, tally.overall.with_tokens) == (10, 2)
    assert tally.table1()["tokens"] == 5.0


def test_only_known_progress_is_averaged() -> None:
    tally = SampleTally([row("1/a", progress=10.0), row("1/b", progress=None)])
    assert (tally.overall.progress, tally.overall.with_progress, tally.overall.count) == (10.0, 1, 2)


def test_table_1_averages_the_brackets_not_the_answers() -> None:
    tally = SampleTally(
        [
            win("1/a", output_tokens=4),
            win("1/b", output_tokens=8),
            win("1/c", output_tokens=6),
            row("2/a", 40.0, output_tokens=10),
        ]
    )
    assert tally.table1() == {"success": 50.0, "score": 70.0, "score_sd": 30.0, "tokens": 8.0, "tokens_sd": 2.0}


def test_table_1_has_the_deviation_of_a_population() -> None:
    scores = [10.0, 20.0, 60.0]
    tally = SampleTally(row(f"{bracket}/x", score) for bracket, score in enumerate(scores))
    assert tally.table1()["score_sd"] == pytest.approx(pstdev(scores))


def test_without_rows_or_tokens_there_is_nothing_to_average() -> None:
    nothing = dict.fromkeys(("success", "score", "score_sd", "tokens", "tokens_sd"))
    assert SampleTally().table1() == nothing
    assert SampleTally().overall == GroupSum()
    assert SampleTally([row("1/a", 30.0)]).table1() == {**nothing, "success": 0.0, "score": 30.0}


def test_rows_can_be_added_one_at_a_time() -> None:
    rows = [win("1/a"), row("2/b", 12.5)]
    tally = SampleTally()
    for one in rows:
        tally.add(one)
    assert tally.table1() == SampleTally(rows).table1()
