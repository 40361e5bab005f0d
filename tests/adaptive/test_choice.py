"""Which tasks are asked next, and when it is enough."""

from collections.abc import Mapping

import numpy as np
import pytest

from herobench.adaptive.choice import (
    ROUND,
    fit_posterior,
    next_round,
    outside,
    reason_to_stop,
    round_size,
)
from herobench.adaptive.goal import LEAST_TASKS, Goal
from tests.sizes import for_each

LENGTHS = {f"t{number}": float(length) for number, length in enumerate(np.geomspace(4, 4000, 200))}
FACTOR = Goal(factor=2.0)


def asked(horizon: float, goal: Goal = FACTOR, lengths: Mapping[str, float] = LENGTHS) -> dict[str, float]:
    """The verdicts of a model that wins all shorter tasks and loses all longer ones, until a goal is reached."""
    won: dict[str, float] = {}
    while reason_to_stop(goal, lengths, won) is None and (chosen := next_round(lengths, won, won)):
        assert not won.keys() & set(chosen), "no task twice"
        won |= {task: float(lengths[task] <= horizon) for task in chosen}
    return won


def test_the_first_round_doubles_the_length() -> None:
    found = [LENGTHS[task] for task in next_round(LENGTHS, {}, ())]
    assert found == pytest.approx([4 * 2**number for number in range(ROUND)], rel=0.15)


def test_later_rounds_ask_around_the_horizon() -> None:
    found = list(asked(100.0))[ROUND:]
    assert np.mean([50 <= LENGTHS[task] <= 200 for task in found]) > 0.6
    assert len({round(np.log2(LENGTHS[task])) for task in found}) >= 3, "and where they tell the slope"


@for_each("horizon", [5.0, 30.0, 100.0, 1500.0])
def test_a_sharp_horizon_is_found_with_the_least_tasks(horizon: float) -> None:
    won = asked(horizon)
    found = fit_posterior(LENGTHS, won).interval()
    assert len(won) == LEAST_TASKS
    assert found.low <= horizon * 1.1
    assert horizon / 1.1 <= found.high
    assert found.factor <= 2


@for_each(("horizon", "told"), [(1.0, "below the range"), (1e9, "beyond the range")])
def test_a_run_ends_when_the_horizon_is_outside_the_lengths(horizon: float, told: str) -> None:
    won = asked(horizon)
    assert reason_to_stop(FACTOR, LENGTHS, won) == told
    assert len(won) < len(LENGTHS)


def test_rounds_are_half_as_large_when_the_goal_is_near() -> None:
    won = asked(100.0)
    factor = fit_posterior(LENGTHS, won).interval().factor
    assert round_size(Goal(factor=factor * 0.97), LENGTHS, won) == ROUND // 2
    assert round_size(Goal(factor=factor * 0.6), LENGTHS, won) == ROUND
    assert round_size(Goal(factor=factor * 0.97, tasks=len(won) + 3), LENGTHS, won) == 3
    assert round_size(Goal(tasks=len(won) + 20), LENGTHS, won) == ROUND


def test_no_more_tasks_are_chosen_than_the_cost_allows() -> None:
    won = asked(100.0, Goal(tasks=2 * ROUND))
    sizes = [round_size(Goal(cost=cost), LENGTHS, won, 32.0) for cost in (32.0, 37.9, 47.0, 1000.0)]
    assert sizes == [0, 2, 7, ROUND], "each of the 16 took 2"
    assert round_size(Goal(cost=1.0), LENGTHS, won) == ROUND, "nobody knows what they took"


def test_a_horizon_among_the_asked_lengths_is_not_outside() -> None:
    assert outside(3.9, [4.0, 100.0]) == "below the range"
    assert outside(101.0, [100.0, 4.0]) == "beyond the range"
    assert outside(100.0, [4.0, 100.0]) is None
    assert outside(7.0, []) is None


def test_the_order_of_replies_changes_no_choice() -> None:
    won = asked(100.0, Goal(tasks=3 * ROUND))
    turned = dict(reversed(won.items()))
    assert next_round(LENGTHS, won, won) == next_round(LENGTHS, turned, turned)


def test_tasks_without_a_verdict_are_not_asked_again_and_tell_nothing() -> None:
    won = asked(100.0, Goal(tasks=2 * ROUND))
    lost = next_round(LENGTHS, won, won)
    after = next_round(LENGTHS, won, [*won, *lost])
    assert not set(lost) & set(after)
    assert not set(won) & set(after)


def test_the_order_of_the_tasks_is_the_seed() -> None:
    turned = dict(reversed(LENGTHS.items()))
    one, other = (next_round(lengths, {}, ()) for lengths in (LENGTHS, turned))
    assert set(one) != set(other)
    assert [LENGTHS[task] for task in one] == pytest.approx([LENGTHS[task] for task in other], rel=0.2)


def test_goals_end_a_run() -> None:
    won = asked(100.0, Goal(tasks=16))
    assert reason_to_stop(Goal(tasks=16), LENGTHS, won) == "tasks"
    assert reason_to_stop(Goal(tasks=17), LENGTHS, won) is None
    assert reason_to_stop(FACTOR, LENGTHS, asked(100.0)) == "factor"
    assert reason_to_stop(Goal(factor=1.2), LENGTHS, asked(100.0)) is None
    assert reason_to_stop(Goal(cost=1.0), LENGTHS, asked(100.0)) is None, "of the cost the run knows"


def test_when_all_are_asked_there_is_no_round() -> None:
    few = dict(list(LENGTHS.items())[::20])
    assert next_round(few, {}, list(few)) == []
    assert len(next_round(few, {}, list(few)[:-2])) == 2
    assert set(asked(100.0, lengths=few)) == set(few)


def test_tasks_of_one_length_can_be_asked() -> None:
    alike = {f"t{number}": 10.0 for number in range(60)}
    found = asked(100.0, lengths=alike)
    assert reason_to_stop(FACTOR, alike, found) == "beyond the range" or len(found) == 60


@for_each(("near", "begin"), [(200.0, 50), (20.0, 5), (1.0, 4), (1e9, 4000)])
def test_the_first_round_begins_below_a_horizon_that_is_about_known(near: float, begin: float) -> None:
    first = [LENGTHS[task] for task in next_round(LENGTHS, {}, {}, near=near)]
    assert first[0] == pytest.approx(begin, rel=0.2)
