"""Pieces inside the hull of their slot: found as a linear program finds them, and on in every loadout that wins."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import numpy as np
import pytest
import scipy
from hypothesis import example, given
from hypothesis import strategies as st

from herobench.data.documents import schema_problems
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import Item, World, slot_type
from herobench.suites.rpg.worlds.content import load_rules
from herobench.task_gen.rpg.audit.audit import audit
from herobench.task_gen.rpg.datasets import load_task_world, shipped_tasks
from herobench.task_gen.rpg.oracle.hull import Hulls, in_hull, slots_inside
from tests.program import herobench, write_jsonl
from tests.sizes import many
from tests.task_gen.rpg.audit.cases import ALL, told
from tests.task_gen.rpg.courses.told_loadouts import Loadouts

RULES = load_rules()


@pytest.fixture(scope="module")
def world() -> World:
    return load_task_world(None, "horizon")


@pytest.fixture(scope="module")
def tasks() -> list[Task]:
    """Three courses of the shipped set, one of them with crafts and made gear."""
    return list(shipped_tasks("horizon").values())[:270:90]


# -- the hull ---------------------------------------------------------------------------------------------------------


@st.composite
def clouds(draw: st.DrawFn) -> tuple[tuple[int, ...], list[tuple[int, ...]]]:
    size = draw(st.integers(1, 5))
    points = st.tuples(*[st.integers(0, 4)] * size)
    return draw(points), draw(st.lists(points, min_size=1, max_size=7))


@given(clouds())
@example(((2, 2), [(0, 4), (4, 0)]))
@example(((1, 3), [(0, 4), (4, 0)]))
@example(((2, 3), [(0, 4), (4, 0)]))
@example(((5, -1), [(0, 4), (4, 0)]))
@example(((0, 1), [(1, 2), (4, 1), (2, 3)]))
@example(((0,), [(4,), (2,), (1,)]))
@example(((2, 2), [(2, 2)]))
@example(((0, 0), [(0, 0), (0, 0), (1, 0)]))
@example(((1, 1, 1), [(0, 0, 0), (3, 0, 0), (0, 3, 0), (0, 0, 3)]))
def test_a_point_is_in_a_hull_where_a_linear_program_finds_its_weights(
    cloud: tuple[tuple[int, ...], list[tuple[int, ...]]],
) -> None:
    point, others = cloud
    corners = np.array(others, float)
    system, wanted = np.vstack([corners.T, np.ones(len(others))]), [*point, 1]
    exists = scipy.optimize.linprog(np.zeros(len(others)), A_eq=system, b_eq=wanted).status == 0
    assert in_hull(np.array(point, float), corners) == exists


@given(st.lists(st.tuples(*[st.integers(0, 200)] * 13), min_size=1, max_size=20), st.data())
def test_a_mean_of_corners_is_in_their_hull_and_a_point_above_all_of_them_is_not(
    corners: list[tuple[int, ...]], data: st.DataObject
) -> None:
    weights = np.array(data.draw(st.lists(st.integers(0, 9), min_size=len(corners), max_size=len(corners)))) + 0.1
    points = np.array(corners, float)
    assert in_hull(weights @ points / weights.sum(), points)
    assert not in_hull(points.max(axis=0) + 1, points)


def test_a_mean_of_as_many_corners_as_there_are_numbers_is_in_their_hull() -> None:
    """The last corner that the search takes in helps by a ten-millionth of what the first one does."""
    chance = np.random.default_rng(1)
    for corners in (
        chance.integers(0, 201, (size, 13)).astype(float) for size in range(13, 21) for _ in range(many(400))
    ):
        weights = chance.integers(0, 10, len(corners)) + 0.1
        assert in_hull(weights @ corners / weights.sum(), corners)


def test_one_piece_alone_has_no_hull() -> None:
    assert not in_hull(np.array([1.0]), [])


# -- fights -----------------------------------------------------------------------------------------------------------


def between(item: Item, others: list[Item]) -> bool:
    """Return whether the numbers of a piece are halfway between those of two others."""
    numbers = [np.array([each.worn.hp, *each.worn.attack, *each.worn.damage, *each.worn.resistance]) for each in others]
    own = np.array([item.worn.hp, *item.worn.attack, *item.worn.damage, *item.worn.resistance])
    return any((2 * own == one + other).all() for one, other in product(numbers, numbers) if one is not other)


def test_each_loadout_that_wins_a_fight_of_a_course_has_as_many_pieces_inside(world: World, tasks: list[Task]) -> None:
    for task in tasks:
        kinds = {slot_type(slot) for slot in world.slots} - {"consumable"}
        known = {*task.knowledge.recipes, *task.hero.inventory, *task.hero.worn.values()}
        gear = {code for code in known if world.items[code].type in kinds}
        items = [world.items[code] for code in gear]
        inside = {
            item.code for item in items if between(item, [each for each in items if each.type == item.type != each])
        }
        loadouts = Loadouts(world, task.rules(RULES), task, gear)
        fewest = [
            min(sum(code in inside for code in worn) for worn in loadouts.winners(goal.target))
            for goal in task.goals
            if goal.kind == "kill"
        ]
        assert slots_inside(world, RULES, task) == fewest
        assert min(fewest) >= 1


def changed(world: World, task: Task) -> World:
    """Return the world with one number of each piece of a task higher by one, so that none is between two others."""
    documents = json.loads(world.source)
    known = {*task.knowledge.recipes, *task.hero.inventory, *task.hero.worn.values()}
    for number, row in enumerate(documents["items"]["items"]):
        if row["code"] in known and row["effects"]:
            effect = min(row["effects"])
            row["effects"] = {**row["effects"], effect: row["effects"][effect] + number % 3}
    return World.from_documents(documents)


def test_gear_that_is_not_quite_between_is_outside(world: World, tasks: list[Task]) -> None:
    assert 0 in slots_inside(changed(world, tasks[0]), RULES, tasks[0])


def test_tasks_whose_loadouts_cannot_all_be_tried_have_no_figure(tiny: World) -> None:
    assert slots_inside(tiny, RULES, told(tiny, **ALL)) == []
    assert Hulls.of({"a": [], "b": []}) is None


def test_fights_are_summed_up_over_tasks() -> None:
    found = Hulls.of({"a": [1, 3], "b": [], "c": [0, 2, 1]})
    assert found == Hulls(fights=5, with_piece_inside=4, mean_slots=1.4, fewest_slots=0, tasks={"a": 1, "c": 0})


@pytest.mark.slow
def test_the_audit_tells_it_of_courses(world: World, tasks: list[Task], tmp_path: Path) -> None:
    tasks = tasks[:1]
    fights = sum(goal.kind == "kill" for task in tasks for goal in task.goals)
    found = audit(world, RULES, tasks, ("noop",))
    assert schema_problems(found, "audit", "audit") == []
    hulls = found["hulls"]
    assert (hulls["fights"], hulls["with_piece_inside"]) == (fights, fights)
    assert [*hulls["tasks"]] == [task.id for task in tasks]
    for name, document in json.loads(world.source).items():
        (tmp_path / f"{name}.json").write_text(json.dumps(document), "utf-8")
    file = write_jsonl(tmp_path / "tasks.jsonl", [task.as_row() for task in tasks])
    done = herobench("audit", file, "--world", tmp_path, "--families", "noop", "--jobs", "1", columns=80)
    assert (
        f"Fights that every winning loadout wins with a piece inside the hull of its slot: {fights} of {fights}; slots "
        f"with such a piece: {hulls['mean_slots']:.2f} on average, {hulls['fewest_slots']} at least."
    ) in " ".join(done.stdout.split())
