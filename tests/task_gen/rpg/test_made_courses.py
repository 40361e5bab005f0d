"""Courses that are made one by one, in a world that grows with them."""

from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from herobench.adaptive.choice import rehearse
from herobench.adaptive.goal import Goal
from herobench.data.rows import write_rows
from herobench.runs.config import digest_of_tasks
from herobench.runs.rounds import tasks_of_set
from herobench.suite.checked import open_suite
from herobench.suite.contract import Suite, SuiteSetting
from herobench.suites.rpg.suite import Rpg
from herobench.suites.rpg.worlds.content import load_world
from herobench.task_gen.rpg.courses import course_tasks
from herobench.task_gen.rpg.courses.course_world import CourseWish
from herobench.task_gen.rpg.datasets import load_task_world, shipped_tasks
from herobench.task_gen.rpg.twins import MADE, made_courses, world_like
from herobench.work.engine import Each
from tests.program import herobench as program
from tests.refusals import misread
from tests.task_gen.rpg.made import proof

NUMBERS = {"made/13": 12, "made/3": 2, "made/17": 16}
"""Courses of 11 to 17 decisions: for shorter ones many monsters are drawn and turned down."""


class Made:
    """The shipped set, and what is made from the seed 7 at once and in two steps."""

    def __init__(self, held: ExitStack) -> None:
        self.shipped = held.enter_context(closing(open_suite("rpg", SuiteSetting(workers=1))))
        self.first = self._make(held, self.shipped, 2)
        self.then = self._make(held, self.first, 3)
        self.again = self._make(held, self._make(held, self.shipped, 2), 3)

    @staticmethod
    def _make(held: ExitStack, suite: Suite, count: int) -> Suite:
        return held.enter_context(closing(suite.make(7, dict(list(NUMBERS.items())[:count])).suite))


@pytest.fixture(scope="module")
def made() -> Iterator[Made]:
    with ExitStack() as held:
        yield Made(held)


def told(suite: Suite, task_id: str) -> list[str]:
    return [message.text for message in suite.open(task_id, 0).messages]


@pytest.mark.slow
def test_the_first_tenth_of_the_ladder_has_the_lengths_of_the_set(made: Made) -> None:
    ladder, tasks = made.shipped.ladder(), [task.id for task in made.shipped.tasks()]
    assert len(ladder) - Rpg.longer == len(ladder[:MADE]) == 10 * len(tasks)
    assert tasks_of_set(made.shipped) == len(tasks)
    assert max(ladder[:MADE]) < 4_400 <= min(ladder[MADE:]) < 9_900 < max(ladder) <= 10_000
    own = sorted(proof(task).actions for task in shipped_tasks("horizon").values())
    wanted = sorted(ladder[: len(tasks)])
    assert all(abs(length - x) <= 2 + x / 10 for length, x in zip(own, wanted, strict=True))
    with closing(open_suite("rpg", SuiteSetting("base", workers=1))) as base:
        assert base.ladder() == [], "other tasks are not made by their length"


@pytest.mark.slow
def test_a_model_whose_horizon_lies_beyond_the_set_is_asked_longer_courses(made: Made) -> None:
    lengths = dict(enumerate(made.shipped.ladder()))
    asked = [lengths[number] for number in rehearse(Goal.of("factor=2"), lengths, 8_000.0)]
    beyond = [length for length in asked if length > 4_400]
    assert max(beyond) > 9_000
    assert len(asked) / 3 < len(beyond) < len(asked) < 300
    weak = [lengths[number] for number in rehearse(Goal.of("factor=2"), lengths, 20.0)]
    assert max(weak) < 4_400, "others are asked none"


@pytest.mark.slow
def test_a_course_has_about_the_length_that_the_ladder_tells(made: Made) -> None:
    lengths = {task_id: made.then.blank(task_id)["decisions"] for task_id in NUMBERS}
    ladder = made.shipped.ladder()
    assert all(abs(lengths[task_id] - ladder[number]) <= 2 for task_id, number in NUMBERS.items()), lengths


def test_the_same_calls_make_the_same_tasks_and_another_seed_makes_others(made: Made) -> None:
    assert digest_of_tasks("rpg", made.then.tasks()) == digest_of_tasks("rpg", made.again.tasks())
    assert made.then.files() == made.again.files()
    with closing(made.shipped.make(8, {"made/13": 12}).suite) as other:
        assert told(other, "made/13") != told(made.first, "made/13")


def test_processes_make_the_same_courses_and_none_is_made_twice(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(course_tasks, "Each", lambda function, worth: Each(function, worth=2))
    course_tasks._known_courses.cache_clear()
    with closing(open_suite("rpg", SuiteSetting(workers=2))) as shipped:
        with closing(shipped.make(7, NUMBERS).suite) as other:
            assert [task.row["certificate"] for task in other.tasks()] == [
                task.row["certificate"] for task in made.then.tasks()
            ]
            rows = [task.row for task in other.tasks()]
        monkeypatch.setattr(course_tasks, "_alone", lambda *_: pytest.fail("it was made before"))
        with closing(shipped.make(7, NUMBERS).suite) as again:
            assert [task.row for task in again.tasks()] == rows


def test_what_a_task_tells_stays_when_the_world_grows(made: Made) -> None:
    assert [told(made.first, task_id) for task_id in ("made/13", "made/3")] == [
        told(made.then, task_id) for task_id in ("made/13", "made/3")
    ]


def test_certificates_hold_in_the_world_that_a_run_keeps(made: Made, tmp_path: Path) -> None:
    write_rows(tmp_path / "tasks.jsonl", [task.row for task in made.then.tasks()])
    (world,) = made.then.files().items()
    (tmp_path / world[0]).write_text(world[1], "utf-8")
    words = ("--world", tmp_path / world[0], "--jobs", 1)
    done = program("validate", tmp_path / "tasks.jsonl", *words)
    assert (done.returncode, "3 of 3 tasks hold" in done.stdout) == (0, True), done.stderr
    run = ("--tasks", tmp_path / "tasks.jsonl", *words, "-o", tmp_path / "run")
    won = program("run", "--model", "oracle", *run)
    assert "100.0 %" in won.stdout, won.stderr


def test_a_file_that_is_no_world_is_refused(made: Made, tmp_path: Path) -> None:
    (tmp_path / "world.json").write_text('{"world": {}}', "utf-8")
    with misread("$", "world.json: "):
        load_world(tmp_path / "world.json")


@pytest.mark.slow
def test_twins_are_drawn_from_no_seed_that_a_set_is_drawn_from() -> None:
    world = load_task_world(None)
    wish = CourseWish.of_world(world)
    assert wish is not None
    (task, *_) = shipped_tasks().values()
    like = CourseWish.of_world(world_like(world, wish.seed, [task]))
    assert like is not None
    assert like.seed != wish.seed
    made, _ = made_courses(world, {task.id: task}, wish.seed, {"made/2": 1}, 1)
    assert not set(made.monsters) & set(world.monsters)
