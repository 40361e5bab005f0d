"""Faults of known kind and place, planted in certified plans.

`python -m tests.analysis.suites.rpg.repair.test_planted N [CALLS]` prints a table of N plans by length, with so many
calls to play for each. The tests hold the same on a few plans, and on more where they are slow.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterator
from statistics import quantiles
from typing import NamedTuple

import pytest

from herobench.analysis.suites.rpg.repair.edits import apply_edits, edit_kinds
from herobench.analysis.suites.rpg.repair.repair import MOST_PLAYED, Repair, repair
from herobench.task_gen.rpg.oracle.resumption import Resumption
from tests.analysis.suites.rpg.repair.planted import (
    Faulty,
    certified,
    ends_at,
    lost_plans,
    start_position,
    wins,
)
from tests.sizes import many

FAULTS = (1, 2, 3, 4, 5)


class Mended(NamedTuple):
    """A plan with planted faults, its repair, and the CPU seconds that this took."""

    plan: Faulty
    repair: Repair
    seconds: float


def mended(least: int, most: int, count: int, seed: int, played: int = MOST_PLAYED) -> Iterator[Mended]:
    """Repair lost plans, and check what is proven of each."""
    for plan in lost_plans(least, most, FAULTS, count, seed):
        start, good = start_position(plan.task), certified(plan.task)
        began = time.process_time()
        found = repair(start, plan.calls, good, played)
        seconds = time.process_time() - began
        check(plan, found)
        yield Mended(plan, found, seconds)


def check(plan: Faulty, found: Repair) -> None:
    """Check a repair against what was planted, and against plain plays of the game."""
    start, told = start_position(plan.task), plan.task.id
    assert found.edits is not None, told
    assert 1 <= found.least <= len(found.edits) <= len(plan.edits), told
    assert wins(start, apply_edits(plan.calls, found.edits)), told
    assert len(found.kinds) == len(found.edits), told
    # the first step out of reach is the one that ends the game: right before it, the work of the task still wins
    last = ends_at(start, plan.calls)
    assert found.lost_by == (None if last is None else last + 1), told
    assert found.lost_after == (len(plan.calls) if last is None else last), told
    here = start.fork()
    for call in plan.calls[: found.lost_after]:
        here.act(call.action)
    ahead = Resumption(start, certified(plan.task)).calls(here)
    assert ahead is not None, told
    assert wins(here, ahead), told


@pytest.mark.slow
def test_planted_faults_are_undone_by_their_edits() -> None:
    for task, calls, edits in lost_plans(4, 400, FAULTS, many(40, 10), seed=6):
        good = certified(task)
        assert [call.key for call in apply_edits(calls, edits)] == [call.key for call in good]
        assert len(edits) in FAULTS


@pytest.mark.slow
def test_a_plan_with_planted_faults_takes_no_more_edits_and_is_lost_where_it_loses() -> None:
    found = [*mended(4, 30, few := many(12, 2), seed=3), *mended(30, 400, many(4, 1), seed=4)]
    assert len(found) == few + many(4, 1)
    assert all(one.repair.is_exact for one in found if len(one.repair.edits or ()) <= 2)


def test_one_planted_fault_is_found_in_its_place_with_its_kind() -> None:
    """Few plans can be won by another single edit than that which takes the fault away."""
    plans = list(lost_plans(40, 400, (1,), 12, seed=8))
    alike = [repair(start_position(plan.task), plan.calls, certified(plan.task)) for plan in plans]
    assert sum(_is_alike(plan, found) for plan, found in zip(plans, alike, strict=True)) >= 9
    assert all(found.is_exact for found in alike)


@pytest.mark.slow
def test_long_plans_with_planted_faults() -> None:
    found = list(mended(4, 4500, 80, seed=17))
    few = [one for one in found if len(one.repair.edits or ()) <= 2]
    assert sum(one.repair.is_exact for one in few) >= 0.97 * len(few)


@pytest.mark.slow
def test_where_three_edits_are_known_of_a_short_plan_it_is_known_whether_two_win() -> None:
    """For three of these plans, more calls have to be played than for any other."""
    few = _with_few_edits([*mended(8, 15, 200, seed=1)])
    assert all(one.repair.is_exact for one in few)


def _with_few_edits(found: list[Mended]) -> list[Mended]:
    """Return the plans of which at most three edits are known that win."""
    return [one for one in found if len(one.repair.edits or ()) <= 3]


def _is_alike(plan: Faulty, found: Repair) -> bool:
    """Return whether the edits have the places and kinds of those that take the planted faults away."""
    at = [edit.at for edit in found.edits or ()], list(found.kinds)
    return at == ([edit.at for edit in plan.edits], edit_kinds(plan.calls, plan.edits))


def main(count: int, played: int = MOST_PLAYED) -> None:
    """Print a row for each rung: how many plans, what is exact, and how often the edits are those that were planted."""
    rungs = [(4 << rung, (8 << rung) - 1 if rung < 9 else 4500) for rung in range(10)]
    planted, named = Counter[str](), Counter[str]()
    every: list[Mended] = []
    for number, (least, most) in enumerate(rungs):
        found = list(mended(least, most, count // 10, number, played))
        every += found
        print(f"| {least} to {most} | {' | '.join(map(str, _cells(found)))} |", flush=True)
        for plan, mending, _ in found:
            planted.update(edit_kinds(plan.calls, plan.edits))
            named.update(mending.kinds)
    print(f"| all | {' | '.join(map(str, _cells(every)))} |")
    print("planted:", dict(planted.most_common()), "\nrepaired:", dict(named.most_common()))


def _cells(found: list[Mended]) -> list[str]:
    few = _with_few_edits(found)
    bounded = [len(one.repair.edits or ()) - one.repair.least for one in found if not one.repair.is_exact]
    fewer = sum(len(one.repair.edits or ()) < len(one.plan.edits) for one in found)
    one_edit = [one for one in found if len(one.plan.edits) == 1]
    cuts = quantiles([one.seconds for one in found], n=20)
    return [
        str(len(found)),
        str(fewer),
        str(sum(one.repair.is_exact for one in found)),
        f"{sum(one.repair.is_exact for one in few)} of {len(few)}",
        f"{sum(bounded) / max(1, len(bounded)):.1f}",
        f"{sum(_is_alike(one.plan, one.repair) for one in one_edit)} of {len(one_edit)}",
        *(f"{seconds:.2f}" for seconds in (cuts[9], cuts[18], max(one.seconds for one in found))),
    ]


if __name__ == "__main__":
    main(*map(int, sys.argv[1:] or ["2000"]))
