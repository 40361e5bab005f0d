from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from herobench.conversation import Reply, Request
from herobench.data.errors import UsageError
from herobench.sandbox import Sandbox
from herobench.sandbox.language import Rejected, compile_plan
from herobench.suites.rpg.game.arguments import SIGNATURES
from herobench.suites.rpg.game.scoring import score
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.play.plan import extract_code
from herobench.suites.rpg.worlds.content import load_rules
from herobench.task_gen.rpg.audit.families import greedily
from herobench.task_gen.rpg.audit.thumb_rules import RULES as THUMB_RULES
from herobench.task_gen.rpg.audit.thumb_rules import TRIVIAL, by_rule
from herobench.task_gen.rpg.oracle.planner import oracle_code
from herobench.task_gen.rpg.oracle.steps import as_code
from herobench.task_gen.rpg.players import PLAYERS, build_player
from tests.builders import craft_task
from tests.plays import drake_task
from tests.task_gen.rpg.audit.cases import WINNING, armed, case

RULES = load_rules()
PLANNERS = ("oracle", "greedy", "shortcut")


def says(world: World, task: Task, name: str) -> Reply:
    """Return a player's reply to a task."""

    async def ask() -> Reply:
        model = build_player(name, world, RULES, {"id": task})
        reply = await model.reply(Request("id", 0, []))
        await model.close()
        return reply

    return asyncio.run(ask())


def makeable(world: World) -> Task:
    """Return a task to craft a bar, with all that it takes told."""
    return replace(craft_task(world, "bar"), knowledge=with_gear_told(world).knowledge)


def outcome(world: World, task: Task, reply: Reply) -> str:
    with Sandbox(world, RULES) as sandbox:
        episode = sandbox.execute(task, extract_code(reply.text))
    return score(task, world, RULES, episode).outcome


@pytest.mark.parametrize("name", PLANNERS)
def test_a_player_answers_with_its_plan_as_models_do(name: str, tiny: World) -> None:
    task = makeable(tiny)
    reply = says(tiny, task, name)
    assert (reply.answer, reply.stop, reply.model) == (None, "stop", name)
    assert outcome(tiny, task, reply) == "win"


@pytest.mark.parametrize("name", [*PLANNERS, "noop"])
def test_a_player_answers_a_straight_task_with_a_straight_plan(name: str, tiny: World) -> None:
    task = with_gear_told(tiny)
    straight = replace(task, mechanics=replace(task.mechanics, plan="straight"))
    plan = extract_code(says(tiny, straight, name).text)
    assert plan is not None
    compile_plan(plan, tuple(SIGNATURES), "straight")
    assert plan == extract_code(says(tiny, task, name).text), "plans are straight unless drops fall by chance"


@pytest.mark.parametrize("name", PLANNERS)
def test_a_player_does_not_wait_for_chance_in_a_straight_plan(name: str, tiny: World) -> None:
    task = with_gear_told(tiny)
    by_chance = replace(task, mechanics=replace(task.mechanics, drop_scale=2.0))
    plan = extract_code(says(tiny, by_chance, name).text)
    assert plan is not None
    with pytest.raises(Rejected):
        compile_plan(plan, tuple(SIGNATURES), "straight")
    straight = replace(by_chance, mechanics=replace(by_chance.mechanics, plan="straight"))
    assert says(tiny, straight, name).text.startswith("There is no plan")


def test_the_oracle_plays_what_is_proven(tiny: World) -> None:
    task = drake_task(tiny)
    assert extract_code(says(tiny, task, "oracle").text) == oracle_code(tiny, RULES, task).strip()
    assert outcome(tiny, task, says(tiny, task, "oracle")) == "win"


def test_greedy_plays_greedily(tiny: World) -> None:
    task = with_gear_told(tiny)
    plan = as_code(greedily(case(tiny, task)).steps)
    assert extract_code(says(tiny, task, "greedy").text) == plan.strip()
    assert outcome(tiny, task, says(tiny, task, "greedy")) == "win"


@pytest.mark.parametrize("name", THUMB_RULES)
def test_a_shortcut_is_the_rule_of_thumb_of_its_name(name: str, tiny: World) -> None:
    task = with_gear_told(tiny)
    plan = as_code(by_rule(case(tiny, task), name).steps)
    assert extract_code(says(tiny, task, f"shortcut:{name}").text) == plan.strip()


def test_a_shortcut_without_a_name_is_the_first(tiny: World) -> None:
    task = with_gear_told(tiny)
    assert says(tiny, task, "shortcut").text == says(tiny, task, f"shortcut:{next(iter(THUMB_RULES))}").text


def with_gear_told(world: World) -> Task:
    """Return a task against the drake whose prompt tells of gear that beats it."""
    return armed(world, **WINNING)


def unskilled(world: World, task: Task) -> Task:
    """Return a task for a hero who can neither dig nor craft."""
    return replace(task, hero=replace(task.hero, skills=dict.fromkeys(world.skills, (0, 0, 150))))


@pytest.mark.parametrize("name", PLANNERS)
def test_where_the_target_cannot_be_made_a_player_says_so_and_loses(name: str, tiny: World) -> None:
    told = with_gear_told(tiny).knowledge
    task = unskilled(tiny, replace(craft_task(tiny, "bar"), knowledge=replace(told, places=told.places[:1])))
    reply = says(tiny, task, name)
    assert reply.text.startswith("There is no plan")
    assert extract_code(reply.text) is None
    assert outcome(tiny, task, reply) == "lose"


@pytest.mark.parametrize("name", ["greedy", "shortcut"])
def test_who_can_make_nothing_fights_as_he_is_and_loses(name: str, tiny: World) -> None:
    task = unskilled(tiny, with_gear_told(tiny))
    reply = says(tiny, task, name)
    assert (extract_code(reply.text) or "").endswith('fight("Hero")')
    assert outcome(tiny, task, reply) == "lose"


def test_noop_does_nothing(tiny: World) -> None:
    reply = says(tiny, drake_task(tiny), "noop")
    assert (extract_code(reply.text), reply.stop, reply.model) == ("pass", "stop", "noop")
    assert outcome(tiny, drake_task(tiny), reply) == "lose"


def test_each_player_is_made_by_its_name(tiny: World) -> None:
    assert set(PLAYERS) == {*PLANNERS, *TRIVIAL, "refuser"}
    assert [says(tiny, makeable(tiny), name).model for name in PLAYERS] == list(PLAYERS)
    with pytest.raises(
        UsageError, match=r"There is no player 'orcale': give one of oracle, greedy, noop, .*, shortcut\."
    ):
        build_player("orcale", tiny, RULES, {})


@pytest.mark.parametrize("name", ["oracle", "greedy", *TRIVIAL])
def test_some_players_take_no_argument(name: str, tiny: World) -> None:
    with pytest.raises(UsageError, match=f"The model {name} takes no argument, and 'x' is one"):
        build_player(f"{name}:x", tiny, RULES, {})


def test_a_shortcut_that_there_is_not_is_refused_with_those_there_are(tiny: World) -> None:
    with pytest.raises(UsageError, match=f"'x': give one of {', '.join(THUMB_RULES)}"):
        build_player("shortcut:x", tiny, RULES, {})
