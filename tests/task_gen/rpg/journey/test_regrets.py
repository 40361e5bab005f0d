"""Regrets: what each decision made dearer, and how far one must see to take it rightly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from herobench.suites.rpg.journey.road import Road
from herobench.suites.rpg.journey.task import Sites
from herobench.suites.rpg.journey.walk import ACTIONS, LEAVE, Call, Position, Step, act, legal_calls, start, walk
from herobench.task_gen.rpg.journey import regrets
from herobench.task_gen.rpg.journey.planners import careless_plan, greedy_plan, nearest_plan
from herobench.task_gen.rpg.journey.regrets import (
    MOST_SIGHT,
    best_plan,
    best_steps,
    judge,
    legal_steps,
)
from herobench.task_gen.rpg.journey.values import BackwardSolver
from tests.sizes import for_each, many, one_in
from tests.suites.rpg.journey.roads import journey, least_by_search, random_position, small_road


def changed_plan(chance: Random, road: Road, plan: Sequence[Call]) -> list[Call]:
    """A plan with one to three changes: calls left out, doubled, swapped, put in or cut off."""
    calls = list(plan)
    names = [*road.materials, *road.gear, *(foe.code for region in road.regions for foe in region.monsters)]
    for _ in range(chance.randint(1, 3)):
        place = chance.randrange(len(calls))
        match chance.randrange(6):
            case 0 if len(calls) > 1:
                del calls[place]
            case 1:
                calls.insert(place, calls[place])
            case 2:
                other = chance.randrange(len(calls))
                calls[place], calls[other] = calls[other], calls[place]
            case 3:
                name = chance.choice(list(ACTIONS))
                calls.insert(place, (name, *(chance.choice(names) for _ in range(ACTIONS[name]))))
            case 4:
                calls[place] = calls[place][:2] if calls[place][0] == "fight" else ("camp",)
            case 5:
                calls.insert(place, chance.choice([("rest",), ("camp",), ("drop", chance.choice(names))]))
    return calls[: chance.choice([len(calls), chance.randint(1, len(calls))])]


def random_walk(chance: Random, road: Road, most: int) -> list[Call]:
    """A plan of legal actions, each drawn from all."""
    position, plan = start(road), list[Call]()
    while len(plan) < most and (legal := list(legal_calls(road, position))):
        # gates are few among all actions, and are what leads on
        plan.append(LEAVE if LEAVE in legal and chance.random() < 0.5 else chance.choice(legal))
        position = act(road, position, plan[-1])[1]  # type: ignore[index]
    return plan


def best_time(solver: BackwardSolver, road: Road, position: Position) -> int:
    """The time of the best actions from a position to the end, carried out one by one."""
    time = 0
    while position.region < len(road.regions):
        values = solver.region(position.region)
        while position.region == values.number:
            step = best_steps(solver, values, legal_steps(road, position))[0]
            time += step.time
            position = step.after
    return time


def assert_sound(solver: BackwardSolver, road: Road, plan: Sequence[Call]) -> None:
    """No regret of a plan is negative, and all add up to what its walk takes over the least, finished at its best."""
    road_walk = walk(road, plan)
    decisions = judge(solver, road, road_walk.steps)
    assert len(decisions) == len(road_walk.steps)
    assert all(decision.regret >= 0 for decision in decisions), (plan, decisions)
    best = road_walk.time + best_time(solver, road, road_walk.position)
    assert sum(decision.regret for decision in decisions) == best - solver.least
    assert all(1 <= decision.reach <= MOST_SIGHT + 1 for decision in decisions)


DialValues = tuple[int, Sites, int, int]
ROADS: Any = one_in(2, [((2, "maps", 1, 2),), ((2, "hand", 2, 2),), ((4, "hand", 1, 3),), ((2, "maps", 3, 3),)])


@pytest.mark.parametrize("dials", ROADS)
def test_the_regrets_of_any_plan_add_up(dials: DialValues) -> None:
    task, chance = journey(*dials), Random(f"plans/{dials}")
    road, solver = task.road, BackwardSolver(task.road)
    for _ in range(many(20, 3)):
        assert_sound(solver, road, changed_plan(chance, road, task.plan))
        assert_sound(solver, road, random_walk(chance, road, 40))
    for plan in (greedy_plan(road), nearest_plan(road), careless_plan(road, 0.2, "7"), []):
        assert_sound(solver, road, plan)


def test_a_step_that_a_plan_repeats_is_judged_once(monkeypatch: pytest.MonkeyPatch) -> None:
    road, judged = journey().road, list[Position]()

    def legal_steps_of(road: Road, position: Position) -> list[Step]:
        judged.append(position)
        return legal_steps(road, position)

    monkeypatch.setattr(regrets, "legal_steps", legal_steps_of)
    decisions = judge(BackwardSolver(road), road, walk(road, [("camp",)] * 100).steps)
    assert [decision.regret for decision in decisions] == [road.limits.camp] * 100
    assert judged == [start(road)]


@for_each("seed", range(many(200, 20)))
def test_a_regret_is_what_a_search_finds(seed: int) -> None:
    chance = Random(f"regrets/{seed}")
    road = small_road(chance)
    steps = walk(road, random_walk(chance, road, 12)).steps
    least = [least_by_search(road, position) for position in (start(road), *(step.after for step in steps))]
    expected = [step.time + least[number + 1] - least[number] for number, step in enumerate(steps)]
    assert [decision.regret for decision in judge(BackwardSolver(road), road, steps)] == expected


@pytest.mark.parametrize("dials", ROADS)
def test_a_best_plan_has_no_regret(dials: DialValues) -> None:
    task = journey(*dials)
    road, solver, road_walk = task.road, BackwardSolver(task.road), walk(task.road, task.plan)
    assert (road_walk.arrived, road_walk.time) == (True, task.least)
    assert not any(decision.regret for decision in judge(solver, road, road_walk.steps))
    assert list(task.plan) == best_plan(solver, road)


def test_the_better_action_of_a_decision_has_no_regret_and_can_be_done() -> None:
    road = journey(16, "hand", 1, 1).road
    solver, plan = BackwardSolver(road), careless_plan(road, 0.3, "x")
    decisions = judge(solver, road, walk(road, plan).steps)
    assert sum(decision.regret > 0 for decision in decisions) > 5
    for number, decision in enumerate(decisions):
        better = walk(road, [*plan[:number], decision.better])
        assert better.refusal is None
        assert judge(solver, road, better.steps[number:])[0].regret == 0


def test_what_changes_nothing_is_no_choice_even_if_it_takes_no_time() -> None:
    """Else a plan could go on without an end."""
    road = journey(2, "hand", 1, 1).road
    free = replace(road, limits=replace(road.limits, rest=0), regions=(replace(road.regions[0], inn=(0, 0)),))
    position = start(free)
    assert act(free, position, ("rest",)) == (0, position)
    assert ("rest",) not in [step.call for step in legal_steps(free, position)]


def plain_reach(road: Road, position: Position) -> int:
    """The reach of a decision, from roads that are cut off behind the regions that are seen."""

    def best(seen: Road) -> list[Call]:
        least, calls = least_by_search(seen, position), []
        for call in legal_calls(seen, position):
            time, there = act(seen, position, call)  # type: ignore[misc]
            if there != position and time + least_by_search(seen, there) == least:
                calls.append(call)
        return calls

    right = {act(road, position, call) for call in best(road)}
    for sight in range(1, len(road.regions) + 1):
        if act(road, position, best(replace(road, regions=road.regions[: position.region + sight]))[0]) in right:
            return sight
    raise AssertionError("who sees all does what is right")


@for_each("seed", range(many(200, 20)))
def test_the_reach_of_a_decision_is_that_of_roads_cut_off_behind_it(seed: int) -> None:
    chance = Random(f"reach/{seed}")
    road = small_road(chance, 3)
    position = random_position(chance, road, 10)
    (decision,) = judge(BackwardSolver(road), road, legal_steps(road, position)[:1])
    assert decision.reach == plain_reach(road, position)


def test_the_times_of_sights_are_those_of_their_plans() -> None:
    task = journey(4, "hand", 1, 3)
    road, solver = task.road, BackwardSolver(task.road)
    plans = {sight: best_plan(solver, road, sight) for sight in range(1, MOST_SIGHT + 1)}
    walks = {sight: walk(road, plan) for sight, plan in plans.items()}
    assert task.sights == {sight: road_walk.time for sight, road_walk in walks.items()}
    assert all(road_walk.arrived for road_walk in walks.values())
    assert task.sights[1] > task.least, "who sees one region only wastes time"
    assert all(plans[sight] == list(task.plan) for sight in plans if sight >= 4)
    for sight, plan in plans.items():
        seen = replace(road, regions=road.regions[:sight])
        first = plan[: plan.index(LEAVE) + 1]
        assert best_plan(BackwardSolver(seen), seen)[: len(first)] == first, "he plans for what he sees"
