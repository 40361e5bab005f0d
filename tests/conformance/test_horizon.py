"""The horizons of the published runs. Their tasks have no certificate, so the oracle plans them here."""

from collections.abc import Mapping
from functools import cache

import pytest

from herobench.adaptive.goal import LEAST_TASKS
from herobench.analysis.statistics.horizon import Horizon, count_trials, horizon_in
from herobench.suites.rpg.game.decisions import plan_decisions
from herobench.suites.rpg.game.task import Certificate
from herobench.suites.rpg.worlds.content import load_rules
from herobench.task_gen.rpg.oracle.planner import length, oracle_plan
from herobench.task_gen.rpg.oracle.steps import as_code
from tests.builders import shared_rows
from tests.conformance.published import RUNS, tasks, world


@cache
def plan_lengths(source: str) -> Mapping[str, Mapping[str, int | None]]:
    """The length of the oracle's plan for each task of a file, by unit."""
    rules, lengths = load_rules(), {}
    for task in tasks(source).values():
        steps = oracle_plan(world(), task.rules(rules), task)
        proof = Certificate(as_code(steps), length(steps), 0, 1, 1, {})
        lengths[task.id] = {"actions": proof.actions, "decisions": plan_decisions(proof)}
    return lengths


def planned_horizon(run: str, unit: str) -> Horizon:
    """The horizon with the oracle's plans as the shortest ones."""
    lengths = {name: units[unit] for name, units in plan_lengths(RUNS[run]["tasks"]).items()}
    rows = [row for row in shared_rows(RUNS[run]) if row["task"] in lengths]
    won = [float(row["result"] == "win") for row in rows]
    return horizon_in(count_trials([row["task"] for row in rows], [lengths[row["task"]] for row in rows], won))


EXPECTED = {
    "grok-4": ("beyond the range", 0, 237, 0),
    "o3_high": ("determined", 99, 83, 120),
    "DeepSeek-R1-Distill-Llama-70B": ("determined", 14, 9, 20),
    "gpt-oss-120b": ("determined", 7, 2, 13),
}
"""Verdict, h50 and its interval in actions; what is open or has no figure is 0. The task sets end at 212 actions."""


@pytest.mark.parametrize("run", EXPECTED)
def test_a_published_run_has_its_horizon_in_actions(run: str) -> None:
    told = planned_horizon(run, "actions")
    found = (told.verdict, *(round(end or 0) for end in (told.h50.estimate, told.h50.low, told.h50.high)))
    assert found[0] == EXPECTED[run][0]
    assert found[1:] == pytest.approx(EXPECTED[run][1:], rel=0.02, abs=1)
    assert told.longest == pytest.approx(212)


@pytest.mark.parametrize("run", sorted(RUNS))
def test_every_published_run_has_a_figure_or_an_honest_verdict(run: str) -> None:
    """Twenty tasks of one bracket tell no horizon, in whatever unit."""
    for unit in ("actions", "decisions"):
        told = planned_horizon(run, unit)
        assert (told.verdict == "not determined") == (told.h50.tasks < LEAST_TASKS)
        assert (told.h50.estimate is None) == (told.verdict != "determined")
        assert told.without_length == 0


def test_a_published_task_has_fewer_decisions_than_actions() -> None:
    lengths = plan_lengths("tasks.json").values()
    assert max(told["decisions"] or 0 for told in lengths) == 68
    assert all(told["decisions"] and told["actions"] and told["decisions"] <= told["actions"] for told in lengths)
