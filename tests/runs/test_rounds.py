"""What a lane takes over from the lanes before, when both choose their tasks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from herobench.adaptive.goal import Goal
from herobench.runs.refusals import RunFault
from herobench.runs.rounds import Rounds, Shared
from tests.refusals import raises
from tests.sizes import for_each

LENGTHS = {f"t{number}": float(length) for number, length in enumerate(np.geomspace(4, 4000, 360))}


def played(horizon: float, shared: Shared | None = None) -> dict[str, Any]:
    """The run.json of a lane in which all shorter tasks are won and all longer ones lost."""
    # the first lane has another order of tasks of one length, so that equal ones are no accident
    names = list(LENGTHS) if shared else [*reversed(LENGTHS)]
    rounds = Rounds(Goal(tasks=40), {name: LENGTHS[name] for name in names}, 1, [], shared=shared)
    done: dict[tuple[str, int], bool] = {}
    while chosen := rounds.next(done, None):
        done |= {(task, 0): LENGTHS[task] <= horizon for task in chosen}
    return {"rounds": rounds.chosen, "sessions": [{"until": rounds.as_row(done, [])}]}


def tasks(manifest: Mapping[str, Any]) -> set[str]:
    return {task for each in manifest["rounds"] for task in each}


@for_each("horizon", [20.0, 60.0, 200.0])
def test_a_lane_asks_what_the_lane_before_was_asked_and_begins_near_its_horizon(horizon: float) -> None:
    before = played(20.0)
    alone, after = played(horizon, Shared()), played(horizon, Shared.by([before]))
    assert len(tasks(after) & tasks(before)) >= len(tasks(alone) & tasks(before)) + 3
    assert LENGTHS[after["rounds"][0][0]] == pytest.approx(before["sessions"][0]["until"]["horizon"] / 4, rel=0.2)
    assert after["sessions"][0]["until"]["horizon"] == pytest.approx(horizon, rel=0.3)


def test_a_lane_takes_over_from_all_lanes_before_and_the_horizon_of_the_last_that_has_one() -> None:
    first, second, begun = played(20.0), played(60.0), {"sessions": [{}], "rounds": [["t0"]]}
    shared = Shared.by([first, second, begun, {"sessions": []}])
    assert set(shared.tasks) == tasks(first) | tasks(second) | {"t0"}
    assert shared.horizon == second["sessions"][0]["until"]["horizon"]
    assert Shared.by([]) == Shared()


def test_tasks_that_a_lane_does_not_have_are_left_out() -> None:
    rounds = Rounds(Goal(tasks=40), LENGTHS, 1, [], shared=Shared(("gone", "t9"), 20.0))
    assert "gone" not in rounds.next({}, None)


def test_a_resumed_run_keeps_a_task_that_was_made_longer_than_the_goal_allows() -> None:
    kept = Rounds(Goal(tasks=40), LENGTHS, 1, [["t1", "made/9"]], tasks=("t1", "made/9"))
    assert kept.asked(()) == ["t1", "made/9"]
    assert kept.next({("t1", 0): True, ("made/9", 0): False}, None)
    with raises(RunFault.ROUND_WITHOUT_TASK, "made/9"):
        Rounds(Goal(tasks=40), LENGTHS, 1, [["t1", "made/9"]], tasks=("t1",))
