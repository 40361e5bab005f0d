"""Faults of known kind and place, planted in certified plans."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import pytest

from herobench.analysis.suites.rpg.repair.edits import apply_edits, edit_kinds
from herobench.analysis.suites.rpg.repair.repair import Repair, repair
from herobench.task_gen.rpg.oracle.distance import Resumption
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
    """A plan with planted faults, and its repair."""

    plan: Faulty
    repair: Repair


def mended(least: int, most: int, count: int, seed: int) -> Iterator[Mended]:
    """Repair lost plans, and check what is proven of each."""
    for plan in lost_plans(least, most, FAULTS, count, seed):
        found = repair(start_position(plan.task), plan.calls, certified(plan.task))
        check(plan, found)
        yield Mended(plan, found)


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
def test_where_three_edits_are_known_of_a_short_plan_it_is_known_whether_two_win() -> None:
    """For three of these plans, more calls have to be played than for any other."""
    found = mended(8, 15, 200, seed=1)
    assert all(one.repair.is_exact for one in found if len(one.repair.edits or ()) <= 3)


def _is_alike(plan: Faulty, found: Repair) -> bool:
    """Return whether the edits have the places and kinds of those that take the planted faults away."""
    at = [edit.at for edit in found.edits or ()], list(found.kinds)
    return at == ([edit.at for edit in plan.edits], edit_kinds(plan.calls, plan.edits))
