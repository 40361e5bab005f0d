"""Samples that are added up while they come in: sums, the horizon, and the terms."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable, Mapping
from math import nan
from typing import Any

from herobench.adaptive.goal import LEAST_TASKS
from herobench.analysis.reading.contract import Reading
from herobench.analysis.statistics.horizon import count_trials, horizon_in
from herobench.analysis.statistics.tally import (
    CountedAttempts,
    GroupSum,
    SampleTally,
    SeparatingValues,
    WonMinutes,
    minutes_facts,
    minutes_of_wins,
)
from herobench.analysis.suites.rpg.reading import bracket_in_id
from herobench.data.columns import SAMPLE, blank
from tests.analysis.statistics.simulated import ladder
from tests.sizes import for_each


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


def test_without_rows_or_tokens_there_is_nothing_to_average() -> None:
    nothing = dict.fromkeys(("success", "score", "score_sd", "tokens", "tokens_sd"))
    assert SampleTally().table1() == nothing
    assert SampleTally().overall == GroupSum()
    assert SampleTally([row("1/a", 30.0)]).table1() == {**nothing, "success": 0.0, "score": 30.0}


LENGTHS = [float(length) for length in ladder(60)]


class Long(Reading):
    """Tasks with a length, which the plan has no part in."""

    length = "steps"

    def facts(self, long_sample: Mapping[str, Any]) -> Mapping[str, Any]:
        assert long_sample["events"] is None, "events are long, and say nothing of the length"
        return {"steps": long_sample["details"]["steps"]}


def long_sample(number: int, steps: float | None, won: bool | None, epoch: int = 0) -> dict[str, Any]:
    told = {"task_id": str(number), "epoch": epoch, "won": won, "status": "unmeasured" if won is None else "ok"}
    return {**blank(SAMPLE), **told, "suite": "long", "details": {"steps": steps}, "events": {"schema": 1}}


def gathered(samples: Iterable[Mapping[str, Any]], reading: Reading) -> CountedAttempts:
    attempts = CountedAttempts(reading)
    for each in samples:
        attempts.add(each)
    return attempts


def test_the_horizon_is_that_of_all_samples_at_once() -> None:
    samples = [
        long_sample(number, None if number == 7 else steps, None if number == 8 else steps < 100 or number == 55, epoch)
        for epoch in range(2)
        for number, steps in enumerate(LENGTHS)
    ]
    found = gathered(samples, Long()).horizon
    assert found is not None
    assert (found.verdict, found.unmeasured, found.without_length) == ("determined", 2, 2)
    tasks = [each["task_id"] for each in samples]
    wins = [None if each["won"] is None else float(each["won"]) for each in samples]
    assert found == horizon_in(count_trials(tasks, [each["details"]["steps"] for each in samples], wins))


@for_each(
    "more",
    [[], [long_sample(0, 4, True, 1)], [long_sample(99, None, True)], [long_sample(99, 4, None)]],
)
def test_with_fewer_tasks_than_a_verdict_needs_there_is_none(more: list[dict[str, Any]]) -> None:
    few = [long_sample(number, 4.0 + number, number < 20) for number in range(LEAST_TASKS - 1)]
    assert gathered([*few, *more], Long()).horizon is None
    assert gathered([*few, *more, long_sample(100, 9, False)], Long()).horizon is not None


def test_adding_up_loads_no_numpy() -> None:
    found = "from herobench.analysis.statistics.tally import SampleTally; SampleTally().table1()"
    code = f"import sys; {found}; print('numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


class Apart(Reading):
    """Separates by two columns, one of which is not always known, and has a fact that takes the events."""

    settings: Mapping[str, str] = {"terms_of": "terms", "hall": "halls"}
    separates = ("terms_of", "hall")

    def facts(self, sample: Mapping[str, Any]) -> Mapping[str, Any]:
        assert sample["events"] is None, "events are long, and say nothing of the terms"
        return {"terms_of": sample["details"]["terms"], "hall": sample["details"].get("hall"), "won": sample["won"]}


def terms_in(reading: Reading, *details: Mapping[str, Any]) -> str:
    terms = SeparatingValues()
    for each in details:
        terms.add(sample_with(each), reading)
    return terms.words


def sample_with(details: Mapping[str, Any], model: str = "one") -> dict[str, Any]:
    return {"suite": "apart", "model": model, "won": True, "details": details, "events": {"schema": 1}}


def test_the_value_that_all_samples_share_is_named() -> None:
    assert terms_in(Apart(), {"terms": "hard", "hall": "b"}, {"terms": "hard", "hall": "b"}) == (
        "help: bare, terms of: hard, hall: b"
    )


def test_of_several_values_each_is_named_and_where_they_are_apart() -> None:
    assert terms_in(Apart(), {"terms": "hard", "hall": "b"}, {"terms": "easy", "hall": "b"}) == (
        "help: bare, terms: easy and hard, added up here; herobench analyze shows them apart, hall: b"
    )


def test_what_is_not_known_is_named_so() -> None:
    assert terms_in(Apart(), {"terms": "hard"}) == "help: bare, terms of: hard, hall: unknown"


def test_a_suite_that_separates_nothing_has_a_lane_alone_and_no_sample_has_nothing() -> None:
    assert terms_in(Reading(), {"terms": "hard", "mode": "tools"}) == "help: tools"
    assert terms_in(Apart()) == ""


def test_samples_of_several_lanes_are_mixed_and_each_lane_is_named() -> None:
    terms = SeparatingValues()
    for model in ("one", "oracle"):
        terms.add(sample_with({}, model), Reading())
    assert terms.mixed
    assert terms.words == "help: bare and solver, added up here; herobench analyze shows them apart"
    merged = SeparatingValues()
    merged.merge(terms.as_row(), Reading())
    assert merged.words == terms.words


def test_samples_are_mixed_where_one_column_has_several_values() -> None:
    terms = SeparatingValues()
    assert not terms.mixed
    for hall in ("a", "a", "b"):
        assert not terms.mixed
        terms.add({**sample_with({"terms": "hard", "hall": hall}), "events": None}, Apart())
    assert terms.mixed


def test_minutes_are_medians_of_wins_in_each_doubling_of_the_lengths() -> None:
    attempts = [(4.0, 1.0, 60.0), (7.0, 1.0, 120.0), (5.0, 1.0, 600.0), (5.0, 0.0, 6.0), (8.0, 1.0, 300.0)]
    unknown = [(None, 1.0, 60.0), (8.0, 1.0, None), (8.0, None, 60.0), (nan, 1.0, 1.0), (8.0, 1.0, nan)]
    found = minutes_of_wins([*attempts, *unknown])
    assert found == [WonMinutes(4, 7, 3, 2.0), WonMinutes(8, 15, 1, 5.0)]
    assert minutes_facts(found, "decisions") == {
        "minutes, 4 to 7 decisions": "2.0 (median of 3 won)",
        "minutes, 8 to 15 decisions": "5.0 (median of 1 won)",
    }
    assert minutes_of_wins([(5.0, 0.0, 6.0)]) == []
