"""Least expected times: two solvers and a recursion agree, and regrets add up to what a policy loses."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from herobench.suites.rpg.journey.plan import luck_seeds
from herobench.suites.rpg.journey.road import HERE, GearKind, Limits, Monster, Region, Road
from herobench.suites.rpg.journey.task import Dials
from herobench.suites.rpg.journey.walk import Position, Step, act, outcomes, start
from herobench.task_gen.rpg.journey.draw import draw_road
from herobench.task_gen.rpg.journey.regrets import best_policy, find_regret, follow, mean_regret
from herobench.task_gen.rpg.journey.sweeps import expected_time
from herobench.task_gen.rpg.journey.values import BackwardSolver
from tests.sizes import for_each, many, one_in
from tests.suites.rpg.journey.roads import all_dials, expected_by_recursion, random_position, risky_road

RISKY_DIALS = [replace(dials, chance="on") for dials in all_dials(4)]
CLOSE = 1e-9


@for_each("seed", range(many(100, 15)))
def test_both_solvers_agree_with_a_recursion_that_tries_every_action(seed: int) -> None:
    road = risky_road(Random(seed))
    least = expected_by_recursion(road, start(road))
    assert BackwardSolver(road).least == pytest.approx(least, abs=CLOSE)
    assert expected_time(road) == pytest.approx(least, abs=CLOSE)


@for_each("seed", range(many(100, 15)))
def test_the_values_are_right_in_every_position(seed: int) -> None:
    chance = Random(f"position/{seed}")
    road = risky_road(chance)
    position, solver = random_position(chance, road), BackwardSolver(road)
    time = solver.time(solver.region(position.region), position)
    assert time == pytest.approx(expected_by_recursion(road, position), abs=CLOSE)


@pytest.mark.parametrize("dials", one_in(12, RISKY_DIALS))
def test_the_solvers_agree_on_drawn_roads(dials: Dials) -> None:
    road = draw_road("agree", dials)
    assert BackwardSolver(road).least == pytest.approx(expected_time(road), abs=CLOSE)


def test_gear_that_is_not_carried_never_pays_however_dear_camps_are() -> None:
    """A bow would save seven camps, but nothing makes one. It hardly ever breaks."""
    limits = Limits(bag=2, places=2, hearts=9, uses=1, crafting=1, rest=1, camp=99, breaks=99)
    foes = tuple(Monster(code, 99, 13, "fire", HERE) for code in ("ogre", "orc"))
    road = Road(limits, {"bow": GearKind(9, "air", ("ash", "ash"))}, (Region(HERE, HERE, (), foes, None, None),), None)
    least = expected_by_recursion(road, start(road))
    assert BackwardSolver(road).least == pytest.approx(least, abs=CLOSE)
    assert expected_time(road) == pytest.approx(least, abs=CLOSE)


def test_chance_makes_another_least_time_than_certain_wounds_do() -> None:
    """The solver does not take the worst outcome, nor the best, for certain."""
    road = draw_road("mean", Dials(4, "maps", 1, 2, "on"))
    least = BackwardSolver(road).least
    walks = follow(road, best_policy(BackwardSolver(road), road), [f"{number}" for number in range(64)])
    times = [sum(step.time for step in steps) for steps in walks]
    assert min(times) < least < max(times)


@pytest.mark.parametrize("seed", range(many(40, 8)))
def test_expected_regrets_are_what_a_policy_takes_over_the_least_time(seed: int) -> None:
    road = risky_road(Random(f"regret/{seed}"))
    solver = BackwardSolver(road)
    policy = best_policy(solver, road, sight=1)

    def regret_from(position: Position) -> float:
        if position.region == len(road.regions):
            return 0.0
        call = policy(position)
        time, worst = act(road, position, call)  # type: ignore[misc]
        step = Step(call, time, position, worst)
        behind = sum(chance * regret_from(after) for chance, after in outcomes(road, step))
        return find_regret(solver, solver.region(position.region), step) + behind

    takes = expected_by_recursion(road, start(road), policy)
    assert solver.least + regret_from(start(road)) == pytest.approx(takes, abs=CLOSE)


def test_the_best_policy_has_no_regret_with_any_luck_and_short_sight_has() -> None:
    road = draw_road("best", Dials(6, "hand", 1, 2, "on"))
    solver, lucks = BackwardSolver(road), luck_seeds("best")
    losses = [mean_regret(solver, follow(road, best_policy(solver, road, sight), lucks)) for sight in (None, 6, 2, 1)]
    assert losses[:2] == [0, 0]
    assert 0 < losses[2] < losses[3]


def test_the_mean_of_regrets_has_less_noise_than_the_times_of_walks() -> None:
    road = draw_road("noise", Dials(6, "hand", 1, 1, "on"))
    solver = BackwardSolver(road)
    policy = best_policy(solver, road, 1)
    walks = follow(road, policy, luck_seeds("noise"))
    regrets = [mean_regret(solver, [steps]) for steps in walks]
    times = [sum(step.time for step in steps) for steps in walks]
    assert max(regrets) - min(regrets) < max(times) - min(times)
    assert mean_regret(solver, walks) == pytest.approx(sum(regrets) / len(regrets))
