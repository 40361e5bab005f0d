"""The search bound against an exhaustive search that tries every plan, action by action; growth and other ways."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from functools import cache
from itertools import permutations
from random import Random
from typing import Any

import pytest

from herobench.suites.rpg.game.episode import FINISHED, Episode
from herobench.suites.rpg.game.game import Game
from herobench.suites.rpg.game.hero import Hero
from herobench.suites.rpg.game.scoring import score
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.worlds.content import load_rules
from herobench.task_gen.rpg.oracle import planner
from herobench.task_gen.rpg.oracle.gathering import NeededItems, plan_hunts
from herobench.task_gen.rpg.oracle.job_order import Growth, JobGraph, JobOrder
from herobench.task_gen.rpg.oracle.loadouts import TaskLoadouts
from herobench.task_gen.rpg.oracle.planner import (
    OtherWays,
    Wins,
    is_searchable,
    length,
    lower_bound,
    oracle_plan,
    search_bound,
)
from herobench.task_gen.rpg.oracle.steps import as_code, play
from tests.builders import Json, hero_row, tiny_task
from tests.plays import drake_task
from tests.sizes import for_each, some_slow
from tests.task_gen.rpg.changed import material, monster, thing, with_more
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
    return actions, search_bound(world, rules, task, actions)


def counted_bound(seed: int) -> int:
    """Return the bound without the search."""
    world, task = ordering_task(seed)
    return lower_bound(world, rules, task)


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
    quick = []
    for world, task in map(ordering_task, SEEDS):
        quick.append(length(planner._Planner(world, rules, task).quick_plan()))
    assert sum(solved(seed)[0] < without for seed, without in zip(SEEDS, quick, strict=True)) > 3


def order_at_best(world: World, task: Task) -> JobOrder:
    work = NeededItems.of(world, task)
    wins = Wins.of(world, rules, task, work)
    ways = OtherWays(world, rules, task, work, wins)
    skills = {skill: progress[0] for skill, progress in task.hero.skills.items()}
    jobs = JobGraph(world, rules, task, work, plan_hunts(world, rules, work.hunted, task.target), skills, ways.parts())
    growth = Growth.at_most(world, rules, task, wins.each, 2)
    return JobOrder(jobs, TaskLoadouts(world, rules, task, ways.gear(10)), growth)


@for_each("seed", range(30))
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
        "print([as_code(oracle_plan(world, rules, task)) for world, task in map(ordering_task, range(12))])"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={"PYTHONHASHSEED": seed}
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(found) == 1


def test_a_search_that_hits_its_limit_gives_a_bound_that_is_lower_and_not_below_the_counts() -> None:
    seed = next(seed for seed in SEEDS if solved(seed)[1] > counted_bound(seed))
    world, task = ordering_task(seed)
    actions, whole = solved(seed)
    bounds = [search_bound(world, rules, task, actions, limit) for limit in range(40)]
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
    assert is_searchable(tiny, rules, task)
    assert not is_searchable(tiny, replace(rules, drops="by_rate"), task)
    fed = drake_task(tiny, hero=hero_row(worn={"blade": "twig"}, consumables=tonic()))
    assert not is_searchable(tiny, rules, fed)
    beginner = {**hero_row()["skills"], "digging": {"level": 1, "xp": 0, "next_level_xp": 150}}
    unskilled = drake_task(tiny, hero=hero_row(worn={"blade": "twig"}, skills=beginner))
    assert not is_searchable(tiny, rules, unskilled)
    for other in (fed, unskilled):
        assert search_bound(tiny, rules, other, 1000) == lower_bound(tiny, rules, other)


def tonic() -> dict[str, Any]:
    return {"consumable1": {"item": "tonic", "quantity": 1}}


@for_each("seed", SEEDS)
def test_the_plan_wins_with_the_full_score_and_nothing_is_refused(seed: int) -> None:
    world, task = ordering_task(seed)
    game = play(oracle_plan(world, rules, task), Game(world, rules, task.hero))
    judged = score(task, world, rules, Episode(tuple(game.events), FINISHED))
    assert (judged.outcome, judged.score) == ("win", 100)
    assert [event for event in game.events if not event.ok] == []
    assert len(game.events) == solved(seed)[0]


WINS = {"rat": 9, "wall": 7, "drake": 5}


def beginner(world: World, **hero: Any) -> Task:
    return tiny_task(world, hero=hero_row(**hero))


@for_each("edition", ["standard", "paper-early"])
@for_each("seed", range(20))
def test_no_order_of_victories_teaches_more_or_less_than_is_said(tiny: World, seed: int, edition: str) -> None:
    chance, rules = Random(seed), load_rules(edition)
    task = beginner(tiny, level=chance.randint(1, 18), xp=chance.randint(0, 149))
    spare = chance.randint(0, 6)
    most = Growth.at_most(tiny, rules, task, WINS, spare)
    least = Growth.at_least(tiny, rules, task, WINS)
    for order in permutations(WINS):
        hero = Hero(tiny, task.hero)
        before = hero.hp
        for _ in range(spare):
            hero.learn_from_victory(tiny.monsters["drake"].level, rules)
        poor = Hero(tiny, task.hero)
        for number, who in enumerate(order, 1):
            for _ in range(WINS[who]):
                hero.learn_from_victory(tiny.monsters[who].level, rules)
                poor.learn_from_victory(tiny.monsters[who].level, rules)
            beaten = frozenset(order[:number])
            assert hero.hp - before <= most.extra_hp(beaten)
            assert least.extra_hp(beaten) <= poor.hp - before
        assert hero.combat.level <= most.level


def test_the_first_levels_are_counted_to_the_victory(tiny: World) -> None:
    """A victory gives 50 experience, and the first level takes 150."""
    rules, task = load_rules(), beginner(tiny)
    assert [Growth.at_most(tiny, rules, task, {"rat": wins}, 0).level for wins in (0, 2, 3)] == [10, 10, 11]
    assert [Growth.at_most(tiny, rules, task, {"rat": 1}, spare).level for spare in (1, 2)] == [10, 11]
    assert Growth.at_most(tiny, rules, task, {"rat": 3}, 0).extra_hp(frozenset(["rat"])) == rules.hp_per_level
    assert Growth.at_most(tiny, rules, task, {"rat": 3}, 0).extra_hp(frozenset()) == 0


def ways(world: World, missing: dict[str, str], **hero: Any) -> OtherWays:
    task = tiny_task(world, missing=missing, hero=hero_row(**hero))
    work = NeededItems.of(world, task)
    return OtherWays(world, rules, task, work, Wins.of(world, rules, task, work))


def test_what_can_be_had_in_one_way_only_has_no_other(tiny: World) -> None:
    assert ways(tiny, {"blade": "bar_sword", "coat": "fur_coat"}).parts() == {}


def test_what_is_in_the_bag_is_there_for_nothing(tiny: World) -> None:
    assert ways(tiny, {"blade": "bar_sword"}, inventory={"bar": 1}).parts() == {"bar": 0}


def test_what_is_worn_is_a_part_only_where_something_is_made_of_it() -> None:
    world = with_more(items=[material("horn", brick=1), thing("helm", "coat", {"hp": 9}, rag=1, horn=1), rag()])
    assert ways(world, {"coat": "helm"}, worn={"coat": "rag"}).parts() == {"rag": 0}
    assert ways(world, {"coat": "rag"}, worn={"coat": "rag"}).parts() == {}


def rag() -> Json:
    return thing("rag", "coat", {"hp": 1}, clay=1)


def test_a_drop_of_the_target_or_of_someone_else_takes_a_stop_and_a_fight() -> None:
    scaly = monster("lizard", {"scale": 1})
    world = with_more(items=[thing("mail", "coat", {"hp": 9}, scale=1)], monsters=[scaly])
    assert ways(world, {"coat": "mail"}).parts() == {"scale": 2}


def test_what_two_monsters_drop_takes_one_more_victory_where_all_of_it_goes_into_one_thing() -> None:
    """Two hounds give two bones each for an item of four; with two items of two, one can be made after one hound."""
    hounds = [monster("hound", {"bone": 2}), monster("wolf", {"bone": 2})]
    whole = with_more(items=[material("bone"), thing("mail", "coat", {"hp": 9}, bone=4)], monsters=hounds)
    assert ways(whole, {"coat": "mail"}).parts() == {"bone": 1}
    parted = with_more(
        items=[
            material("bone"),
            thing("mail", "coat", {"hp": 9}, bone=2),
            thing("bone_blade", "blade", {"attack_heat": 9}, bone=2),
        ],
        monsters=hounds,
    )
    assert ways(parted, {"coat": "mail", "blade": "bone_blade"}).parts() == {"bone": 0}


def test_other_gear_costs_what_comes_to_the_work(tiny: World) -> None:
    """A broth needs fur, which is hunted anyway, and salt, which the task does not sell."""
    fur = {"coat": "fur_coat"}
    assert ways(tiny, {"blade": "bar_sword", **fur}).gear(1) == 4  # pearls: go, gather, craft and put on
    assert ways(tiny, fur, inventory={"pearl_charm": 1}).gear(1) == 1
    assert ways(tiny, {**fur, "charm1": "pearl_charm"}).gear(1) == 1  # the second of two charms
    assert ways(tiny, {**fur, "charm1": "pearl_charm", "charm2": "pearl_charm"}).gear(1) == 2  # and off again
