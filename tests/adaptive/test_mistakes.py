"""Runs that are to know the decisions between mistakes: when they stop, and how long their tasks are."""

from __future__ import annotations

import pytest

from herobench.adaptive.goal import Goal
from herobench.adaptive.mistakes import LEAST_TASKS, ROUND, Between, Tally, measure_between, next_round, reason_to_stop
from tests.sizes import for_each

FACTOR = Goal(factor=2.0)
LENGTHS = {f"{length}/{number}": float(length) for length in (2, 4, 8, 16, 32) for number in range(20)}


def test_what_few_tasks_tell() -> None:
    assert measure_between([]) == Between(None, None, None)
    assert measure_between([Tally(40, 8, 1.0)]) == Between(5.0, None, None)
    estimate, low, high = measure_between([Tally(40, 0, 1.0), Tally(60, 0, 1.0)])
    assert (estimate, high) == (None, None)
    assert low == pytest.approx(100 / 7.38, rel=0.01), "Garwood's upper end for no event, of events that come in pairs"


def test_a_run_stops_at_its_factor_or_its_number_of_tasks() -> None:
    many, few = [Tally(100, 5, 1.0)] * LEAST_TASKS, [Tally(100, 50, 1.0)] * (LEAST_TASKS - 1)
    assert measure_between(many).factor < 2
    assert reason_to_stop(FACTOR, many) == "factor"
    assert reason_to_stop(Goal(factor=1.5), many) is None
    assert reason_to_stop(FACTOR, few) is None, "nobody knows whether mistakes cluster"
    assert reason_to_stop(Goal(factor=2, tasks=len(few)), few) == "tasks"
    assert reason_to_stop(FACTOR, [Tally(100, 0, 1.0)] * 40) is None


def ask(longest: float, rate: float, rounds: int, goal: Goal = FACTOR) -> tuple[dict[str, Tally], list[list[float]]]:
    """What so many rounds ask of a model that gets to the end of tasks up to a length, and the lengths of each."""
    tallies, lengths = dict[str, Tally](), list[list[float]]()
    for _ in range(rounds):
        tasks = next_round(goal, LENGTHS, tallies, tallies)
        lengths.append([LENGTHS[task] for task in tasks])
        for task in tasks:
            decisions = int(6 * min(LENGTHS[task], longest))
            tallies[task] = Tally(decisions, round(rate * decisions), float(LENGTHS[task] <= longest))
    return tallies, lengths


@for_each(
    ("longest", "expected"),
    [(40, [2, 4, 8, 16, 32, 32]), (8, [2, 4, 8, 16, 8, 8]), (2, [2, 4, 2, 2, 2, 2]), (1, [2, 2, 2, 2, 2, 4])],
)
def test_tasks_become_longer_until_the_model_does_not_get_through(longest: float, expected: list[int]) -> None:
    _, lengths = ask(longest, 0.001, 6)
    assert [each[0] for each in lengths] == expected
    assert {len(each) for each in lengths} == {ROUND}


@for_each(
    ("longest", "expected"),
    [
        (40, [[2], [4], [8], [16], [32] * 4, [32] * 4]),
        (8, [[2], [4], [8], [16], [16], [8], [8]]),
        (1, [[2], [2], [2], [2]]),
    ],
)
def test_of_few_tasks_most_are_as_long_as_the_model_can(longest: float, expected: list[list[float]]) -> None:
    assert ask(longest, 0.001, len(expected), Goal(tasks=10))[1] == expected


@for_each(("rate", "expected"), [(0.3, [2, 2]), (0.1, [2, 4, 8, 8]), (0.02, [2, 4, 8, 16, 32])])
def test_for_a_factor_no_task_is_longer_than_one_with_a_few_mistakes(rate: float, expected: list[int]) -> None:
    assert [each[0] for each in ask(40, rate, len(expected))[1]] == expected
    of_each_length = [[2], [4], [8], [16], [32] * 4]
    assert ask(40, rate, 5, Goal(tasks=10))[1] == of_each_length, "a few tasks hold as many decisions as they can"


def test_other_lengths_take_the_place_of_those_that_are_all_asked() -> None:
    _, lengths = ask(40, 0.0, 26)
    assert sorted(length for each in lengths for length in each) == sorted(LENGTHS.values())
    assert lengths[-1] == []


def test_the_last_round_asks_no_more_than_the_goal_needs() -> None:
    tallies, _ = ask(40, 0.05, 4)
    assert reason_to_stop(FACTOR, tallies.values()) is None
    assert len(next_round(FACTOR, LENGTHS, tallies, tallies)) == 1
    assert len(next_round(Goal(tasks=99), LENGTHS, tallies, tallies)) == ROUND
