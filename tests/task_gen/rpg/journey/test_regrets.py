"""Regrets: what each decision made dearer, and how far one must see to take it rightly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest

from herobench.suites.rpg.journey.road import Road
from herobench.suites.rpg.journey.task import Journey
from herobench.suites.rpg.journey.walk import ACTIONS, LEAVE, Call, Position, Step, act, legal_calls, start, walk
from herobench.task_gen.rpg.journey.draw import Dials
from herobench.task_gen.rpg.journey.planners import careless_plan, greedy_plan, nearest_plan
from herobench.task_gen.rpg.journey.regrets import (
    MOST_SIGHT,
    best_calls,
    best_plan,
    find_mistakes,
    regrets,
    sights_and_reaches,
)
from herobench.task_gen.rpg.journey.values import BackwardSolver
from tests.sizes import for_each, many, one_in
from tests.suites.rpg.journey.roads import all_dials, journey, least_by_search, random_position, small_road


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


def finish(solver: BackwardSolver, road: Road, position: Position) -> int:
    """The time of the best actions from a position to the end, carried out one by one."""
    time = 0
    while position.region < len(road.regions):
        number, values = position.region, solver.region(position.region)
        while position.region == number:
            call, _ = best_calls(solver, road, values, position)[0]
            cost, position = act(road, position, call)  # type: ignore[misc]
            time += cost
    return time


def assert_sound(solver: BackwardSolver, road: Road, plan: Sequence[Call]) -> None:
    """No regret of a plan is negative, and all add up to what its walk takes over the least, finished at its best."""
    taken = walk(road, plan)
    amounts = list(regrets(solver, taken.steps))
    assert all(amount >= 0 for amount in amounts), (plan, amounts)
    assert sum(amounts) == taken.time + finish(solver, road, taken.position) - solver.least
    mistakes = find_mistakes(solver, road, taken.steps)
    assert {mistake.action: mistake.regret for mistake in mistakes} == {
        number: amount for number, amount in enumerate(amounts) if amount
    }
    assert all(1 <= mistake.reach <= MOST_SIGHT + 1 for mistake in mistakes)


def solved(made: Journey) -> BackwardSolver:
    return BackwardSolver(made.road)


MADE = one_in(2, [((2, "maps", 1, 2),), ((2, "hand", 2, 2),), ((4, "hand", 1, 3),), ((2, "maps", 3, 3),)])


@pytest.mark.parametrize("dials", MADE)
def test_the_regrets_of_any_plan_add_up(dials: tuple[int, str, int, int]) -> None:
    made, chance = journey(*dials), Random(f"plans/{dials}")
    solver = solved(made)
    for _ in range(many(20, 3)):
        assert_sound(solver, made.road, changed_plan(chance, made.road, made.plan))
        assert_sound(solver, made.road, random_walk(chance, made.road, 40))
    for plan in (greedy_plan(made.road), nearest_plan(made.road), careless_plan(made.road, 0.2, "7"), []):
        assert_sound(solver, made.road, plan)


@pytest.mark.slow
@pytest.mark.parametrize("dials", list(all_dials(4)), ids=str)
def test_the_regrets_of_many_changed_plans_add_up(dials: Dials) -> None:
    if dials.width == 3:
        dials = Dials(2, dials.sites, 3, dials.reach)
    made, chance = journey(dials.regions, dials.sites, dials.width, dials.reach, "many"), Random("many")
    solver = solved(made)
    for _ in range(many(10_000 // 18 + 1)):
        assert_sound(solver, made.road, changed_plan(chance, made.road, made.plan))


@for_each("seed", range(many(200, 20)))
def test_a_regret_is_what_a_search_finds(seed: int) -> None:
    chance = Random(f"regrets/{seed}")
    road = small_road(chance)
    taken = walk(road, random_walk(chance, road, 12))
    least = [least_by_search(road, position) for position in (start(road), *(step.after for step in taken.steps))]
    expected = [step.time + least[number + 1] - least[number] for number, step in enumerate(taken.steps)]
    assert list(regrets(BackwardSolver(road), taken.steps)) == expected


@pytest.mark.parametrize("dials", MADE)
def test_a_best_plan_has_no_regret(dials: tuple[int, str, int, int]) -> None:
    made = journey(*dials)
    taken = walk(made.road, made.plan)
    assert (taken.arrived, taken.time) == (True, made.least)
    assert find_mistakes(solved(made), made.road, taken.steps) == []
    assert list(made.plan) == best_plan(solved(made), made.road)


def test_what_changes_nothing_is_no_best_action_even_if_it_takes_no_time() -> None:
    """Else a plan could go on without an end."""
    road = journey(2, "hand", 1, 1).road
    free = replace(road, limits=replace(road.limits, rest=0), regions=(replace(road.regions[0], inn=(0, 0)),))
    solver, position = BackwardSolver(free), start(free)
    assert act(free, position, ("rest",)) == (0, position)
    assert ("rest",) not in [call for call, _ in best_calls(solver, free, solver.region(0), position)]


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
        if act(road, position, best(road.part(0, position.region + sight))[0]) in right:
            return sight
    raise AssertionError("who sees all does what is right")


@for_each("seed", range(many(200, 20)))
def test_the_reach_of_a_decision_is_that_of_roads_cut_off_behind_it(seed: int) -> None:
    chance = Random(f"reach/{seed}")
    road = small_road(chance, 3)
    position = random_position(chance, road, 10)
    call = next(legal_calls(road, position))
    step = Step(call, *act(road, position, call)[:1], position, position)  # type: ignore[index]
    _, reaches = sights_and_reaches(BackwardSolver(road), road, [step])
    assert reaches == [plain_reach(road, position)]


@for_each("dials", [(4, "hand", 1, 3)])
def test_the_times_of_sights_are_those_of_their_plans(dials: tuple[int, str, int, int]) -> None:
    made = journey(*dials)
    sights, reaches = sights_and_reaches(solved(made), made.road, walk(made.road, made.plan).steps)
    assert (sights, tuple(reaches)) == (made.sights, made.reaches)
    plans = {sight: best_plan(solved(made), made.road, sight) for sight in range(1, MOST_SIGHT + 1)}
    assert sights == {sight: walk(made.road, plan).time for sight, plan in plans.items()}
    assert all(walk(made.road, plan).arrived for plan in plans.values())
    assert sights[1] > made.least, "who sees one region only wastes time"
    assert all(plans[sight] == list(made.plan) for sight in plans if sight >= dials[0])
