"""Plans of mysteries: visits of nodes that dry up, hunts of monsters that goals ask for as well, and proven lengths."""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from herobench.suites.discover.courses.all_ways import all_ways_bound
from herobench.suites.discover.game.families import SWAPPED, Change
from herobench.suites.discover.game.mystery import Truth, shipped_mysteries
from herobench.suites.discover.making.planner import plan, visits, wins
from herobench.suites.rpg.game.events import Crafted, Fought
from herobench.suites.rpg.game.game import Game
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import Place
from herobench.task_gen.rpg.oracle.steps import Do, play
from tests.sizes import for_each, one_in
from tests.suites.discover.mysteries import some, with_family

PLACES = st.tuples(st.integers(1, 5), st.just(0))


@given(swings=st.dictionaries(PLACES, st.integers(1, 20), max_size=5), most=st.integers(1, 5))
def test_visits_take_all_swings_and_no_more_than_a_node_has(swings: dict[Place, int], most: int) -> None:
    steps = list(visits(swings, most, (0, 0)))
    places = [step.args for step in steps if step.action == "move"]
    assert all(one != other for one, other in pairwise(places))
    done: dict[Place, int] = {}
    for move, gathering in pairwise(steps):
        if gathering.action == "gather":
            (count,) = gathering.args
            assert move.action == "move"
            assert 1 <= int(count or 0) <= most
            done[move.args] = done.get(move.args, 0) + int(count or 0)  # type: ignore[index, arg-type]
    assert done == swings


@given(swings=st.dictionaries(PLACES, st.integers(1, 20), min_size=1, max_size=5), most=st.integers(1, 5))
def test_no_order_of_visits_has_fewer_moves(swings: dict[Place, int], most: int) -> None:
    """Each visit takes a move, and so does another place between two visits of the same node."""
    needed = [-(-count // most) for count in swings.values()]
    moves = sum(step.action == "move" for step in visits(swings, most, (0, 0)))
    assert moves == max(sum(needed), 2 * max(needed) - 1)


@pytest.mark.parametrize("dry", one_in(2, [3, 5]))
def test_a_plan_where_nodes_dry_up_is_as_long_as_is_proven_or_nearly(dry: int) -> None:
    making = [each for each in some(240, 120) if each.told.world.resources]
    for found in making[::8]:
        others = {change for change in found.changes if change.family != "dry"}
        wet, dried = found.with_changes(others), found.with_changes({*others, Change("dry", "", dry)})
        before, after = plan(wet, found.task), plan(dried, found.task)
        assert before, found.id
        assert after, found.id
        lengths = [sum(step.times for step in steps) for steps in (before, after)]
        bounds = [all_ways_bound(*truth, found.task) for truth in (wet, dried)]
        assert bounds[1] <= lengths[1], found.id
        visits = [sum(step.action == "gather" for step in steps) for steps in (before, after)]
        assert bounds[1] - bounds[0] <= 2 * (visits[1] - visits[0]) <= lengths[1] - lengths[0], found.id
        if bounds[0] == lengths[0]:
            assert bounds[1] - bounds[0] == 2 * (visits[1] - visits[0]), found.id
        assert wins(dried, found.task, before) == (visits[0] == visits[1]), found.id


@for_each(
    ("name", "swapped", "length", "bound"),
    [
        ("discover-1-22", "grosklex_gulossosk_sentinel grosklex_randgu_boar", 35, 35),
        # the move to the hunt is not proven, and the fight is
        ("discover-1-102", "grurdau_condjas_prowler grurdau_juthfaul_beetle", 44, 43),
    ],
)
def test_a_goal_gives_what_its_monster_drops_and_where_that_is_too_late_the_monster_is_hunted_as_well(
    name: str, swapped: str, length: int, bound: int
) -> None:
    found = shipped_mysteries()[name]
    others = {change for change in found.changes if change.family != "drop"}
    truth = found.with_changes({*others, Change("drop", swapped, SWAPPED)})
    steps = plan(truth, found.task)
    assert steps
    fought, used = _hunts(truth, found.task, steps)
    asked = Counter(goal.target for goal in found.task.goals if goal.kind == "kill")
    assert used & asked.keys() & {*swapped.split()}
    assert any(fought[monster] > asked[monster] for monster in asked) == (bound < length)
    assert (sum(step.times for step in steps), all_ways_bound(*truth, found.task)) == (length, bound)


def _hunts(truth: Truth, task: Task, steps: Sequence[Do]) -> tuple[Counter[str], set[str]]:
    """How often each monster is fought, and the monsters whose drops are used."""
    events = play(steps, Game(*truth, task.hero, task.seed)).events
    fought = Counter(event.detail.monster for event in events if isinstance(event.detail, Fought))
    recipes = [truth.world.recipe_of(event.detail.item) for event in events if isinstance(event.detail, Crafted)]
    parts = {part for recipe in recipes if recipe for part in recipe.ingredients}
    used = {code for code in fought if parts & {drop.item for drop in truth.world.monsters[code].drops}}
    return fought, used


def test_a_node_that_dries_up_makes_a_plan_longer() -> None:
    found = with_family("dry")
    steps = plan(found.true, found.task)
    assert steps
    at: list[object] = [step.args for step in steps if step.action == "move"]
    nodes = found.true.world.standing("resource")
    visited = [place for place in at if place in nodes]
    assert len(visited) > len(set(visited))


def test_what_is_hunted_after_a_swap_is_the_other_monster() -> None:
    found = with_family("drop")
    swap = next(change for change in found.changes if change.family == "drop")
    steps = plan(found.true, found.task)
    assert steps
    _, used = _hunts(found.true, found.task, steps)
    assert used & {*swap.subject.split()}
    assert swap.value == SWAPPED
