"""The search against plain search, which tries every plan action by action: what it claims is true."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from herobench.rpg.content import load_rules
from herobench.rpg.episode import FINISHED, Episode
from herobench.rpg.game import Game
from herobench.rpg.scoring import score
from herobench.rpg.task import Task
from herobench.rpg.world import World
from herobench.task_gen.oracle import planner, search_bound
from herobench.task_gen.oracle.dresses import Dresses
from herobench.task_gen.oracle.growth import Growth
from herobench.task_gen.oracle.hunting import hunting
from herobench.task_gen.oracle.jobs import Jobs
from herobench.task_gen.oracle.lower_bound import Wins, lower_bound
from herobench.task_gen.oracle.order import Order
from herobench.task_gen.oracle.other_ways import OtherWays
from herobench.task_gen.oracle.planner import length, oracle_plan
from herobench.task_gen.oracle.steps import as_code, play
from herobench.task_gen.oracle.work import Work
from tests.builders import hero_row
from tests.plays import drake_task
from tests.sizes import many, some_slow
from tests.task_gen.made import tasks
from tests.task_gen.oracle.riddles import PlainSearch, riddle

rules = load_rules()
SEEDS = range(24)
LONG = {0, 1, 2, 3, 8, 9, 17, 18}
"""Riddles that take plain search a second or more."""


@cache
def solved(seed: int) -> tuple[int, int]:
    """The length of the oracle's plan for a riddle, and the bound for it."""
    world, task = riddle(seed)
    actions = length(oracle_plan(world, rules, task))
    return actions, search_bound.search_bound(world, rules, task, actions)


@pytest.mark.parametrize("seed", some_slow(SEEDS, LONG))
def test_no_plan_is_shorter_than_the_bound(seed: int) -> None:
    actions, bound = solved(seed)
    shortest = PlainSearch(*riddle(seed)).shortest(actions)
    assert shortest is not None
    assert bound <= shortest <= actions


def test_nearly_all_plans_are_proven_and_many_of_them_only_by_the_search() -> None:
    """Where order and dress matter as much as in these, the counts prove few."""
    proven = [seed for seed in SEEDS if solved(seed)[0] == solved(seed)[1]]
    counted = [seed for seed in proven if lower_bound(riddle(seed)[0], rules, riddle(seed)[1]) == solved(seed)[0]]
    assert len(proven) > 0.9 * len(SEEDS)
    assert len(counted) < len(proven)


def test_some_plans_of_the_search_are_shorter_than_the_quick_ones() -> None:
    quick = {seed: length(planner._Planner(riddle(seed)[0], rules, riddle(seed)[1]).quick_plan()) for seed in SEEDS}
    assert sum(solved(seed)[0] < quick[seed] for seed in SEEDS) > 3


def order_at_best(world: World, task: Task) -> Order:
    work = Work.of(world, task)
    wins = Wins.of(world, rules, task, work)
    ways = OtherWays(world, rules, task, work, wins)
    skills = {skill: progress[0] for skill, progress in task.hero.skills.items()}
    jobs = Jobs(world, rules, task, work, hunting(world, rules, work.hunted, task.target), skills, ways.parts())
    growth = Growth.at_most(world, rules, task, wins.each, 2)
    return Order(jobs, Dresses(world, rules, task, ways.gear(10)), growth)


@pytest.mark.parametrize("seed", range(30))
def test_the_estimate_is_consistent_and_nothing_at_a_goal(seed: int) -> None:
    order = order_at_best(*riddle(seed))
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


def test_the_steps_come_in_the_same_order_in_every_process() -> None:
    """Sets of strings have another order in each process, which may not be seen in plans."""
    code = (
        "from tests.task_gen.oracle.riddles import *\n"
        "from herobench.task_gen.oracle.steps import as_code\n"
        "print([as_code(oracle_plan(world, rules, task)) for world, task in riddles(12)])"
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
    return next(seed for seed in SEEDS if solved(seed)[1] > lower_bound(riddle(seed)[0], rules, riddle(seed)[1]))


def test_a_search_that_hits_its_limit_gives_a_bound_that_is_lower_and_not_below_the_counts() -> None:
    seed = searched_seed()
    world, task = riddle(seed)
    actions, whole = solved(seed)
    bounds = [search_bound.search_bound(world, rules, task, actions, limit) for limit in range(40)]
    assert bounds == sorted(bounds)
    assert bounds[0] >= lower_bound(world, rules, task)
    assert bounds[0] < whole == bounds[-1]


def test_where_the_search_for_a_plan_hits_its_limit_the_quick_plan_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    def quick(seed: int) -> str:
        return as_code(planner._Planner(*riddle_args(seed)).quick_plan())

    def riddle_args(seed: int) -> Any:
        world, task = riddle(seed)
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
    world, task = riddle(seed)
    game = play(oracle_plan(world, rules, task), Game(world, rules, task.hero))
    judged = score(task, world, rules, Episode(tuple(game.events), FINISHED))
    assert (judged.outcome, judged.score) == ("win", 100)
    assert [event for event in game.events if not event.ok] == []
    assert len(game.events) == solved(seed)[0]


def test_generated_tasks_are_proven_mostly_and_never_beyond_their_plans(classic: World) -> None:
    proven = 0
    made = tasks(classic, many(90, 36))
    for task in made:
        assert task.certificate is not None
        proven += task.certificate.optimal
        assert task.certificate.lower_bound <= task.certificate.actions
    assert proven > 0.85 * len(made)
