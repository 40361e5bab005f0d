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
from herobench.suites.epoch.making.traps import find_regrets, find_traps, walk
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


@for_each("number", [2, 4, *range(5, many(10, 5))])
def test_the_values_of_all_states_are_what_a_search_of_all_actions_finds(
    small: Callable[[int], Level], number: int
) -> None:
    values = values_of(small(number))
    world = values.road.world
    assert bool(world.task.static["overgrows"]) == (number != 4), "a road without a tree tells nothing of it"
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
        ("(meeting gate-1 ", "(raised gate-1) (meeting gate-1 ", "is raised at the start"),
        ("(= (path-hours s1a-past s1b-past)", "(= (path-hours s1d-past s1b-past)", "takes 0 hours"),
        (
            "(overgrows s1b-past ",
            "(overgrows s1b-past s1d-past s2a-past) (overgrows s1b-past ",
            "leads beyond a gate",
        ),
        ("(soil s1b-past)", "(soil s1b-past) (soil s2b-past) (overgrows s2b-past s2a-past s2b-past)", "by other deeds"),
        ("(vigor felix", "(holds felix left-hand bronze-key-1) (vigor felix", "not either empty or with one thing"),
        ("left-hand right-hand - hand", "left-hand right-hand tail - hand", "does not have two hands"),
        ("(path s2b-past s2d-past)", "", "more than 150 hours from gate-2"),
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


def by_hand(*facts: str, hours: Mapping[str, int] | None = None) -> Level:
    """A road of two gates with a path of 3 hours from each entry to its hub, and one of 9 from there to the arch."""
    paths = [
        (f"{start}{number}-{epoch} {end}{number}-{epoch}", own)
        for number in (1, 2)
        for epoch in ("past", "future")
        for start, end, own in (("entry", "hub", 3), ("hub", "entry", 3), ("hub", "arch", 9))
    ]
    onward = [f"arch1-{epoch} entry2-{epoch}" for epoch in ("past", "future")]
    own_hours = {
        **{f"path-hours {way}": own for way, own in paths},
        **{f"open-hours {way}": 1 for way in onward},
        **(hours or {}),
    }
    all_facts = [
        *(f"path {way}" for way, _ in paths),
        *(f"beyond gate-1 {way}" for way in onward),
        *(f"meeting gate-{number} arch{number}-past arch{number}-future" for number in (1, 2)),
        *("at ada entry1-past", "at hugo entry1-future", "full vigor-1", "less vigor-0 vigor-1", "last key-1"),
        *("tires effort-1 vigor-1 vigor-0", "made-of key-1 tin"),
        *(f"empty {person} {hand}" for person in ("ada", "hugo") for hand in ("left-hand", "right-hand")),
        *(f"vigor {person} vigor-1" for person in ("ada", "hugo")),
        *facts,
    ]
    places = " ".join(
        f"{place}{number}-{epoch}"
        for place in ("entry", "hub", "arch")
        for number in (1, 2)
        for epoch in ("past", "future")
    )
    problem = (
        "(define (problem by-hand) (:domain epochs-road) (:objects ada hugo - character left-hand right-hand - hand "
        f"{places} - place key-1 - key oak-sapling - sapling tin - metal gate-1 gate-2 - gate vigor-0 vigor-1 - vigor "
        f"effort-1 - effort) (:init {' '.join(f'({fact})' for fact in all_facts)} "
        f"{' '.join(f'(= ({way}) {own})' for way, own in own_hours.items())}) (:goal (and (raised gate-2))))"
    )
    tools = edition(ROAD).tools
    return Level("by-hand", "by-hand", "", "", (), problem, tools, (), (), None, 100, 100, 1, (), (), 1.0, 1)


TREE = (
    *("stored oak-sapling entry1-past", "soil entry1-past", "open hub2-future arch2-future"),
    *("lifts entry1-past hub2-past arch2-past", "overgrows entry1-past hub2-future arch2-future"),
)
TREE_HOURS = {"open-hours hub2-past arch2-past": 8, "open-hours hub2-future arch2-future": 1}
PLANT = (
    "(take ada left-hand oak-sapling entry1-past)",
    "(plant-tree ada left-hand oak-sapling entry1-past hub2-future arch2-future)",
)
TO_GATE = tuple(
    f"(move {person} {start}1-{epoch} {end}1-{epoch})"
    for person, epoch in (("ada", "past"), ("hugo", "future"))
    for start, end in (("entry", "hub"), ("hub", "arch"))
)


def test_a_tree_closes_a_way_of_a_later_section_for_good() -> None:
    road = by_hand(*TREE, hours=TREE_HOURS)
    values = values_of(road)
    assert values.value(values.road.world.initial) == 4 * 12 + 2 - 8
    planted = values.value(play_plan(road, PLANT).state)
    assert planted == 4 * 12 + 2 - 1, "the tree saves ada an hour, and costs hugo eight"


def test_the_next_gate_is_as_far_as_the_trees_of_earlier_sections_let_it() -> None:
    road = by_hand(*TREE, hours=TREE_HOURS)
    values = values_of(road)
    bare, planted = (values.near(play_plan(road, [*plan, *TO_GATE]).state) for plan in ((), PLANT))
    assert (bare, planted) == (2 * 12 + 2 - 8, 2 * 12 + 2 - 1)


def test_it_makes_no_state_which_hand_holds_what() -> None:
    road = Road(level_world(by_hand("stored key-1 entry1-past")))
    for place in ("entry", "hub"):
        states = [
            play_plan(road.world.level, [f"(take ada {hand} key-1 entry1-past)", *TO_GATE[: place == "hub"]]).state
            for hand in ("left-hand", "right-hand")
        ]
        assert len({*states}) == 2
        assert len({road.sections[0].parts[0].number(state) for state in states}) == 1


def test_a_trap_that_raises_a_gate_just_as_early_shows_at_the_next_one() -> None:
    door = ("stored key-1 entry1-past", "door tin hub1-past arch1-past", "door tin hub2-past arch2-past")
    road = by_hand(*door, hours={"door-hours hub1-past arch1-past": 9, "door-hours hub2-past arch2-past": 1})
    values = values_of(road)
    reference = walk(values, values.best_plan())
    least = values.value(values.road.world.initial)
    assert reference.hours[-1] == least == 4 * 12 + 2 - 8 + 1
    [spent] = [trap for trap in find_traps(values, reference, least) if trap.action.startswith("(unlock-last")]
    assert spent.gates == 1
    assert spent.turn + spent.reach == reference.raised[1]
