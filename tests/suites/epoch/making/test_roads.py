"""Roads: their exact values agree with the general search of all actions, and so do traps and regrets."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest

from herobench.pddl import GroundAction
from herobench.suites.epoch import Level, load_level
from herobench.suites.epoch.game.level import DATASET, load_levels
from herobench.suites.epoch.game.world import ROAD, EpochWorld, edition, level_world
from herobench.suites.epoch.making import drawing
from herobench.suites.epoch.making.distance import measure_distance
from herobench.suites.epoch.making.generator import LevelQuery, level
from herobench.suites.epoch.making.prover import play_plan, write_call
from herobench.suites.epoch.making.road import MISSED, NotRoad, Road, level_values
from herobench.suites.epoch.making.traps import find_regrets
from herobench.suites.epoch.making.values import RoadValues
from tests.sizes import for_each, many

SHORT = LevelQuery(gates=(2,), reach=(1,), limit=(1.0,), seed=3)


def values_of(road: Level) -> RoadValues:
    values = level_values(road)
    assert values
    return values


@pytest.fixture(scope="module")
def short() -> Level:
    return level(SHORT, 1)


@pytest.fixture
def small(short: Level, monkeypatch: pytest.MonkeyPatch) -> Callable[[int], Level]:
    """Draws roads that are small enough to look at all their states."""
    for name, value in {"_STEPS": (4, 4), "METAL_COUNT": 1, "USES": 2, "_KEYS": (1, 1), "_BRANCHES": 1}.items():
        monkeypatch.setattr(drawing, name, value)

    def draw(number: int) -> Level:
        problem = drawing.RoadDraft(Random(number), 2, 1).draw()
        return replace(short, id=f"small-{number}", problem=problem, tools=edition(ROAD).tools)

    return draw


def steps_back(world: EpochWorld) -> dict[int, list[int]]:
    """For each state that can be reached the states that are one action before it."""
    before: dict[int, list[int]] = {world.initial: []}
    line = [world.initial]
    for state in line:  # grows while it is read
        for _, after in world.choices(state):
            if after not in before:
                line.append(after)
            before.setdefault(after, []).append(state)
    return before


def plain_turns(before: Mapping[int, Sequence[int]], goal: int) -> dict[int, int | None]:
    """The least number of actions from each state to one with some fact; None if there is none."""
    turns: dict[int, int | None] = dict.fromkeys(before)
    turns |= (ends := {state: 0 for state in before if state & goal})
    ready = [*ends]
    for state in ready:  # grows while it is read
        for other in before[state]:
            if turns[other] is None:
                turns[other] = (turns[state] or 0) + 1
                ready.append(other)
    return turns


def closed(road: Level, person: int) -> Level:
    """The road without a person's path to the last gate: only doors and trees lead there."""
    path = re.findall(r"\(path (\S+) (s2e-\w+)\)", road.problem)[person]
    return replace(
        road, id=f"{road.id}-closed-{person}", problem=road.problem.replace("(path {} {})".format(*path), "")
    )


@for_each("number", [11, *range(1, many(9, 1))])
def test_the_values_of_all_states_are_what_a_search_of_all_actions_finds(
    small: Callable[[int], Level], number: int
) -> None:
    for road in (small(number), *(closed(small(number), person) for person in range(many(3, 1)))):
        if not (values := level_values(road)):
            continue  # nothing leads to the gate
        world = values.road.world
        before = steps_back(world)
        gates = [plain_turns(before, world.mask(f"(raised {gate})")) for gate in values.road.gates]
        for state, goal in gates[-1].items():
            missed = [turns[state] for turns in gates]
            reached = max((turns for turns in missed if turns is not None), default=0)
            assert values.value(state) == (MISSED * missed.count(None) + reached if goal is None else goal)
            if values.road.gate(state) == 0:
                assert values.near(state) == (MISSED if gates[0][state] is None else gates[0][state])


def test_a_trap_brings_the_next_gate_nearer_and_no_way_on_wins_in_time() -> None:
    for number in range(1, many(12, 3)):
        road = level(SHORT, number)
        values = values_of(road)
        assert road.traps
        for trap in road.traps:
            game = play_plan(road, road.reference_plan[: trap.turn - 1])
            after = play_plan(road, [*road.reference_plan[: trap.turn - 1], trap.action])
            assert after.clock == trap.turn, "the action is carried out"
            assert trap.turn + values.value(after.state) > road.turns_to_win
            assert values.near(after.state) == values.near(game.state) - 1
            assert trap.late
            rest = []
            while not after.stop:
                rest.append(str(values.best_choice(after.state)[0]))
                after.turn({"call": write_call(road, rest[-1])})
            plans = (road.reference_plan, [*road.reference_plan[: trap.turn - 1], trap.action, *rest])
            raised = [_raised(road, plan) for plan in plans]
            first = next(gate for gate, turns in enumerate(zip(*raised, strict=True)) if turns[0] < turns[1])
            assert first == len(road.milestones) - len(game.missing) + trap.gates
            assert raised[0][first] == trap.turn + trap.reach


def _raised(road: Level, plan: Sequence[str]) -> list[int]:
    """The turn at which a plan raises each gate."""
    game = road.start()
    missing = [len(game.missing)]
    for action in plan:
        game.turn({"call": write_call(road, action)})
        missing.append(len(game.missing))
    return [turn for turn, (one, other) in enumerate(pairwise(missing), 1) if one > other]


def test_regrets_add_up_to_the_turns_over_the_least() -> None:
    road = level(LevelQuery(gates=(4,), reach=(2,), traps=0, seed=2), 1)
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


def test_a_turn_that_puts_the_goal_out_of_reach_has_no_regret_and_is_the_last(small: Callable[[int], Level]) -> None:
    roads = (closed(small(number), 0) for number in range(40))
    road = next(
        road for road in roads if (values := level_values(road)) and values.value(values.road.world.initial) < MISSED
    )
    values = values_of(road)
    state, plan, chance = values.road.world.initial, list[GroundAction](), Random(1)
    while values.value(state) < MISSED:
        action, state = chance.choice(values.road.world.choices(state))
        plan.append(action)
    assert find_regrets(values, [*plan, plan[0]])[-1] is None
    assert len(find_regrets(values, [*plan, plan[0]])) == len(plan)


def test_along_the_reference_plan_each_turn_is_a_step_nearer() -> None:
    for road in list(load_levels(DATASET).values())[: many(12, 2)]:
        values = values_of(road)
        states = [play_plan(road, road.reference_plan[:turn]).state for turn in range(0, road.optimal, 7)]
        turns = [values.value(state) for state in states]
        assert all(before - after == 7 for before, after in pairwise(turns))
        assert turns[0] == measure_distance(road.start()).least == road.optimal


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("(:goal (and (raised gate-2)))", "(:goal (and (raised gate-1)))", "the goal is not that the last gate"),
        ("(path s1a-past s1b-past)", "(path s1a-past s1b-past) (path s1a-past s2b-past)", "is in two sections"),
        (
            "(path s1a-past s1b-past)",
            "(path s1a-past s1b-past) (path s1a-past s1b-present)",
            "or two people walk there",
        ),
        ("- character", "rival - character", "there are not 3 people"),
        (
            "(meeting gate-1 s1e-past",
            "(booth s1e-past) (linked s1e-past s1a-present) (meeting gate-1 s1e-past",
            "before a gate",
        ),
    ],
)
def test_a_level_that_is_no_road_is_refused_with_the_reason(
    small: Callable[[int], Level], old: str, new: str, reason: str
) -> None:
    road = small(1)
    assert old in road.problem
    other = replace(road, id="other", problem=road.problem.replace(old, new, 1))
    with pytest.raises(NotRoad, match=reason):
        Road(level_world(other))
    assert level_values(other) is None


def test_a_published_level_has_no_values() -> None:
    assert level_values(load_level("L01")) is None
