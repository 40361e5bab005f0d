"""What the lost episodes of the published runs were lost by."""

from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from herobench.analysis.reading.contract import Found
from herobench.analysis.suites.rpg.explain import Cause
from herobench.suites.rpg.play.execution import scored_row
from herobench.suites.rpg.worlds.content import load_rules
from tests.conformance.published import RUNS, replay, runs_with, world
from tests.made_runs import cause_in

RUN = runs_with("edition")
NOWHERE = {Cause.NO_CODE, Cause.TOO_LARGE, Cause.GEAR_LEFT_OUT}
"""Causes that need no line: there is no code, or too much of it, or it does nothing at all."""


@cache
def explained(run: str) -> list[tuple[dict[str, Any], Found | None]]:
    rules = load_rules(RUNS[run]["edition"])
    rows = [scored_row(world(), task, rules, result) for _, task, result in replay(run)]
    return [(row, cause_in(row)) for row in rows]


def causes() -> Iterator[Cause]:
    """Of the lost episodes of all runs."""
    yield from (found.cause for run in RUN for _, found in explained(run) if found)


@pytest.mark.parametrize("run", RUN)
def test_a_cause_is_found_for_what_was_lost_and_for_nothing_else(run: str) -> None:
    assert all((found is None) == (row["outcome"] == "win") for row, found in explained(run))


@pytest.mark.parametrize("run", RUN)
def test_a_cause_has_a_line(run: str) -> None:
    assert {found.cause for _, found in explained(run) if found and found.line is None} <= NOWHERE


@pytest.mark.parametrize("run", RUN)
def test_code_that_did_not_run_to_its_end_and_only_that_is_lost_by_the_code(run: str) -> None:
    of_code = set(list(Cause)[: list(Cause).index(Cause.DISTRACTOR)])
    for row, found in explained(run):
        if found:
            assert (found.cause in of_code) == (row["ended"] != "finished")


def test_less_than_two_in_a_hundred_lost_episodes_are_unexplained() -> None:
    found = list(causes())
    assert len(found) > 1000
    assert found.count(Cause.UNEXPLAINED) < 0.02 * len(found)


def test_hardly_anything_that_stops_a_plan_is_some_other_error() -> None:
    found = list(causes())
    assert found.count(Cause.OTHER_ERROR) < 0.01 * len(found)
