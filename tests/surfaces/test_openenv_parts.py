"""What the surface of OpenEnv is made of, as far as it needs no OpenEnv."""

import json
from pathlib import Path
from typing import Any

import pytest

from herobench.data.errors import UsageError
from herobench.scorer import Scorer, TaskQuery
from herobench.suites.rpg.play.execution import as_answer, with_fence
from herobench.surfaces.exports.tasks import write_package
from herobench.surfaces.openenv.scorers import (
    Scorers,
    chosen_task,
    knobs_of_files,
    listed_task,
    refuse_wrong_types,
    split_name,
)
from herobench.surfaces.sessions import Refused
from tests.program import herobench
from tests.sizes import for_each

OWN = TaskQuery(dataset="base", difficulty="1-3", limit=3, mode="tools", jobs=1)


def test_sessions_with_the_same_choice_share_a_scorer_and_the_oldest_that_is_free_goes() -> None:
    with Scorers(OWN, most=2) as scorers:
        assert scorers.take({}) is scorers.take({"limit": "3"}) is scorers.own
        one, other = scorers.take({"limit": 1}), scorers.take({"limit": 2})
        assert scorers.take({"limit": 1}) is one
        assert list(one.tasks) == list(scorers.own.tasks)[:1]
        with pytest.raises(Refused, match="Sessions use 2 other choices of tasks") as refused:
            scorers.take({"limit": 4})
        assert refused.value.status == 429
        scorers.give_back(other)
        third = scorers.take({"limit": 4})
        scorers.give_back(third)
        with pytest.raises(UsageError, match="There is no knob 'depth'"):
            scorers.take({"depth": 3})  # and takes no place
        other = scorers.take({"limit": 2})
        scorers.give_back(one)
        with pytest.raises(Refused):  # two sessions took it, and one still has it
            scorers.take({"limit": 4})
        scorers.give_back(one)
        assert scorers.take({"limit": 4}) is not third  # that one was closed for another
        assert scorers.take({"limit": 2}) is other


def test_a_scorer_that_a_copied_episode_has_too_stays_until_both_give_it_back() -> None:
    with Scorers(OWN, most=1) as scorers:
        scorers.take_too(scorers.own)
        one = scorers.take({"limit": 1})
        scorers.take_too(one)
        scorers.give_back(one)
        with pytest.raises(Refused, match="Sessions use 1 other choices"):
            scorers.take({"limit": 2})
        scorers.give_back(one)
        assert scorers.take({"limit": 2}) is not one


def test_knobs_of_a_reset_stand_over_those_of_the_server_and_a_row_in_their_place() -> None:
    with Scorers(OWN) as scorers:
        assert scorers.take({"mode": "plan"}).query == OWN.but(mode="plan")
        row = {"suite": "rpg", "mode": "plan", "limit": "2", "jobs": 64}
        assert scorers.take({}, json.dumps(row)).query == TaskQuery(**{**row, "jobs": 1})
        assert scorers.take({}, row) is scorers.take({}, json.dumps(row))
        for no_settings in ("[]", "[" * 100_000, "{"):
            with pytest.raises(UsageError, match="give settings as a JSON object"):
                scorers.take({}, no_settings)
        for knobs, settings in (({"self": "x"}, None), ({}, {"self": "x"})):  # the name of a parameter of ours
            with pytest.raises(UsageError, match="There is no knob 'self'"):
                scorers.take(knobs, settings)


def test_a_client_may_name_another_source_of_tasks_than_that_of_the_server() -> None:
    with Scorers(TaskQuery(dataset="base", limit=2, jobs=1)) as scorers:
        made = scorers.take({"seed": 3, "count": 2, "difficulty": "1"})
        assert made.query == TaskQuery(seed=3, count=2, difficulty="1", limit=2, jobs=1)
        assert len(made.tasks) == 2
    with Scorers(TaskQuery(seed=3, count=2, difficulty="1", jobs=1)) as scorers:
        assert scorers.take({"dataset": "base"}).query == TaskQuery(dataset="base", difficulty="1", jobs=1)


def test_a_world_of_the_package_is_no_file_of_the_server() -> None:
    own = TaskQuery(dataset="base", limit=1, world="my/world", jobs=1)
    assert knobs_of_files(own.but(world="classic")) == {}
    assert knobs_of_files(own) == {"world": "my/world"}


@for_each(
    ("texts", "numbers", "epoch", "sentence"),
    [
        ({"task_id": ["9/1"]}, {}, 0, 'task_id is ["9/1"]: give a text.'),
        ({}, {"index": "1"}, 0, 'index is "1": give a whole number.'),
        ({}, {"seed": True}, 0, "seed is true: give a whole number."),
        ({}, {}, "x", 'epoch is "x": give a whole number from 0 to 10,000.'),
        ({}, {}, -1, "epoch is -1: give a whole number from 0 to 10,000."),
    ],
)
def test_arguments_of_a_reset_have_their_types(
    texts: dict[str, Any], numbers: dict[str, Any], epoch: Any, sentence: str
) -> None:
    refuse_wrong_types(0, {"task_id": "9/1", "split": None}, {"index": 1, "seed": None})
    with pytest.raises(Refused) as refusal:
        refuse_wrong_types(epoch, texts, numbers)
    assert (refusal.value.status, str(refusal.value)) == (422, sentence)


@for_each(
    ("knobs", "sentence"),
    [
        ({"tasks": "tasks.jsonl"}, "leave out tasks"),
        ({"jobs": 99}, "leave out jobs"),
        ({"suite": "rpg", "world": "/etc/world.json"}, "leave out world"),
        ({"suite": "rpg", "world": ["/etc"]}, "leave out world"),
        ({"suite": "rpg", "world": ".."}, "leave out world"),
        ({"suite": "rpg", "world": "classic+tests"}, "leave out world"),
        ({"suite": "rpg", "dataset": ["/etc/passwd"]}, "leave out dataset"),
    ],
)
def test_a_client_gets_no_file_and_no_process_of_the_server(knobs: dict[str, Any], sentence: str) -> None:
    with Scorers(OWN) as scorers, pytest.raises(Refused, match=sentence):
        scorers.take(knobs)


def test_a_fixed_server_takes_no_knobs() -> None:
    with Scorers(OWN, fixed=True) as scorers:
        assert scorers.take({"difficulty": None}) is scorers.own
        with pytest.raises(Refused, match="leave out limit, suite"):
            scorers.take({"suite": "rpg", "limit": 1})


@for_each(
    ("knobs", "sentence"),
    [
        ({"count": 101, "length": "5"}, "count is 101: at most 100 tasks"),
        ({"count": 10, "length": "50-101"}, "10 tasks with a length up to 101 are too many"),
        ({"length": "11"}, "100 tasks with a length up to 11 are too many"),
        ({"count": 1, "length": "9" * 5_000}, "are too many to make for a client: count times length is at most 1,000"),
    ],
)
def test_tasks_that_take_long_to_make_are_refused_by_their_number_and_length(
    knobs: dict[str, Any], sentence: str
) -> None:
    with Scorers(OWN) as scorers, pytest.raises(Refused, match=sentence) as refusal:
        scorers.take({"seed": 1, **knobs}, {"suite": "rpg"})
    assert refusal.value.status == 422


def test_tasks_that_are_made_for_a_client_are_those_of_the_seed_and_other_choices_open_too() -> None:
    with Scorers(OWN) as scorers:
        made = scorers.take({"seed": 2, "count": 2, "difficulty": "1", "mode": "plan"}, {"suite": "rpg"})
        with Scorer(made.query) as here:
            assert [task.row for task in made.tasks.values()] == [task.row for task in here.tasks.values()]
            assert made.dataset == here.dataset
        assert not made.play(next(iter(made.tasks))).tools  # the settings of the suite are there too
        assert len(scorers.take({"limit": 1}).tasks) == 1
        with pytest.raises(UsageError, match="No task fits"):
            scorers.take({"task_id": "99"})
        assert scorers.take({}) is scorers.own


def test_a_task_is_named_counted_or_drawn() -> None:
    with Scorers(OWN) as scorers:
        own = scorers.own
        assert split_name(own) == "test"
        _, second, third = own.tasks
        assert chosen_task(own, second, None, None, None) == second
        assert chosen_task(own, None, "test", 2, None) == third
        drawn = [chosen_task(own, None, None, None, seed) for seed in range(20)]
        assert drawn == [chosen_task(own, None, None, None, seed) for seed in range(20)]
        assert {*drawn} == {*own.tasks}
        assert listed_task(own, 0).keys() == {"id", "group", "split", "index"}
        for index in (3, -1):
            with pytest.raises(Refused, match="count from 0"):
                chosen_task(own, None, None, index, None)
        with pytest.raises(Refused, match="the split 'test'"):
            chosen_task(own, None, "train", 0, None)
        made = scorers.take({"seed": 1, "count": 1, "difficulty": "1"}, {"suite": "rpg"})
        assert split_name(made) == "train"


@for_each(
    ("text", "is_plan"),
    [
        ('move("Hero", 1, 1)', True),
        ("for _ in range(3): gather('Hero')", True),
        ("place = 3\nif place:\n    move('Hero', place, 1)", True),
        ("no idea", False),
        ("", False),
        ("I cannot do this (sorry).", False),
        ("```python\nmove('Hero', 1, 1)\n```", False),
        ("<code>move('Hero', 1, 1)</code>", False),
        ("Final answer:\nmove('Hero', 1, 1)", False),
        ("<think>a draft:\n```\nmove('Hero', 1, 1)\n```\nbut", False),
    ],
)
def test_a_plan_that_stands_alone_is_marked_and_other_texts_stay(text: str, is_plan: bool) -> None:
    assert with_fence(text) == (as_answer(text) if is_plan else text)


def test_a_text_is_a_call_only_where_there_are_tools() -> None:
    call = '{"name": "move", "arguments": {"who": "rosa"}}'
    with Scorers(OWN) as scorers:
        task_id = next(iter(scorers.own.tasks))
        reply = scorers.own.play(task_id).read(f"[{call}, {call}]")
        assert [(one.id, one.name, one.arguments) for one in reply.tool_calls] == [
            ("call_0_0", "move", '{"who": "rosa"}'),
            ("call_0_1", "move", '{"who": "rosa"}'),
        ]
        for text in ("I wait.", "[1]", '{"name": 3}', "[" * 100_000):
            assert scorers.own.play(task_id).read(text).text == text
        assert scorers.take({"mode": "plan"}).play(task_id).read(call).text == call


def test_a_package_names_its_tasks_and_holds_no_solution(tmp_path: Path) -> None:
    with Scorers(TaskQuery(dataset="base", limit=3, jobs=1)) as scorers:
        write_package(tmp_path, scorers.own)
        solutions = [reply.text for task_id in scorers.own.tasks for reply in scorers.own.solution(task_id)]
    files = {str(path.relative_to(tmp_path)): path.read_text("utf-8") for path in tmp_path.rglob("*") if path.is_file()}
    assert files.keys() == {
        *("openenv.yaml", "pyproject.toml", "Dockerfile", "README.md", "server/__init__.py", "server/app.py"),
        "validation/runtime.json",
    }
    assert 'app_of(**{"suite": "rpg", "dataset": "base", "limit": "3", "jobs": 1})' in files["server/app.py"]
    assert "dataset_version: base-v2" in files["openenv.yaml"]
    assert "declared_task_count:\n      test: 3" in files["openenv.yaml"]
    assert not any(line in text for text in files.values() for plan in solutions for line in plan.splitlines()[1:2])


@for_each("knob", ["tasks=mine.jsonl", "world=worlds/mine"])
def test_a_package_with_files_of_the_user_is_refused(knob: str, tmp_path: Path) -> None:
    rows = herobench("generate", "--difficulty", "1", "--count", "1", "--seed", "1", "-o", str(tmp_path / "mine.jsonl"))
    assert rows.returncode == 0
    done = herobench("export", "openenv", "package", "--set", knob, cwd=tmp_path)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "package").exists()
