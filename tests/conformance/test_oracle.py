"""The oracle on the published tasks: it wins them all with the full score, through the sandbox, in few actions."""

from collections.abc import Iterator
from functools import cache

import pytest

from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.play.execution import JudgedEpisode, judge
from herobench.suites.rpg.sandbox import Sandbox
from herobench.suites.rpg.worlds.content import load_rules
from herobench.task_gen.rpg.oracle.planner import lower_bound, oracle_plan
from herobench.task_gen.rpg.oracle.steps import as_code
from tests.conformance.published import tasks, world

BASE, LEVELING = "tasks.json", "tasks_leveling.json"
rules = load_rules()


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox(world(), rules) as opened:
        yield opened


@cache
def solved(sandbox: Sandbox, source: str) -> list[tuple[Task, JudgedEpisode]]:
    """The tasks of a file, with what the oracle's plans came to."""
    results = []
    for task in tasks(source).values():
        code = as_code(oracle_plan(world(), task.rules(rules), task))
        results.append((task, judge(world(), task, rules, sandbox.execute(task, code))))
    return results


@pytest.mark.parametrize(("source", "count"), [(BASE, 180), (LEVELING, 20)])
def test_every_published_task_is_won_with_the_full_score(sandbox: Sandbox, source: str, count: int) -> None:
    found = solved(sandbox, source)
    assert len(found) == count
    wrong = [
        (task.id, result.score.outcome, result.score.score, result.episode.ending)
        for task, result in found
        if (result.score.outcome, result.score.score, result.episode.finished) != ("win", 100, True)
    ]
    assert wrong == []


@pytest.mark.parametrize("source", [BASE, LEVELING])
def test_no_action_is_refused(sandbox: Sandbox, source: str) -> None:
    refused = [
        (task.id, event) for task, result in solved(sandbox, source) for event in result.episode.events if not event.ok
    ]
    assert refused == []


def test_no_plan_for_a_base_task_could_be_shorter(sandbox: Sandbox) -> None:
    """Every one of them is as short as the lower bound."""
    lengths = {task.id: len(result.episode.events) for task, result in solved(sandbox, BASE)}
    bounds = {task.id: lower_bound(world(), rules, task) for task in tasks(BASE).values()}
    assert lengths == bounds
    assert sum(lengths.values()) == 14_820


def test_leveling_takes_more_actions_than_the_bound_counts(sandbox: Sandbox) -> None:
    for task, result in solved(sandbox, LEVELING):
        assert lower_bound(world(), rules, task) <= len(result.episode.events), task.id
