from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace

import pytest

from herobench.conversation import Reply
from herobench.errors import UsageError
from herobench.models.failure import Kind, ModelError
from herobench.models.model import Sampling, Setting
from herobench.rpg.content import load_rules
from herobench.rpg.plan import extract_code
from herobench.rpg.scoring import score
from herobench.rpg.task import Task
from herobench.rpg.world import World
from herobench.sandbox import Sandbox
from herobench.task_gen import players
from herobench.task_gen.baselines import BASELINES, baseline_plan
from herobench.task_gen.greedy import greedy_plan
from herobench.task_gen.oracle.planner import oracle_code
from herobench.task_gen.players import PlayerModel
from tests.builders import craft_task, hero_row
from tests.plays import drake_task

RULES = load_rules()
Build = Callable[[Setting], PlayerModel]
BUILDS: dict[str, Build] = {"oracle": players.oracle, "greedy": players.greedy, "shortcut": players.shortcut}


def setting(world: object, name: str, argument: str = "", sampling: Sampling | None = None) -> Setting:
    return Setting(name, argument, sampling or Sampling(), world=world, rules=RULES)


def says(world: World, task: object, name: str, argument: str = "") -> Reply:
    """Return a player's reply to a task."""

    async def ask() -> Reply:
        model = BUILDS[name](setting(world, name, argument))
        reply = await model.reply(Question("id", 0, "a prompt that no player reads", task), [])
        await model.close()
        return reply

    return asyncio.run(ask())


def outcome(world: World, task: Task, reply: Reply) -> str:
    with Sandbox(world, RULES) as sandbox:
        episode = sandbox.execute(task, extract_code(reply.text))
    return score(task, world, RULES, episode).outcome


@pytest.mark.parametrize("name", BUILDS)
def test_a_player_answers_with_its_plan_as_models_do(name: str, tiny: World) -> None:
    task = craft_task(tiny, "brick")
    reply = says(tiny, task, name)
    assert (reply.plan, reply.stop, reply.model) == (None, "stop", name)
    assert outcome(tiny, task, reply) == "win"


def test_the_oracle_plays_what_is_proven(tiny: World) -> None:
    task = drake_task(tiny)
    assert extract_code(says(tiny, task, "oracle").text) == oracle_code(tiny, RULES, task).strip()
    assert outcome(tiny, task, says(tiny, task, "oracle")) == "win"


def test_greedy_plays_greedily(tiny: World) -> None:
    task = with_gear_told(tiny)
    plan = greedy_plan(tiny, RULES, task)
    assert plan is not None
    assert extract_code(says(tiny, task, "greedy").text) == plan.strip()


@pytest.mark.parametrize("name", BASELINES)
def test_a_shortcut_is_the_baseline_of_its_name(name: str, tiny: World) -> None:
    task = with_gear_told(tiny)
    plan = baseline_plan(tiny, RULES, task, name)
    assert plan is not None
    assert extract_code(says(tiny, task, "shortcut", name).text) == plan.strip()


def test_a_shortcut_without_a_name_is_the_first(tiny: World) -> None:
    task = with_gear_told(tiny)
    assert says(tiny, task, "shortcut").text == says(tiny, task, "shortcut", next(iter(BASELINES))).text


def with_gear_told(world: World) -> Task:
    """Return a task against the drake whose prompt tells of gear that beats it."""
    task = drake_task(world)
    return replace(task, knowledge=replace(task.knowledge, recipes=("bar_sword", "fur_coat"), stats=("twig",)))


@pytest.mark.parametrize("name", BUILDS)
def test_where_there_is_no_plan_a_player_says_so_and_loses(name: str, tiny: World) -> None:
    unskilled = {"digging": hero_row()["skills"]["digging"]}
    bare = drake_task(tiny, hero=hero_row(worn={"blade": "twig"}, skills=unskilled))
    task = replace(bare, knowledge=with_gear_told(tiny).knowledge)
    reply = says(tiny, task, name)
    assert reply.text.startswith("There is no plan")
    assert extract_code(reply.text) is None
    assert outcome(tiny, task, reply) == "lose"


@pytest.mark.parametrize("name", ["oracle", "greedy"])
def test_some_players_take_no_argument(name: str, tiny: World) -> None:
    with pytest.raises(UsageError, match=f"The model {name} takes no argument"):
        BUILDS[name](setting(tiny, f"{name}:x", "x"))


def test_a_shortcut_that_there_is_not_is_refused_with_those_there_are(tiny: World) -> None:
    with pytest.raises(UsageError, match=f"'x': give one of {', '.join(BASELINES)}"):
        players.shortcut(setting(tiny, "shortcut:x", "x"))


@pytest.mark.parametrize("name", BUILDS)
@pytest.mark.parametrize(
    "sampling",
    [
        Sampling(max_tokens=1),
        Sampling(temperature=0.0),
        Sampling(top_p=0.0),
        Sampling(seed=0),
        Sampling(reasoning_effort="low"),
        Sampling(extra_body={"top_k": 1}),
    ],
)
def test_no_player_takes_what_it_would_ignore(name: str, sampling: Sampling, tiny: World) -> None:
    (chosen,) = sampling.chosen()
    with pytest.raises(UsageError, match=f"The model {name} takes no {chosen}"):
        BUILDS[name](setting(tiny, name, sampling=sampling))


@pytest.mark.parametrize("name", BUILDS)
def test_players_play_the_rpg_only(name: str, tiny: World) -> None:
    with pytest.raises(UsageError, match="plays the RPG only"):
        BUILDS[name](setting("another suite", name))
    with pytest.raises(ModelError, match="plays the RPG only") as failure:
        says(tiny, "a task of another suite", name)
    assert failure.value.kind is Kind.PLAYER
