"""The lanes: what a prompt tells of the certified plan, and what programs make of it that do not know the game."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from typing import Any

import pytest

from herobench.conversation import Reply
from herobench.data.errors import UsageError
from herobench.prompts.rpg.render import prompt_digest, render_prompt
from herobench.prompts.rpg.told import lane_digest, told_section
from herobench.suite.contract import SuiteSetting, Verdict
from herobench.suites.rpg.game.calls import straight_calls
from herobench.suites.rpg.game.decisions import plan_decisions
from herobench.suites.rpg.game.events import Fought
from herobench.suites.rpg.game.game import Game
from herobench.suites.rpg.game.task import Certificate, Task, Told
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.suite import Rpg
from herobench.suites.rpg.worlds.content import load_rules, load_world
from herobench.task_gen.rpg.datasets import shipped_tasks
from herobench.task_gen.rpg.oracle.steps import Do, Until, as_code
from tests.builders import hero_row, task_row, tiny_task
from tests.prompts.rpg.lane_players import gear_in, steps_in, translated, unable_to_count
from tests.sizes import THOROUGH, for_each, some_slow

RULES = load_rules()
SETS = ("base", "leveling", "noise", "decoys")
_RUNGS = 10


def certified(world: World, *steps: Any, task: Task | None = None) -> Task:
    certificate = Certificate(as_code(steps), sum(getattr(step, "times", 1) for step in steps), 1, 1, 1, {})
    return replace(task or tiny_task(world), certificate=certificate)


def sample(name: str) -> list[Task]:
    """The first task of each rung or bracket."""
    tasks = list(shipped_tasks(name).values())
    return tasks[:: max(1, len(tasks) // _RUNGS)][:_RUNGS]


@pytest.fixture(scope="module", params=some_slow(["plain", "random"], {"random"}))
def names(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def played(lane: Told, names: str, answer: Any, rungs: slice = slice(None)) -> Iterator[tuple[Task, Verdict]]:
    """Let a program answer the prompts of a lane on some rungs. Yield each task with its verdict."""
    with closing(Rpg(SuiteSetting(options={"lane": lane, "names": names}))) as suite:
        for task in sample("base")[rungs]:
            attempt = suite.open(task.id, 0)
            attempt.step(Reply(answer(attempt.messages[0].text)))
            yield task, attempt.grade()


# -- programs that read a prompt --------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_program_that_writes_down_the_told_steps_wins_on_every_rung(names: str) -> None:
    # under opaque names the longest prompts take most of the time, and are told as the shorter ones are
    rungs = slice(None) if THOROUGH or names == "plain" else slice(0, 7, 2)
    lengths = []
    for task, verdict in played("steps", names, translated, rungs):
        assert (verdict.won, verdict.details["told"]) == (True, "steps"), task.id
        lengths.append(verdict.details["decisions"])
    assert len(lengths) == len(range(_RUNGS)[rungs])
    assert lengths[0] < 8
    assert lengths[-1] > 50


def test_a_program_that_cannot_count_loses_with_the_told_gear_where_something_is_fetched(names: str) -> None:
    wins = {task.id: verdict.won for task, verdict in played("gear", names, unable_to_count)}
    assert wins == {
        task.id: not any(name in task.certificate.plan for name in ("gather(", "buy("))
        for task in sample("base")
        if task.certificate
    }


# -- steps ------------------------------------------------------------------------------------------------------------


@for_each("name", SETS)
def test_each_decision_is_a_line_and_the_lines_are_the_certified_plan(name: str) -> None:
    world = load_world()
    for task in sample(name):
        assert task.certificate
        prompt = render_prompt(world, task, RULES, "steps")
        assert len(steps_in(prompt)) == plan_decisions(task.certificate)
        told = translated(prompt).removeprefix("```python\n").removesuffix("\n```")
        # a plan repeats an action in a loop or by itself, and its gathering may leave out the quantity
        assert expanded(told) == expanded(task.certificate.plan), task.id


def expanded(code: str) -> list[str]:
    """The calls of a plan as lines, each as often as it is made."""
    lines: list[str] = []
    for loop, line in re.findall(r"(?:for _ in range\((\d+)\):\n +)?(\w+\(.*\))", code):
        lines += [line.replace(", 1)", ")") if line.startswith("gather") else line] * int(loop or 1)
    return lines


def test_no_lane_tells_the_answer_as_code() -> None:
    world = load_world()
    for task in sample("base"):
        assert task.certificate
        calls = set(re.findall(r"\w+\(.*\)", task.certificate.plan))
        for lane in ("gear", "steps"):
            told = told_section(world, task, lane)
            assert "(" not in told
            assert not any(call in told for call in calls)


@for_each(
    ("steps", "lines"),
    [
        ([Do("move", (2, 1)), Do("fight")], ["Go to 2, 1.", "Fight `drake` once."]),
        ([Do("move", (2, 1)), Do("fight", (), 3)], ["Go to 2, 1.", "Fight `drake` 3 times."]),
        ([Do("move", (1, 1)), Do("gather", (6,), 2)], ["Go to 1, 1.", "Gather from `vein` 6 times. Do this 2 times"]),
        ([Do("buy", ("salt", 2)), Do("craft", ("bar", 1))], ["Buy 2 of `salt`.", "Craft 1 of `bar`."]),
        ([Do("unequip", ("blade",))], ["Take off what is in the slot `blade`."]),
        ([Do("equip", ("blade", "twig"))], ["Put on `twig` in the slot `blade`."]),
        (
            [Do("move", (2, 1)), Until("fight", (("scale", 2), ("fur", 1)))],
            ["Go to 2, 1.", "Fight `drake` until the hero has at least 2 of `scale` and 1 of `fur`."],
        ),
        (
            [Do("move", (1, 1)), Until("gather", (("ore", 2),))],
            ["Go to 1, 1.", "Gather from `vein`, 100 times at once, until the hero has at least 2 of `ore`."],
        ),
    ],
)
def test_each_kind_of_step_is_a_plain_sentence(tiny: World, steps: list[Any], lines: list[str]) -> None:
    places = {content.code: place for place, tile in tiny.tiles.items() if (content := tile.content)}
    here = {(2, 1): places["drake"], (1, 1): next(place for code, place in places.items() if code in tiny.resources)}
    node = next(code for code in places if code in tiny.resources)
    moved = [step._replace(args=here[step.args]) if getattr(step, "action", "") == "move" else step for step in steps]
    told = steps_in(render_prompt(tiny, certified(tiny, *moved), RULES, "steps"))
    wanted = [line.replace("`vein`", f"`{node}`") for line in lines]
    for old, new in here.items():
        wanted = [line.replace(f"Go to {old[0]}, {old[1]}.", f"Go to {new[0]}, {new[1]}.") for line in wanted]
    assert len(told) == len(wanted)
    assert all(line.startswith(begin) for line, begin in zip(told, wanted, strict=True)), told


# -- gear -------------------------------------------------------------------------------------------------------------


@for_each("name", SETS)
def test_the_told_gear_is_what_the_certified_plan_fights_in(name: str) -> None:
    """Against the game itself: what the hero has on in each fight that the plan wins."""
    world = load_world()
    for task in sample(name):
        assert task.certificate
        own = task.rules(RULES)
        game = Game(world, own, task.hero, task.seed)
        fought: dict[tuple[str, frozenset[tuple[str, str]]], int] = {}
        for call in straight_calls(task.certificate.plan) or ():
            event = game.act(call.action)
            if isinstance(event.detail, Fought):
                assert event.detail.won
                key = (event.detail.monster, frozenset(game.hero.worn.items()))
                fought[key] = fought.get(key, 0) + 1
        told = gear_in(render_prompt(world, task, RULES, "gear"))
        assert {(code, frozenset(gear.items())) for _, code, gear in told} == fought.keys(), task.id
        assert [code for is_goal, code, _ in told if is_goal] == [task.target] * (task.kind == "kill")


def test_fights_for_no_goal_are_told_in_the_order_of_their_names_behind_the_goal(tiny: World) -> None:
    places = {content.code: place for place, tile in tiny.tiles.items() if (content := tile.content)}
    others = sorted(code for code in tiny.monsters if code in places and code != "drake")[:2]
    fights = [*reversed(others), others[0], "drake", "drake"]
    steps = [step for code in fights for step in (Do("move", places[code]), Do("fight"))]
    told = gear_in(render_prompt(tiny, certified(tiny, *steps), RULES, "gear"))
    assert [(is_goal, code) for is_goal, code, _ in told] == [(True, "drake"), *((False, code) for code in others)]


def test_a_plan_without_a_fight_is_said_to_have_none(tiny: World) -> None:
    prompt = render_prompt(tiny, certified(tiny, Do("gather", (1,))), RULES, "gear")
    assert "It has no fight." in prompt
    assert gear_in(prompt) == []


# -- what the lanes share ---------------------------------------------------------------------------------------------


@for_each("track", ["program", "straight"])
def test_a_lane_adds_a_section_before_the_answer_and_changes_nothing_else(tiny: World, track: str) -> None:
    mechanics = {"leveling": False, "drop_scale": None, "plan": track}
    task = certified(tiny, Do("fight"), task=tiny_task(tiny, mechanics=mechanics))
    plan = render_prompt(tiny, task, RULES, "plan")
    assert plan == render_prompt(tiny, task, RULES)
    for lane in ("gear", "steps"):
        added = told_section(tiny, task, lane)
        told = render_prompt(tiny, task, RULES, lane)
        assert told.count(added) == 1
        assert told.replace(f"{added}\n\n", "") == plan
        assert told[told.index(added) + len(added) :].startswith("\n\n# Answer\n")


def test_the_words_of_a_lane_are_in_its_digest_alone() -> None:
    assert len({lane_digest("gear"), lane_digest("steps"), prompt_digest()}) == 3


@for_each("lane", ["gear", "steps"])
@for_each("plan", [None, "if 1:\n    fight('Hero')\n", "dance(1)\n"])
def test_a_task_without_a_plan_that_can_be_told_is_refused_with_the_reason(
    tiny: World, lane: Told, plan: str | None
) -> None:
    task = tiny_task(tiny) if plan is None else replace(certified(tiny), certificate=Certificate(plan, 9, 1, 1, 1, {}))
    with pytest.raises(UsageError, match=r"task 1/1_Frost Drake_kill has no certified plan that could be told"):
        render_prompt(tiny, task, RULES, lane)


def test_the_hero_of_a_lane_is_the_one_of_the_task(tiny: World) -> None:
    """What he wears at the start is worn until the plan takes it off."""
    hero = hero_row(worn={"blade": "twig"})
    place = next(place for place, tile in tiny.tiles.items() if tile.content and tile.content.code == "drake")
    task = certified(tiny, Do("move", place), Do("fight"), task=Task.from_row(task_row(tiny, hero=hero)))
    assert gear_in(render_prompt(tiny, task, RULES, "gear")) == [(True, "drake", {"blade": "twig"})]
    bare = certified(tiny, Do("unequip", ("blade",)), Do("move", place), Do("fight"), task=task)
    prompt = render_prompt(tiny, bare, RULES, "gear")
    assert "- goal 1: beat `drake` in nothing" in prompt
    assert gear_in(prompt) == [(True, "drake", {})]
