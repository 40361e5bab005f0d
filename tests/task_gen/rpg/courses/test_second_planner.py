"""Nothing beats the length of a course: neither a second planner nor a search over every action of the game.

Both find shorter plans where there are any, which other tests here show: else that would say nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from types import MappingProxyType

import pytest

from herobench.suites.rpg.game.events import Action
from herobench.suites.rpg.game.game import Game
from herobench.suites.rpg.game.scoring import has_won
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import World
from herobench.task_gen.rpg.courses.course_world import CourseWish, world_with
from herobench.task_gen.rpg.datasets import load_task_world, shipped_tasks
from herobench.task_gen.rpg.generator import Generator
from herobench.task_gen.rpg.oracle.steps import read_steps
from herobench.task_gen.rpg.tasks.spec import Spec
from tests.sizes import for_each, many
from tests.task_gen.rpg.courses.every_way import can_be_searched, shortest_length
from tests.task_gen.rpg.courses.second_planner import second_plan
from tests.task_gen.rpg.made import proof, rules

WISH = CourseWish(13, 10)
SHORT, MAKING = (0, 2), (1, 7)
"""Courses in which nothing is made, and others."""
SEARCHED = 110
"""The most actions of a course that is searched through. Longer ones take more than a few seconds."""


@pytest.fixture(scope="module")
def world() -> World:
    return world_with(WISH, [*SHORT, *MAKING])


@pytest.fixture(scope="module")
def tasks(world: World) -> dict[int, Task]:
    made = Generator(world, rules, Spec(plan="straight", defeat="final", knowledge="decoys"))
    return {index: made.task(index) for index in [*SHORT, *MAKING]}


@pytest.mark.slow
def test_a_second_planner_finds_the_proven_lengths_and_none_below(world: World, tasks: dict[int, Task]) -> None:
    found = {index: len(second_plan(world, rules, task)) for index, task in tasks.items()}
    assert found == {index: proof(task).lower_bound for index, task in tasks.items()}
    assert all(length <= proof(tasks[index]).actions for index, length in found.items())


@pytest.mark.slow
def test_no_way_is_shorter_among_all_sequences_of_actions(world: World, tasks: dict[int, Task]) -> None:
    for task in (tasks[index] for index in SHORT[: many(2, 1)]):
        assert shortest_length(world, rules, task, proof(task).actions) == proof(task).actions


# -- shorter ways are found where there are any -----------------------------------------------------------------------


def plan_actions(task: Task) -> list[Action]:
    steps = (step for step in read_steps(proof(task).plan) for _ in range(step.times))
    return [Action(step.action, ("Hero", *step.args)) for step in steps]


def wins(world: World, task: Task, actions: Iterable[Action]) -> bool:
    game = Game(world, task.rules(rules), task.hero, task.seed)
    return all(game.act(action).ok for action in actions) and has_won(task, game.rules, game.events)


def detour(task: Task) -> list[Action]:
    """The plan of a task with a change to and fro before its last move, and a visit of the start after it."""
    plan = plan_actions(task)
    *_, last = (number for number, action in enumerate(plan) if action.name == "move")
    slot, code = next(action.args[1:] for action in plan[last::-1] if action.name == "equip")
    to_and_fro = [Action("unequip", ("Hero", slot)), Action("equip", ("Hero", slot, code))]
    return [*plan[:last], *to_and_fro, plan[last], Action("move", ("Hero", 0, 0)), *plan[last:]]


@for_each("index", [*SHORT, *MAKING])
def test_a_plan_with_a_detour_is_beaten(index: int, world: World, tasks: dict[int, Task]) -> None:
    task = tasks[index]
    longer = detour(task)
    assert wins(world, task, longer)
    assert len(second_plan(world, rules, task)) == len(longer) - 4
    if can_be_searched(task):
        assert shortest_length(world, rules, task, len(longer)) == len(longer) - 4


@for_each("index", MAKING)
def test_a_plan_that_makes_what_the_hero_has_is_beaten(index: int, world: World, tasks: dict[int, Task]) -> None:
    """The proven plan still wins, and nobody tells the planner which of its work is for nothing."""
    task = tasks[index]
    codes = {action.args[1] for action in plan_actions(task) if action.name == "craft"}
    made = {code for code in codes if isinstance(code, str) and world.items[code].type != "resource"}
    rich = replace(
        task, hero=replace(task.hero, inventory=MappingProxyType({**task.hero.inventory, **dict.fromkeys(made, 1)}))
    )
    assert made
    assert wins(world, rich, plan_actions(task))
    assert len(second_plan(world, rules, rich)) <= proof(task).actions - 2 * len(made)


# -- the shipped set --------------------------------------------------------------------------------------------------


@pytest.mark.proves
@pytest.mark.slow
def test_no_plan_of_the_shipped_set_is_beaten() -> None:
    """A beam bounds the work: the longest course takes some ten seconds."""
    world, shipped = load_task_world(None, "horizon"), shipped_tasks("horizon")
    found = {name: len(second_plan(world, rules, task)) - proof(task).actions for name, task in shipped.items()}
    assert {name: more for name, more in found.items() if more < 0} == {}
    assert sum(more == 0 for more in found.values()) >= 0.99 * len(found)


@pytest.mark.proves
@pytest.mark.slow
def test_no_sequence_of_actions_beats_a_course_of_the_shipped_set_that_makes_nothing() -> None:
    world = load_task_world(None, "horizon")
    some = [
        task for task in shipped_tasks("horizon").values() if can_be_searched(task) and proof(task).actions <= SEARCHED
    ]
    assert some
    for task in some:
        assert shortest_length(world, rules, task, proof(task).actions) == proof(task).actions
