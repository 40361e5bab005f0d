"""A task may have a room of its own: its prompt tells the limits, and they hold exactly."""

from __future__ import annotations

import json
from dataclasses import asdict, replace

import pytest

from herobench.conversation import Reply
from herobench.data.documents import schema_problems
from herobench.prompts.rpg.modes import render_feedback, render_tools
from herobench.prompts.rpg.render import render_prompt
from herobench.suites.rpg.game.task import LARGEST_ROOM, PlanTrack, Room, Task
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.play.attempts import FeedbackAttempt, ToolAttempt
from herobench.suites.rpg.play.briefing import Briefing
from herobench.suites.rpg.play.execution import as_answer
from herobench.suites.rpg.sandbox import Limits, Sandbox
from herobench.suites.rpg.sandbox.wire import most_bytes
from herobench.suites.rpg.worlds.content import load_rules
from tests.builders import Json, task_row, tiny_task
from tests.sizes import for_each

SMALL = Room(characters=200_500, lines=9_010, parts=80_020, actions=10_005)
"""A room that is only a little larger than the usual one."""
LINE = 'fight("Hero")\n'
TOLD = ("9,010 lines", "200,500 characters", "80,020 names", "10,005 actions")
USUAL = ("9,000 lines", "200,000 characters", "80,000 names", "10,000 actions")


def mechanics(plan: PlanTrack = "straight", room: Json | None = None) -> Json:
    return {"leveling": False, "drop_scale": None, "plan": plan, "room": asdict(SMALL) if room is None else room}


@pytest.fixture(scope="module")
def task(tiny: World) -> Task:
    return tiny_task(tiny, mechanics=mechanics())


def usual(task: Task) -> Task:
    return replace(task, mechanics=replace(task.mechanics, room=Room()))


@for_each("track", ["straight", "program"])
def test_the_prompt_tells_the_room_in_place_of_the_usual_limits(tiny: World, track: PlanTrack) -> None:
    roomy = tiny_task(tiny, mechanics=mechanics(track))
    for text, plain in (
        (render(tiny, roomy), render(tiny, usual(roomy)))
        for render in (
            lambda world, task: render_prompt(world, task, load_rules()),
            lambda world, task: render_feedback(world, task, load_rules(), 9, task.mechanics.room.actions),
        )
    ):
        assert all(told in text for told in TOLD)
        assert not any(told in text for told in USUAL)
        assert all(told in plain for told in USUAL)
        for own, other in zip(TOLD, USUAL, strict=True):
            text = text.replace(own, other)
        assert text == plain, "nothing else differs"
    assert TOLD[3] in render_tools(tiny, roomy, load_rules(), roomy.mechanics.room.actions)


def test_a_budget_of_as_many_actions_as_the_usual_limit_stays_told(tiny: World) -> None:
    limited = tiny_task(tiny, mechanics={**mechanics(), "budget": 10_000})
    assert "10,000 actions" in render_prompt(tiny, limited, load_rules())


def test_what_agents_are_told_of_a_plan_has_the_room(sandbox: Sandbox, task: Task) -> None:
    assert all(told in Briefing(sandbox, task).plan_form() for told in TOLD)
    assert all(told in Briefing(sandbox, usual(task)).plan_form() for told in USUAL)


COMMENTS = f"#{'x' * 15_000}\n" * 13


@for_each(
    ("plan", "over", "told"),
    [
        ("\n" * (SMALL.lines - 1) + LINE.strip(), "\n", "the plan has more than 9,010 lines"),
        (
            f"{COMMENTS}#{'x' * (SMALL.characters - len(COMMENTS) - 1)}",
            "x",
            "the plan has more than 200,500 characters",
        ),
    ],
)
def test_a_plan_may_be_as_large_as_the_room_says(sandbox: Sandbox, task: Task, plan: str, over: str, told: str) -> None:
    assert sandbox.execute(task, plan).finished
    assert sandbox.execute(task, plan + over).ending.reason == told
    assert sandbox.execute(usual(task), plan).ending.kind == "size"


@pytest.mark.slow
def test_parts_are_counted_up_to_the_room(sandbox: Sandbox, task: Task) -> None:
    # a statement of four parts, after the one that the plan itself is
    calls = (SMALL.parts - 1) // 4
    wide = replace(task, mechanics=replace(task.mechanics, room=replace(SMALL, characters=900_000)))
    for count, how in ((calls, "limit"), (calls + 1, "rejected")):
        plan = "\n".join(";".join(['fight("Hero")'] * 1_000) for _ in range(count // 1_000))
        plan += "\n" + ";".join(['fight("Hero")'] * (count % 1_000))
        ending = sandbox.execute(wide, plan).ending
        assert (ending.how, ending.kind) == (how, {"limit": "actions", "rejected": "size"}[how])


def test_actions_are_counted_up_to_the_room(sandbox: Sandbox, task: Task) -> None:
    plan = "for _ in range(10005):\n    " + LINE
    assert sandbox.execute(task, plan).finished
    more = sandbox.execute(task, plan + LINE)
    assert (len(more.events), more.ending.reason) == (10_005, "the plan takes more than 10,005 actions")
    assert len(sandbox.execute(usual(task), plan).events) == 10_000


def test_an_attempt_in_parts_or_with_tools_has_the_actions_of_the_room(sandbox: Sandbox, task: Task) -> None:
    parts = FeedbackAttempt(sandbox, task)
    assert "10,005 actions" in parts.messages[0].text
    told = parts.step(Reply(as_answer("for _ in range(10000):\n    " + LINE)))
    assert told is not None
    assert "attempt 5 more actions" in told[0].text
    assert parts.step(Reply(as_answer("for _ in range(9):\n    " + LINE))) is None
    assert parts.grade().unfinished == "the limit of 10,005 actions is reached"
    assert "10,005 actions" in ToolAttempt(sandbox, task).messages[0].text


def test_a_worker_may_answer_and_compute_as_much_as_the_room_takes(tiny: World) -> None:
    limits = Limits().within(LARGEST_ROOM)
    assert (limits.seconds, limits.memory) == (20.0, Limits().memory)
    assert most_bytes(limits) > most_bytes(Limits())
    assert Limits(steps=7).within(Room()) == Limits(steps=7), "a task without a room has the limits of the sandbox"


@pytest.mark.slow
def test_the_longest_answer_of_the_largest_room_arrives(sandbox: Sandbox, task: Task) -> None:
    """It is longer than any answer of a plan under the usual limits."""
    largest = replace(task, mechanics=replace(task.mechanics, room=LARGEST_ROOM))
    # texts of characters that JSON writes with six, as long as may be recorded; equal calls in a row are sent once
    named = "    equip(name={0!r}, slot={0!r}, code={0!r}, quantity={0!r})"
    calls = [named.format(letter * 33) for letter in "\u00e4\u00f6"]
    found = sandbox.execute(largest, "\n".join(["for n in range(12500):", *calls]))
    assert (found.ending.kind, len(found.events)) == (None, 25_000)
    assert most_bytes(Limits()) < 25_000 * len(json.dumps(["equip", [], dict(found.events[0].action.keywords), 2, 1]))


def test_a_row_has_a_room_only_if_it_is_not_the_usual_one(tiny: World, task: Task) -> None:
    assert Task.from_row(task.as_row()) == task
    assert task.as_row()["mechanics"]["room"] == asdict(SMALL)
    assert "room" not in usual(task).as_row()["mechanics"]


@pytest.mark.parametrize(
    ("room", "told"),
    [
        (asdict(LARGEST_ROOM), ""),
        ({**asdict(LARGEST_ROOM), "lines": 25_001}, "$.mechanics.room.lines: expected 25000 or less"),
        ({**asdict(LARGEST_ROOM), "characters": 10**12}, "$.mechanics.room.characters: expected 900000 or less"),
        ({**asdict(LARGEST_ROOM), "parts": 10**9}, "$.mechanics.room.parts: expected 160000 or less"),
        ({**asdict(LARGEST_ROOM), "actions": 10**9}, "$.mechanics.room.actions: expected 25000 or less"),
        ({**asdict(LARGEST_ROOM), "actions": 9}, "$.mechanics.room.actions: expected 10000 or more"),
        ({"lines": 25_000}, "$.mechanics.room: "),
    ],
)
def test_no_row_may_ask_for_more_than_the_largest_room(tiny: World, room: Json, told: str) -> None:
    problems = schema_problems(task_row(tiny, mechanics=mechanics(room=room)), "task", "here")
    assert told in " ".join(map(str, problems))
    assert bool(problems) == bool(told)
