"""Courses beyond the usual lengths: proven, with a room of their own, and made by runs that need them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from herobench.data.rows import write_rows
from herobench.prompts.rpg.render import render_prompt
from herobench.scorer import Scorer, TaskQuery
from herobench.suites.rpg.game.calls import straight_calls
from herobench.suites.rpg.game.episode import Episode
from herobench.suites.rpg.game.task import LARGEST_ROOM, Room, Task
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.play.execution import judge
from herobench.suites.rpg.sandbox import Sandbox
from herobench.task_gen.rpg.audit.workshop import Case
from herobench.task_gen.rpg.courses.course_world import CourseWish, build, world_with
from herobench.task_gen.rpg.courses.draw import TOLERANCE
from herobench.task_gen.rpg.generator import Generator
from herobench.task_gen.rpg.tasks.spec import Spec
from herobench.task_gen.rpg.twins import MADE, fresh_twins, made_courses, world_like
from herobench.task_gen.rpg.validation import faults
from tests.builders import Json
from tests.task_gen.rpg.made import proof, rules

WISH = CourseWish.of("7:10:9000-10000")
SPEC = Spec(plan="straight", defeat="final", knowledge="decoys")
NUMBER = 9


@pytest.fixture(scope="module")
def world() -> World:
    return world_with(WISH, [NUMBER])


@pytest.fixture(scope="module")
def task(world: World) -> Task:
    return Generator(world, rules, SPEC).task(NUMBER)


@pytest.fixture(scope="module")
def sandbox(world: World) -> Iterator[Sandbox]:
    with Sandbox(world, rules, workers=1) as sandbox:
        yield sandbox


@pytest.fixture(scope="module")
def episode(task: Task, sandbox: Sandbox) -> Episode:
    """The certified plan, carried out in the largest room: it goes the same way in each that it fits into."""
    return sandbox.execute(task, proof(task).plan)


def with_room(task: Task, room: Room) -> Task:
    return replace(task, mechanics=replace(task.mechanics, room=room))


def test_the_world_is_named_after_its_lengths(world: World) -> None:
    assert world.code == "courses_7_10_9000_10000"
    assert CourseWish.of_world(world) == WISH
    assert "courses:7:10:9000-10000," in json.loads(world.source)["world"]["credits"]
    assert build("7:1:30-40")["world"]["code"] == "courses_7_1_30_40"
    assert CourseWish.of("7:40:4-4400").code == "courses_7_40", "the usual lengths are not named"


@pytest.mark.slow
def test_the_certificate_of_a_long_course_holds(world: World, task: Task, episode: Episode) -> None:
    assert abs(proof(task).actions - 9_791) <= TOLERANCE * 9_791
    assert proof(task).actions > Room().actions
    assert len(proof(task).plan) > Room().characters
    assert faults(world, rules, task, lambda *_: episode) == []
    assert judge(world, task, rules, episode).score.score == 100


def test_without_its_room_the_plan_is_refused(task: Task, sandbox: Sandbox) -> None:
    told = sandbox.execute(with_room(task, Room()), proof(task).plan).ending.reason
    assert told == "the plan has more than 200,000 characters"


@pytest.mark.slow
@pytest.mark.parametrize("limit", asdict(LARGEST_ROOM))
def test_validation_names_a_room_that_the_plan_does_not_fit_in_twice(
    world: World, task: Task, episode: Episode, limit: str
) -> None:
    """The other limits are as much as it takes twice."""
    taken = {"characters": 339_350, "lines": 10_111, "parts": 54_432, "actions": 10_110}
    room = Room(**{name: 2 * count - (name == limit) for name, count in taken.items()})
    (fault,) = faults(world, rules, with_room(task, room), lambda *_: episode)
    assert fault == f"the plan takes {taken[limit]:,} {limit}, more than half of its room of {2 * taken[limit] - 1:,}"


def test_the_room_is_told_and_does_not_tell_how_long_the_plan_is(world: World, task: Task) -> None:
    assert task.mechanics.room == LARGEST_ROOM
    text = render_prompt(world, task, rules)
    assert "It may have 25,000 lines and 900,000 characters" in text
    assert "attempt 25,000 actions" in text


def test_players_may_attempt_as_many_actions_as_the_room_allows(world: World, task: Task) -> None:
    assert Case(world, rules, task).journey().actions_left == LARGEST_ROOM.actions


@pytest.mark.slow
def test_surfaces_tell_the_room_and_score_the_plan(world: World, task: Task, tmp_path: Path) -> None:
    write_rows(tmp_path / "tasks.jsonl", [task.as_row()])
    (tmp_path / "world.json").write_text(world.source, "utf-8")
    query = TaskQuery(tasks=tmp_path / "tasks.jsonl", world=str(tmp_path / "world.json"))
    with Scorer(query) as scorer:
        assert "900,000 characters" in scorer.opening(task.id)[0].text
        assert scorer.score(task.id, scorer.solution(task.id)).won


def test_repairs_and_distances_read_the_whole_plan(task: Task) -> None:
    assert len(straight_calls(proof(task).plan) or ()) == proof(task).actions


# -- runs that make their tasks ----------------------------------------------------------------------------------------


LENGTH = 4_432


@pytest.fixture(scope="module")
def made() -> tuple[World, Task]:
    (usual, *_) = _usual_tasks().values()
    world, tasks = made_courses(world_with(CourseWish(5, 5), [0]), {usual.id: usual}, 7, {"made/3601": MADE}, 1)
    return world, tasks["made/3601"]


def _usual_tasks() -> dict[str, Task]:
    world = world_with(CourseWish(5, 5), [0])
    return {"a": replace(Generator(world, rules, SPEC).task(0), id="a")}


@pytest.mark.slow
def test_a_run_makes_courses_beyond_the_usual_lengths(made: tuple[World, Task]) -> None:
    world, task = made
    assert CourseWish.of_world(world) == CourseWish((1 << 40) + 7, MADE), "the world of all that a run makes"
    assert CourseWish(0, MADE).length(MADE) == LENGTH
    assert abs(proof(task).actions - LENGTH) <= TOLERANCE * LENGTH


def test_a_usual_course_has_no_room_of_its_own() -> None:
    for task in _usual_tasks().values():
        row: Json = json.loads(json.dumps(task.as_row()))
        assert "room" not in row["mechanics"]


@pytest.mark.slow
def test_a_long_course_of_a_run_has_a_twin(made: tuple[World, Task]) -> None:
    world, task = made
    twins, notes = fresh_twins(world_like(world, 8, [task]), [task], [task.id], 8, 1)
    (twin,) = twins.values()
    assert (twin.twin_of, twin.mechanics, notes) == (task.id, task.mechanics, [])
    assert abs(proof(twin).actions - proof(task).actions) <= 2 * TOLERANCE * LENGTH
