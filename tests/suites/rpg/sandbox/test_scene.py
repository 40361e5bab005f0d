"""A game that goes on, part by part: the worker's and the parent's are the same game."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from herobench.suites.rpg.game.responses import character
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.sandbox import Sandbox
from herobench.suites.rpg.sandbox.wire import Scene, decode, frame, resumed_game
from herobench.suites.rpg.worlds.content import load_rules
from tests.builders import hero_row, tiny_task
from tests.kept_workers import borrowed, keeping
from tests.plays import STRONG, as_plan

STEPS = ["move 1 0", "move 0 1", "fight", "gather 2", "move 9 9", "equip blade club", "unequip blade", "buy salt 1",
         "move 0 2", "craft bar 1", "gather x", "equip consumable1 broth 3"]  # fmt: skip

WRONG = ["fight 1 2", "gather y=1", "craft", "move 1 0 x=1"]
"""Calls that raise an error in the plan."""


@pytest.fixture(scope="module", autouse=True)
def own_workers() -> Iterator[None]:
    """These tests are not about workers."""
    with keeping(borrowed):
        yield


def chancy(tiny: World, **changes: object) -> Task:
    mechanics = {"leveling": True, "drop_scale": 2.0, **changes}
    hero = hero_row(stats=STRONG, worn={"blade": "twig"}, inventory={"club": 1, "broth": 5})
    return tiny_task(tiny, hero=hero, mechanics=mechanics)


@given(
    st.lists(st.lists(st.sampled_from([*STEPS, *WRONG]), max_size=6), max_size=4),
    st.sampled_from([{}, {"budget": 1}, {"budget": 4}, {"defeat": "final"}, {"defeat": "final", "budget": 2}]),
    st.booleans(),
)
def test_a_plan_that_sees_nothing_ends_as_one_that_could_look(
    sandbox: Sandbox, parts: list[list[str]], ends: dict[str, object], strong: bool
) -> None:
    """The worker plays no game for the first, which is only calls."""
    task = chancy(sandbox.world, **ends)
    task = task if strong else tiny_task(sandbox.world, mechanics={"leveling": True, "drop_scale": 2.0, **ends})
    blind, looking = sandbox.scene(task), sandbox.scene(task)
    for part in parts:
        plan = as_plan("; ".join(part)) or "pass\n"
        assert sandbox.go_on(blind, plan) == sandbox.go_on(looking, f"{plan}1 + 1")


def test_a_wrong_call_after_the_budget_comes_too_late(sandbox: Sandbox, tiny: World) -> None:
    scene = sandbox.scene(chancy(tiny, budget=2))
    assert sandbox.go_on(scene, as_plan("move 1 0")).finished
    assert sandbox.go_on(scene, as_plan("fight; fight 1 2")).ending.how == "over_budget"


@given(st.lists(st.lists(st.sampled_from(STEPS), max_size=6), max_size=5))
def test_parts_leave_the_game_as_one_plan_does(sandbox: Sandbox, parts: list[list[str]]) -> None:
    task = chancy(sandbox.world)
    scene = sandbox.scene(task)
    told = [event for part in parts for event in sandbox.go_on(scene, as_plan("; ".join(part)) or "pass").events]
    whole = sandbox.scene(task)
    episode = sandbox.go_on(whole, as_plan("; ".join(step for part in parts for step in part)) or "pass")
    assert [event.detail for event in told] == [event.detail for event in episode.events]
    assert [event.status for event in scene.game.events] == [event.status for event in episode.events]
    assert character(sandbox.world, scene.game.hero) == character(sandbox.world, whole.game.hero)


def test_the_worker_sees_the_hero_where_the_parent_has_him(sandbox: Sandbox, tiny: World) -> None:
    scene = sandbox.scene(chancy(tiny))
    sandbox.go_on(scene, as_plan("move 1 0; " + "fight; " * 30 + "move 0 1; gather 9"))
    part = sandbox.go_on(scene, "move('Hero', 1, 0)\nresponse = fight('Hero')\nprint(response[1]['character'])")
    assert part.output.strip() == str(character(tiny, scene.game.hero))


def test_a_request_is_a_message_from_which_the_same_game_is_made(tiny: World) -> None:
    for told in (False, True):
        scene = Scene(tiny, load_rules(), chancy(tiny), told=told)
        request = decode(frame(scene.request())[4:])
        game = resumed_game(tiny, request)
        assert (game.world.digest, game.events) == (scene.game.world.digest, [])
        assert (game.world.digest == tiny.digest) == (not told)


@pytest.mark.slow
def test_most_actions_of_the_longest_arguments_get_through(sandbox: Sandbox, tiny: World) -> None:
    """What was done before is sent with each part, and must not be too long for a message."""
    scene = sandbox.scene(chancy(tiny))
    plan = "x, y = 'x' * 200, 'y' * 200\nfor n in range(4995):\n"
    plan += "    equip(name=x, slot=y, code=x, quantity=x)\n    equip(name=y, slot=x, code=x, quantity=x)"
    assert sandbox.go_on(scene, plan).finished
    assert len(scene.game.events) == 9990
    assert sandbox.go_on(scene, as_plan("move 1 0")).finished


def test_a_game_that_goes_on_is_not_given_up(sandbox: Sandbox, tiny: World) -> None:
    task = chancy(tiny, closed=[[2, 0]])
    scene = sandbox.scene(task)
    assert not scene.begun
    assert sandbox.go_on(sandbox.scene(task), "give_up('no')").ending.how == "gave_up"
    sandbox.go_on(scene, as_plan("move 1 0"))
    assert scene.begun
    assert sandbox.go_on(scene, "give_up('no')").ending.how != "gave_up"


def test_actions_are_written_with_equal_ones_once(tiny: World) -> None:
    scene = Scene(tiny, load_rules(), chancy(tiny))
    with Sandbox(tiny, load_rules()) as sandbox:
        sandbox.go_on(scene, "move('Hero', 1, 0)\nfor _ in range(500):\n    fight('Hero')")
    assert len(scene.request()["before"]) == 2
    again = Scene(tiny, load_rules(), chancy(tiny)).do(event.action for event in scene.game.events)
    assert json.dumps(again.request()) == json.dumps(scene.request())


@pytest.mark.parametrize("ends", [{"defeat": "final"}, {"budget": 2}])
def test_a_game_that_is_over_does_not_go_on(sandbox: Sandbox, tiny: World, ends: dict[str, object]) -> None:
    task = tiny_task(tiny, mechanics={"leveling": False, "drop_scale": None, **ends})
    scene = sandbox.scene(task)
    sandbox.go_on(scene, as_plan("move 2 0; fight; move 1 0"))
    done = [event.action for event in scene.game.events]
    assert (scene.game.over, len(done)) == (True, 2)
    part = sandbox.go_on(scene, as_plan("move 1 0"))
    assert (part.events, part.ending.reason) == ((), "the game is over")
    late = sandbox.scene(task).do([*done, done[0], done[0]])
    assert (late.game.over, len(late.game.events)) == (True, 2)
