"""Roads: their exact values agree with the general search of all actions, and so do traps and regrets."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest

from herobench.pddl import SearchLimits
from herobench.pddl.relaxation import LmCut
from herobench.pddl.search import a_star
from herobench.suites.epoch import Level, load_level
from herobench.suites.epoch.game.level import DATASET, load_levels
from herobench.suites.epoch.game.world import EpochWorld, level_world
from herobench.suites.epoch.making.distance import measure_distance
from herobench.suites.epoch.making.generator import LevelQuery, level
from herobench.suites.epoch.making.prover import play_plan
from herobench.suites.epoch.making.road import NotRoad, Road
from herobench.suites.epoch.making.traps import find_regrets
from herobench.suites.epoch.making.values import MISSED, RoadValues, level_values
from tests.sizes import for_each, many

SHORT = LevelQuery(gates=(2,), reach=(1,), limit=(1.0,), seed=5)


def values_of(road: Level) -> RoadValues:
    values = level_values(road)
    assert values
    return values


def plain_turns(world: EpochWorld, state: int, goal: int, bound: int | None = None) -> int | None:
    """The least number of actions from a state to a goal, by a search that tries all of them; None if there is none."""
    estimate = LmCut(world.grounded.actions, goal, free=world.edition.rule_names)
    found = a_star(world.tool_actions, state, goal, bound, SearchLimits(400_000), estimate, world.rules.closure)
    assert found.proven
    return None if found.plan is None else len(found.plan)


def states_on(world: EpochWorld, chance: Random, count: int) -> list[int]:
    """The states of a random walk without turning back."""
    states = [world.initial]
    for _ in range(count):
        fresh = [after for _, after in world.choices(states[-1]) if after not in states]
        states += [chance.choice(fresh)] if fresh else []
    return states


@for_each("number", range(1, many(20, 4)))
def test_the_value_of_a_state_is_what_a_search_of_all_actions_finds(number: int) -> None:
    values = values_of(level(SHORT, number))
    world = values.road.world
    for state in states_on(world, Random(number), 30)[:: many(5, 15)]:
        value, true = values.value(state), plain_turns(world, state, world.grounded.goal)
        assert (value if value < MISSED else None) == true
        if value >= MISSED:
            gates = [plain_turns(world, state, world.mask(f"(raised {gate})")) for gate in values.road.gates]
            assert value == MISSED * gates.count(None) + max((turns for turns in gates if turns is not None), default=0)


@for_each("number", range(1, many(20, 4)))
def test_the_turns_to_the_next_gate_are_what_a_search_of_all_actions_finds(number: int) -> None:
    values = values_of(level(SHORT, number))
    world = values.road.world
    for state in states_on(world, Random(number), 12)[::4]:
        if values.road.gate(state) == 0:
            true = plain_turns(world, state, world.mask("(raised gate-1)"))
            assert values.near(state) == (MISSED if true is None else true)


def test_a_trap_brings_the_next_gate_nearer_and_no_way_on_wins_in_time() -> None:
    for number in range(1, many(12, 4)):
        road = level(replace(SHORT, limit=(1.3,)), number)
        world = level_world(road)
        for trap in road.traps:
            game = play_plan(road, road.reference_plan[: trap.turn - 1])
            after = play_plan(road, [*road.reference_plan[: trap.turn - 1], trap.action])
            assert after.clock == trap.turn, "the action is carried out"
            left = road.max_steps - trap.turn
            assert plain_turns(world, after.state, world.grounded.goal, left) is None
            gate = world.mask(game.missing[0])
            assert plain_turns(world, after.state, gate) == (plain_turns(world, game.state, gate) or 0) - 1
            missed = [text for text in after.missing if plain_turns(world, after.state, world.mask(text)) is None]
            assert trap.late == (not missed)


def test_regrets_add_up_to_the_turns_over_the_least() -> None:
    road = level(LevelQuery(gates=(4,), reach=(2,), seed=2), 1)
    values, chance = values_of(road), Random(0)
    world, state, actions = values.road.world, values.road.world.initial, []
    while not world.grounded.is_goal(state):
        alive = [choice for choice in world.choices(state) if values.value(choice[1]) < MISSED]
        action, state = chance.choice(alive) if len(actions) < 20 else values.best_choice(state)
        actions.append(action)
    regrets = find_regrets(values, [*actions[:5], None, *actions[5:]])
    assert regrets[5] == 1, "a refused action costs its turn"
    assert sum(filter(None, regrets)) == len(actions) + 1 - road.optimal
    assert min(regret for regret in regrets if regret is not None) == 0


def test_a_turn_that_puts_the_goal_out_of_reach_has_no_regret_and_is_the_last() -> None:
    road = next(
        level(SHORT, number) for number in range(1, 9) if not all(trap.late for trap in level(SHORT, number).traps)
    )
    trap = next(trap for trap in road.traps if not trap.late)
    world = level_world(road)
    plan = [*road.reference_plan[: trap.turn - 1], trap.action, *road.reference_plan[trap.turn :]]
    actions = [next(one for one in world.tool_actions if str(one) == text) for text in plan]
    assert find_regrets(values_of(road), actions) == [0] * (trap.turn - 1) + [None]
    lost = measure_distance(play_plan(road, plan[: trap.turn]))
    assert lost.least == float("inf")


def test_along_the_reference_plan_each_turn_is_a_step_nearer() -> None:
    for road in list(load_levels(DATASET).values())[: many(12, 4)]:
        values = values_of(road)
        states = [play_plan(road, road.reference_plan[:turn]).state for turn in range(0, road.optimal, 7)]
        turns = [values.value(state) for state in states]
        assert all(before - after == 7 for before, after in pairwise(turns))
        assert turns[0] == measure_distance(road.start()).least == road.optimal


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("(:goal (and (raised gate-2)))", "(:goal (and (raised gate-1)))", "the goal is not that the last gate"),
        ("(path yard-1-past court-1-past)", "(path yard-1-past court-2-past)", "is in two sections"),
        ("(path yard-1-past court-1-past)", "(path yard-1-past court-1-present)", "or two people walk there"),
        (
            "(beyond gate-1 arch-1-past court-2-past)",
            "(beyond gate-1 arch-1-past court-1-past)",
            "-1-past is in two sections",
        ),
        ("- character", "rival - character", "there are not 3 people"),
        ("(booth ", "(booth arch-1-past) (linked arch-1-past court-1-present) (booth ", "before a gate"),
    ],
)
def test_a_level_that_is_no_road_is_refused_with_the_reason(old: str, new: str, reason: str) -> None:
    road = level(SHORT, 1)
    assert old in road.problem
    other = replace(road, problem=road.problem.replace(old, new, 1))
    with pytest.raises(NotRoad, match=reason):
        Road(level_world(other))
    assert level_values(other) is None


def test_a_published_level_has_no_values() -> None:
    assert level_values(load_level("L01")) is None
