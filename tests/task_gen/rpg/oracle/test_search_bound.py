"""The search bound against an exhaustive search that tries every plan, action by action."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from herobench.suites.rpg.game.events import FINISHED, Episode
from herobench.suites.rpg.game.game import Game
from herobench.suites.rpg.game.scoring import score
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.worlds.content import load_rules
from herobench.task_gen.rpg.oracle import planner, search_bound
from herobench.task_gen.rpg.oracle.gathering import plan_hunts
from herobench.task_gen.rpg.oracle.job_order import Growth, JobGraph, JobOrder
from herobench.task_gen.rpg.oracle.loadouts import Loadouts
from herobench.task_gen.rpg.oracle.lower_bound import Wins, lower_bound
from herobench.task_gen.rpg.oracle.planner import length, oracle_plan
from herobench.task_gen.rpg.oracle.requirements import NeededItems
from herobench.task_gen.rpg.oracle.search_bound import OtherWays
from herobench.task_gen.rpg.oracle.steps import as_code, play
from tests.builders import hero_row
from tests.plays import drake_task
from tests.sizes import many, some_slow
from tests.task_gen.rpg.made import tasks
from tests.task_gen.rpg.oracle.ordering_tasks import PlainSearch, ordering_task

rules = load_rules()
SEEDS = range(24)
LONG = {*range(6), 8, 9, 14, 16, 17, 18, 20}
"""Riddles that take plain search half a second or more."""


@cache
def solved(seed: int) -> tuple[int, int]:
    """Return the length of the oracle's plan for a task, and the bound for it."""
    world, task = ordering_task(seed)
    actions = length(oracle_plan(world, rules, task))
    return actions, search_bound.search_bound(world, rules, task, actions)


def counted_bound(seed: int) -> int:
    """Return the bound without the search."""
    world, task = ordering_task(seed)
    return lower_bound(world, rules, task)


def quick_length(seed: int) -> int:
    """Return the length of the plan without the search."""
    world, task = ordering_task(seed)
    return length(planner._Planner(world, rules, task).quick_plan())


@pytest.mark.parametrize("seed", some_slow(SEEDS, LONG))
def test_no_plan_is_shorter_than_the_bound(seed: int) -> None:
    actions, bound = solved(seed)
    shortest = PlainSearch(*ordering_task(seed)).shortest(actions)
    assert shortest is not None
    assert bound <= shortest <= actions


def test_nearly_all_plans_are_proven_and_many_of_them_only_by_the_search() -> None:
    """In tasks where order and gear matter this much, the counts alone prove few plans."""
    proven = [seed for seed in SEEDS if solved(seed)[0] == solved(seed)[1]]
    counted = [seed for seed in proven if counted_bound(seed) == solved(seed)[0]]
    assert len(proven) > 0.9 * len(SEEDS)
    assert len(counted) < len(proven)


def test_some_plans_of_the_search_are_shorter_than_the_quick_ones() -> None:
    quick = {seed: quick_length(seed) for seed in SEEDS}
    assert sum(solved(seed)[0] < quick[seed] for seed in SEEDS) > 3


def order_at_best(world: World, task: Task) -> JobOrder:
    work = NeededItems.of(world, task)
    wins = Wins.of(world, rules, task, work)
    ways = OtherWays(world, rules, task, work, wins)
    skills = {skill: progress[0] for skill, progress in task.hero.skills.items()}
    jobs = JobGraph(world, rules, task, work, plan_hunts(world, rules, work.hunted, task.target), skills, ways.parts())
    growth = Growth.at_most(world, rules, task, wins.each, 2)
    return JobOrder(jobs, Loadouts(world, rules, task, ways.gear(10)), growth)


@pytest.mark.parametrize("seed", range(30))
def test_the_estimate_is_consistent_and_nothing_at_a_goal(seed: int) -> None:
    order = order_at_best(*ordering_task(seed))
    left, seen = [order.start], {order.start}
    goals = 0
    while left and len(seen) < 3000:
        state = left.pop()
        goals += order.is_goal(state)
        assert not order.is_goal(state) or order.estimate(state) == 0
        for cost, then in order.steps(state):
            assert order.estimate(state) <= cost + order.estimate(then)
            if then not in seen:
                seen.add(then)
                left.append(then)
    assert goals


@pytest.mark.slow
def test_the_steps_come_in_the_same_order_in_every_process() -> None:
    """The order of a set of strings differs between processes, and must not show in plans."""
    code = (
        "from tests.task_gen.rpg.oracle.ordering_tasks import *\n"
        "from herobench.task_gen.rpg.oracle.steps import as_code\n"
        "print([as_code(oracle_plan(world, rules, task)) for world, task in ordering_tasks(12)])"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={"PYTHONHASHSEED": seed}
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(found) == 1


# -- the limit, and what the search does not know ---------------------------------------------------------------------


def searched_seed() -> int:
    return next(seed for seed in SEEDS if solved(seed)[1] > counted_bound(seed))


def test_a_search_that_hits_its_limit_gives_a_bound_that_is_lower_and_not_below_the_counts() -> None:
    seed = searched_seed()
    world, task = ordering_task(seed)
    actions, whole = solved(seed)
    bounds = [search_bound.search_bound(world, rules, task, actions, limit) for limit in range(40)]
    assert bounds == sorted(bounds)
    assert bounds[0] >= lower_bound(world, rules, task)
    assert bounds[0] < whole == bounds[-1]


def test_where_the_search_for_a_plan_hits_its_limit_the_quick_plan_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    def quick(seed: int) -> str:
        return as_code(planner._Planner(*riddle_args(seed)).quick_plan())

    def riddle_args(seed: int) -> Any:
        world, task = ordering_task(seed)
        return world, rules, task

    shorter = next(seed for seed in SEEDS if as_code(oracle_plan(*riddle_args(seed))) != quick(seed))
    monkeypatch.setattr(planner, "LIMIT", 0)
    assert as_code(oracle_plan(*riddle_args(shorter))) == quick(shorter)


def test_of_chance_rising_skills_and_food_the_search_knows_nothing(tiny: World) -> None:
    task = drake_task(tiny)
    assert search_bound.is_searchable(tiny, rules, task)
    assert not search_bound.is_searchable(tiny, replace(rules, drops="by_rate"), task)
    fed = drake_task(tiny, hero=hero_row(worn={"blade": "twig"}, consumables=tonic()))
    assert not search_bound.is_searchable(tiny, rules, fed)
    beginner = {**hero_row()["skills"], "digging": {"level": 1, "xp": 0, "next_level_xp": 150}}
    unskilled = drake_task(tiny, hero=hero_row(worn={"blade": "twig"}, skills=beginner))
    assert not search_bound.is_searchable(tiny, rules, unskilled)
    for other in (fed, unskilled):
        assert search_bound.search_bound(tiny, rules, other, 1000) == lower_bound(tiny, rules, other)


def tonic() -> dict[str, Any]:
    return {"consumable1": {"item": "tonic", "quantity": 1}}


# -- plans of full score ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", SEEDS)
def test_the_plan_wins_with_the_full_score_and_nothing_is_refused(seed: int) -> None:
    world, task = ordering_task(seed)
    game = play(oracle_plan(world, rules, task), Game(world, rules, task.hero))
    judged = score(task, world, rules, Episode(tuple(game.events), FINISHED))
    assert (judged.outcome, judged.score) == ("win", 100)
    assert [event for event in game.events if not event.ok] == []
    assert len(game.events) == solved(seed)[0]


@pytest.mark.slow
def test_generated_tasks_are_proven_mostly_and_never_beyond_their_plans(classic: World) -> None:
    proven = 0
    made = tasks(classic, many(90, 36))
    for task in made:
        assert task.certificate is not None
        proven += task.certificate.optimal
        assert task.certificate.lower_bound <= task.certificate.actions
    assert proven > 0.85 * len(made)
