"""The RPG's reading: what it tells of one sample after the other."""

from __future__ import annotations

import pytest

from herobench.analysis.reading.checked import fact_names, load_reading
from herobench.analysis.reading.contract import Found, possible_groupings
from herobench.analysis.samples.samples import tidy_columns
from herobench.analysis.suites.rpg.explain import Cause
from herobench.analysis.suites.rpg.reading import RpgReading, count_wasted
from herobench.data.columns import SAMPLE, blank
from herobench.suites.rpg.game.episode import read_repeats, write_trace
from herobench.suites.rpg.game.world import World
from tests.analysis.report.made import LAZY, REFUSED, sample, task, unmeasured
from tests.plays import WINNING, drake_task, played
from tests.sizes import for_each


def test_each_sample_has_its_own_cause_and_facts() -> None:
    reading = RpgReading()
    samples = [sample(task(1), play) for play in (LAZY, WINNING, REFUSED, LAZY)]
    found = [reading.cause(one) for one in samples]
    assert [one and one.cause for one in found] == [
        Cause.GEAR_LEFT_OUT, None, Cause.WRONG_TILE_WORKSHOP, Cause.GEAR_LEFT_OUT,
    ]  # fmt: skip
    assert found[2] == Found(Cause.WRONG_TILE_WORKSHOP, 6, "bar")
    assert [reading.facts(one)["wasted"] for one in samples] == [0, 0, 3, 0]
    assert [reading.facts(one)["actions"] for one in samples] == [2, 17, 10, 2]
    assert [reading.check(one) for one in samples] == [None] * 4


def test_facts_have_the_same_names_for_every_sample() -> None:
    reading = RpgReading()
    nothing = {**blank(SAMPLE), "suite": "rpg", "status": "unmeasured", "details": {}}
    names = {tuple(reading.facts(one)) for one in (sample(task(1), WINNING), unmeasured(task(2)), nothing)}
    assert len(names) == 1
    assert set(reading.separates) <= set(reading.settings)
    assert set(reading.groupings) | set(reading.settings) | set(reading.listed) | {reading.group} <= {*names.pop()}


def test_events_that_cannot_be_followed_have_no_cause_and_are_named() -> None:
    broken = {**sample(task(1), LAZY), "events": {"schema": 1, "actions": [5]}}
    reading = RpgReading()
    assert reading.check(broken) == "events as this version writes them"
    assert reading.cause(broken) is None


def test_a_suite_that_nobody_reads_has_a_plain_reading() -> None:
    assert (fact_names("elsewhere"), load_reading("elsewhere").columns) == ((), ())
    assert load_reading("rpg").columns == RpgReading.columns
    assert possible_groupings(load_reading("elsewhere")) == ["group", "model", "help"]
    assert possible_groupings(load_reading("rpg"))[:2] == ["bracket", "kind"]
    assert "bracket" in tidy_columns("rpg")
    assert "bracket" not in tidy_columns("elsewhere")


@for_each("name", ["causes", "words"])
def test_every_name_of_a_cause_is_one(name: str) -> None:
    reading = RpgReading()
    known = {*map(str, Cause), *reading.failures}
    assert set(getattr(reading, name)) <= known


@pytest.mark.parametrize(
    ("play", "count"),
    [
        pytest.param(WINNING, 0, id="a plan without detours wastes nothing"),
        pytest.param("move 0 1; gather 2", 0, id="one move to where something is done"),
        pytest.param("move 1 0; move 0 1; gather 2", 1, id="a move past"),
        pytest.param("move 1 0; move 2 0; move 0 1; gather 2", 2, id="two moves past"),
        pytest.param("move 0 1; gather 2; move 1 0", 1, id="a move at the end"),
        pytest.param("move 0 1; gather 2; move 1 0; move 2 0", 2, id="moves at the end"),
        pytest.param("gather 2; gather 2; move 0 1; gather 2", 2, id="what is refused, each time"),
        pytest.param("move 0 1; move 0 1; gather 2", 1, id="a move to where the hero stands"),
        pytest.param("move 0 1; move 1 0; craft bar 1; move 0 1; gather 1", 2, id="a detour and what is refused there"),
        pytest.param("move 2 0; fight; fight", 2, id="fights that are lost"),
        pytest.param("", 0, id="nothing at all"),
    ],
)
def test_actions_that_brought_nothing_are_counted(tiny: World, play: str, count: int) -> None:
    events = played(tiny, drake_task(tiny), play).events
    assert count_wasted(read_repeats(write_trace(events))) == count_wasted((event, 1) for event in events) == count
