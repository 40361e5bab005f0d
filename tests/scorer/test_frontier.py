"""A frontier draws tasks that a policy wins about half of the time, and has no state but the verdicts."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from math import log
from random import Random
from statistics import fmean
from typing import Any

import pytest

from herobench.scorer import Frontier, Scorer, TaskQuery
from herobench.scorer.refusals import ScorerFault
from herobench.suite.refusals import SuiteFault
from tests.refusals import raises
from tests.sizes import some_slow

LENGTHS = {f"t{number}": 4 * 1000 ** (number / 359) for number in range(360)}


def wins(rng: Random, task_ids: Sequence[str], horizon: float, slope: float, lapse: float) -> list[tuple[str, bool]]:
    """What a policy wins. The log-odds of its success fall by `slope` with each doubling."""
    chances = [(1 - lapse) / (1 + (LENGTHS[task_id] / horizon) ** (slope / log(2))) for task_id in task_ids]
    return [(task_id, rng.random() < chance) for task_id, chance in zip(task_ids, chances, strict=True)]


@pytest.mark.slow
@pytest.mark.parametrize("slope", some_slow([1.0, 2.0, 3.0], {1.0, 3.0}))
@pytest.mark.parametrize("lapse", [0.0, 0.05])
def test_a_policy_that_learns_wins_about_half_of_what_is_drawn(slope: float, lapse: float) -> None:
    """Its horizon grows from 16 to 1,024, by a tenth of a doubling with each batch."""
    rng, frontier, shares = Random(1), Frontier(LENGTHS, seed=7), []
    for batch in range(70):
        horizon = 16 * 2 ** (max(0, batch - 10) / 10)
        verdicts = wins(rng, frontier.draw(64), horizon, slope, lapse)
        shares.append(fmean(won for _, won in verdicts))
        frontier.tell(verdicts)
    assert all(0.35 <= fmean(shares[first : first + 5]) <= 0.65 for first in range(5, 65, 5)), shares
    assert 1 / 1.5 <= frontier.horizon / 1024 <= 1.5


def test_a_policy_that_forgets_is_followed_too() -> None:
    rng, frontier = Random(2), Frontier(LENGTHS)
    for batch in range(60):
        frontier.tell(wins(rng, frontier.draw(32), 1000 if batch < 20 else 30, 2.0, 0.0))
    assert 20 <= frontier.horizon <= 45


def test_a_frontier_made_of_the_same_verdicts_draws_the_same_tasks() -> None:
    rng, frontier = Random(3), Frontier(LENGTHS, seed=7)
    for _ in range(8):
        told = wins(rng, frontier.draw(16), 100, 1.0, 0.0)
        rng.shuffle(told)
        frontier.tell(told)
    in_other_order = [rng.sample(batch, len(batch)) for batch in frontier.batches]
    again = Frontier(dict(reversed(LENGTHS.items())), 7, in_other_order)
    assert (again.draw(40), again.horizon) == (frontier.draw(40), frontier.horizon)
    assert frontier.draw(40) == frontier.draw(40), "a draw changes nothing"
    assert frontier.draw(40)[:9] == frontier.draw(9)
    assert Frontier(LENGTHS, 8, frontier.batches).draw(40) != frontier.draw(40)


def test_tasks_come_once_while_there_are_enough_and_the_least_told_first() -> None:
    few = {name: LENGTHS[name] for name in list(LENGTHS)[:8]}
    frontier = Frontier(few)
    assert sorted(frontier.draw(8)) == sorted(few)
    assert len(frontier.draw(20)) == 20
    frontier.tell([("t0", True), ("t1", True), ("t2", False)])
    assert not {"t0", "t1", "t2"} & set(frontier.draw(3))


def test_attempts_at_one_task_count_as_one_and_unmeasured_ones_for_nothing() -> None:
    once, often = Frontier(LENGTHS), Frontier(LENGTHS)
    once.tell([("t100", 0.25)])
    often.tell([("t100", False), ("t100", None), ("t100", False), ("t100", True), ("t100", False), ("t200", None)])
    assert (often.horizon, often.draw(30)) == (once.horizon, once.draw(30))


def test_what_a_frontier_cannot_take_is_refused() -> None:
    with raises(ScorerFault.EMPTY_FRONTIER):
        Frontier({})
    with raises(ScorerFault.BAD_LENGTH, "a", "0"):
        Frontier({"a": 0, "b": 1})
    with raises(ScorerFault.NOT_IN_FRONTIER, "nope", "360"):
        Frontier(LENGTHS).tell([("nope", True)])


@pytest.mark.parametrize(
    ("verdict", "fault", "fact"),
    [
        (("t1", "yes"), ScorerFault.BAD_SHARE, "'t1' is \"yes\""),
        (("t1", 2), ScorerFault.BAD_SHARE, "2"),
        (("t1", float("nan")), ScorerFault.BAD_SHARE, "NaN"),
        (("t1", [True]), ScorerFault.BAD_SHARE, "[true]"),
        ("t1", ScorerFault.BAD_PAIR, "t1"),
        (("t1",), ScorerFault.BAD_PAIR, "t1"),
        ((1, True), ScorerFault.BAD_PAIR, "[1, true]"),
    ],
)
def test_a_wrong_verdict_is_refused_and_changes_nothing(verdict: Any, fault: ScorerFault, fact: str) -> None:
    frontier = Frontier(LENGTHS)
    with raises(fault, fact):
        frontier.tell([("t2", True), verdict])
    assert frontier.batches == []


def test_the_lengths_of_tasks_are_their_decisions_and_rooms_have_none(with_toy: None) -> None:
    with Scorer(TaskQuery(suite="rpg", limit="12", jobs=1)) as scorer:
        assert list(scorer.lengths) == list(scorer.tasks)
        assert all(2 <= length <= 500 for length in scorer.lengths.values())
    with Scorer(TaskQuery(suite="treasure", limit="1")) as scorer, raises(SuiteFault.NO_LENGTHS, "treasure"):
        _ = scorer.lengths


def test_a_frontier_loads_no_library_that_a_trainer_may_pin() -> None:
    code = "import sys; from herobench.scorer import Frontier; Frontier({'a': 4}).draw(2)"
    check = "assert not {'openai', 'numpy', 'pandas', 'typer'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", f"{code}\n{check}"], check=True)
