"""Roads: their exact values agree with the general search of all actions, and so do traps and regrets."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from heapq import heappop, heappush
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
from herobench.suites.epoch.making.road import NotRoad, Road, level_values
from herobench.suites.epoch.making.traps import find_regrets
from herobench.suites.epoch.making.values import FAR, RoadValues
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
    for name, value in {
        "METAL_COUNT": 1,
        "VIGOR": 1,
        "_MOST_EFFORT": 1,
        "_KEYS": (1, 1),
        "_FEW_KEYS": (0, 0),
        "_BRANCHES": 1,
    }.items():
        monkeypatch.setattr(drawing, name, value)

    def draw(number: int) -> Level:
        problem = drawing.RoadDraft(Random(number), 2, 1).draw()
        return replace(short, id=f"small-{number}", problem=problem, tools=edition(ROAD).tools)

    return draw


def steps_back(world: EpochWorld) -> dict[int, list[tuple[int, int]]]:
    """For each state that can be reached the states that are one action before it, each with the hours."""
    before: dict[int, list[tuple[int, int]]] = {world.initial: []}
    line = [world.initial]
    for state in line:  # grows while it is read
        if not world.grounded.is_goal(state):
            for action, after in world.choices(state):
                if after not in before:
                    line.append(after)
                before.setdefault(after, []).append((state, world.hours(action)))
    return before


def plain_hours(before: Mapping[int, Sequence[tuple[int, int]]], goal: int) -> dict[int, int]:
    """The least hours from each state to one with some fact, by a search of all actions."""
    least = {state: 0 for state in before if state & goal}
    queue = [(0, state) for state in least]
    while queue:
        hours, state = heappop(queue)
        if hours == least[state]:
            for other, own in before[state]:
                if hours + own < least.get(other, FAR):
                    least[other] = hours + own
                    heappush(queue, (hours + own, other))
    return least


@for_each("number", [4, *range(1, many(9, 1))])
def test_the_values_of_all_states_are_what_a_search_of_all_actions_finds(
    small: Callable[[int], Level], number: int
) -> None:
    values = values_of(small(number))
    world = values.road.world
    before = steps_back(world)
    first, last = (plain_hours(before, world.mask(f"(raised {gate})")) for gate in values.road.gates)
    for state in Random(number).sample([*before], 2_000):
        assert values.value(state) == last[state]
        if values.road.gate(state) == 0:
            assert values.near(state) == first[state]


def test_a_trap_brings_the_next_gate_nearer_and_no_way_on_wins_in_time() -> None:
    for number in range(1, many(12, 3)):
        road = level(SHORT, number)
        values = values_of(road)
        assert road.traps
        for trap in road.traps:
            game = play_plan(road, road.reference_plan[: trap.turn - 1])
            after = play_plan(road, [*road.reference_plan[: trap.turn - 1], trap.action])
            assert after.clock == trap.turn, "the action is carried out"
            assert after.hours + values.value(after.state) > road.hours_to_win
            if len(after.missing) == len(game.missing):
                assert values.near(after.state) == values.near(game.state) - (after.hours - game.hours)
            rest = []
            while not after.stop:
                rest.append(str(values.best_choice(after.state)[0]))
                after.turn({"call": write_call(road, rest[-1])})
            assert after.failure == "late"
            plans = (road.reference_plan, [*road.reference_plan[: trap.turn - 1], trap.action, *rest])
            raised = [_raised(road, plan) for plan in plans]
            first = next(gate for gate, (own, other) in enumerate(zip(*raised, strict=True)) if own[1] < other[1])
            assert first == len(road.milestones) - len(game.missing) + trap.gates
            assert raised[0][first][0] == trap.turn + trap.reach


def _raised(road: Level, plan: Sequence[str]) -> list[tuple[int, int]]:
    """The turn and the hour at which a plan raises each gate."""
    game, raised = road.start(), list[tuple[int, int]]()
    for action in plan:
        missing = game.missing
        game.turn({"call": write_call(road, action)})
        raised += [(game.turns, game.hours)] * (len(missing) - len(game.missing))
    return raised


def test_regrets_add_up_to_the_hours_over_the_least() -> None:
    road = level(LevelQuery(gates=(4,), reach=(2,), traps=0, seed=2), 1)
    values, chance = values_of(road), Random(0)
    world, state, actions = values.road.world, values.road.world.initial, list[GroundAction]()
    while not world.grounded.is_goal(state):
        action, state = chance.choice(world.choices(state)) if len(actions) < 20 else values.best_choice(state)
        actions.append(action)
    regrets = find_regrets(values, [*actions[:5], None, *actions[5:]])
    assert regrets[5] == 1, "a refused action costs an hour"
    assert sum(regrets) == sum(map(world.hours, actions)) + 1 - (road.least or 0)
    assert min(regrets) == 0


def test_along_the_reference_plan_each_turn_is_a_step_nearer() -> None:
    for road in list(load_levels(DATASET).values())[: many(12, 2)]:
        values = values_of(road)
        games = [play_plan(road, road.reference_plan[:turn]) for turn in range(0, road.optimal, 7)]
        assert {game.hours + values.value(game.state) for game in games} == {road.least}
        assert measure_distance(road.start()).least == road.least


def test_vigor_that_is_spent_is_missed_later() -> None:
    road = level(LevelQuery(gates=(4,), reach=(1,), traps=0, seed=2), 1)
    tired = replace(road, id="tired", problem=re.sub(r"(\(vigor \w+ vigor)-\d", r"\1-0", road.problem))
    assert values_of(tired).value(level_world(tired).initial) > (road.least or 0)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("(:goal (and (raised gate-2)))", "(:goal (and (raised gate-1)))", "the goal is not that the last gate"),
        ("(path s1a-past s1b-past)", "(path s1a-past s1b-past) (path s1a-past s2b-past)", "is in two sections"),
        (
            "(path s1a-past s1b-past)",
            "(path s1a-past s1b-past) (path s1a-past s1b-future)",
            "or both people walk there",
        ),
        ("- character", "rival - character", "there are not 2 people"),
        ("(meeting gate-1 s1d-past s1d-future)", "", "0 gates can be reached"),
        ("left-hand right-hand - hand", "left-hand right-hand tail - hand", "does not have two hands"),
        ("(path s2b-past s2d-past)", "", "somebody can get stuck"),
    ],
)
def test_a_level_that_is_no_road_is_refused_with_the_reason(
    small: Callable[[int], Level], old: str, new: str, reason: str
) -> None:
    road = small(1)
    assert old in road.problem
    other = replace(road, id="other", problem=road.problem.replace(old, new, 1))
    with pytest.raises(NotRoad, match=reason):
        RoadValues(Road(level_world(other)))
    assert level_values(other) is None


def test_a_published_level_has_no_values() -> None:
    assert level_values(load_level("L01")) is None
