"""Players without a model. The oracle wins in many turns as in one: with a plan in parts, and with calls of tools."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from herobench.agents.agent import OneShot
from herobench.conversation import Form, Message, Reply, Request, Tool
from herobench.suite.contract import Verdict
from herobench.suite.refusals import SuiteFault
from herobench.suites.rpg.game.events import SIGNATURES
from herobench.suites.rpg.game.scoring import score
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.play.attempts import FeedbackAttempt, ToolAttempt
from herobench.suites.rpg.play.execution import extract_code
from herobench.suites.rpg.sandbox import Sandbox
from herobench.suites.rpg.sandbox.language import Rejected, compile_plan
from herobench.suites.rpg.worlds.content import load_rules
from herobench.task_gen.rpg.audit.families import FAMILIES, TRIVIAL
from herobench.task_gen.rpg.audit.families import RULES as THUMB_RULES
from herobench.task_gen.rpg.datasets import shipped_tasks
from herobench.task_gen.rpg.oracle.planner import oracle_code, oracle_plan
from herobench.task_gen.rpg.oracle.steps import Do, Until, split_into_subtasks
from herobench.task_gen.rpg.oracle_player import _Walk
from herobench.task_gen.rpg.players import PLAYERS, build_player
from herobench.task_gen.rpg.refusals import TaskFault
from tests.builders import craft_task
from tests.plays import drake_task
from tests.refusals import raises
from tests.sizes import for_each, many
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


@for_each("name", PLANNERS)
def test_a_player_answers_with_its_plan_as_models_do(name: str, tiny: World) -> None:
    task = makeable(tiny)
    reply = says(tiny, task, name)
    assert (reply.answer, reply.stop, reply.model) == (None, "stop", name)
    assert outcome(tiny, task, reply) == "win"


@for_each("name", [*PLANNERS, "noop"])
def test_a_player_answers_a_straight_task_with_a_straight_plan(name: str, tiny: World) -> None:
    task = with_gear_told(tiny)
    straight = replace(task, mechanics=replace(task.mechanics, plan="straight"))
    plan = extract_code(says(tiny, straight, name).text)
    assert plan is not None
    compile_plan(plan, tuple(SIGNATURES), "straight")
    assert plan == extract_code(says(tiny, task, name).text), "plans are straight unless drops fall by chance"


@for_each("name", PLANNERS)
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
    plan = FAMILIES["greedy"].play(case(tiny, task)).plan
    assert extract_code(says(tiny, task, "greedy").text) == plan.strip()
    assert outcome(tiny, task, says(tiny, task, "greedy")) == "win"


@for_each("name", THUMB_RULES)
def test_a_shortcut_is_the_rule_of_thumb_of_its_name(name: str, tiny: World) -> None:
    task = with_gear_told(tiny)
    plan = FAMILIES[name].play(case(tiny, task)).plan
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


@for_each("name", PLANNERS)
def test_where_the_target_cannot_be_made_a_player_says_so_and_loses(name: str, tiny: World) -> None:
    told = with_gear_told(tiny).knowledge
    task = unskilled(tiny, replace(craft_task(tiny, "bar"), knowledge=replace(told, places=told.places[:1])))
    reply = says(tiny, task, name)
    assert reply.text.startswith("There is no plan")
    assert extract_code(reply.text) is None
    assert outcome(tiny, task, reply) == "lose"


@for_each("name", ["greedy", "shortcut"])
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
    with raises(SuiteFault.NO_PLAYER, "orcale", "oracle, greedy, noop, ", "shortcut."):
        build_player("orcale", tiny, RULES, {})


@for_each("name", ["oracle", "greedy", *TRIVIAL])
def test_some_players_take_no_argument(name: str, tiny: World) -> None:
    with raises(SuiteFault.NO_ARGUMENT, name):
        build_player(f"{name}:x", tiny, RULES, {})


def test_a_shortcut_that_there_is_not_is_refused_with_those_there_are(tiny: World) -> None:
    with raises(TaskFault.NO_SHORTCUT, "'x'", ", ".join(THUMB_RULES)):
        build_player("shortcut:x", tiny, RULES, {})


# -- turn players -----------------------------------------------------------------------------------------------------

MODES = ["feedback", "tools"]
every_mode = pytest.mark.parametrize("mode", MODES)


@pytest.fixture(scope="module")
def sandbox(classic: World) -> Iterator[Sandbox]:
    with Sandbox(classic, RULES) as opened:
        yield opened


class Asked:
    """Asks a player in the name of an attempt, and counts."""

    def __init__(self, world: World, task: Task, mode: str, player: str = "oracle") -> None:
        self.model = build_player(player, world, RULES, {task.id: task}, mode)
        self.task_id = task.id
        self.replies: list[Reply] = []

    async def __call__(
        self,
        messages: tuple[Message, ...],
        tools: tuple[Tool, ...] = (),
        *,
        role: str | None = None,
        form: Form | None = None,
        branch: tuple[str, ...] = (),
    ) -> Reply:
        self.replies.append(await self.model.reply(Request(self.task_id, 0, messages, tools)))
        return self.replies[-1]


def played(sandbox: Sandbox, task: Task, mode: str, player: str = "oracle") -> tuple[Verdict, list[Reply]]:
    attempt = FeedbackAttempt(sandbox, task) if mode == "feedback" else ToolAttempt(sandbox, task)
    ask = Asked(sandbox.world, task, mode, player)
    asyncio.run(OneShot().play(attempt, ask))  # type: ignore[arg-type]
    return attempt.grade(), ask.replies


def some(dataset: str, count: int) -> list[Task]:
    tasks = list(shipped_tasks(dataset).values())
    return tasks[:: max(1, len(tasks) // count)][:count]


@every_mode
@pytest.mark.parametrize(
    ("dataset", "count"), [("base", many(60, 6)), ("leveling", many(20, 2)), ("decoys", many(20, 2))]
)
def test_it_wins_shipped_tasks(sandbox: Sandbox, mode: str, dataset: str, count: int) -> None:
    for task in some(dataset, count):
        verdict, replies = played(sandbox, task, mode)
        assert verdict.won, (task.id, verdict.details["ended"], len(replies))
        assert {reply.model for reply in replies} == {"oracle"}


@every_mode
def test_it_wins_where_drops_fall_by_chance(sandbox: Sandbox, mode: str) -> None:
    for task in some("base", 8)[1 : many(7, 3)]:
        by_chance = replace(task, mechanics=replace(task.mechanics, drop_scale=1.0))
        verdict, replies = played(sandbox, by_chance, mode)
        assert verdict.won, (task.id, verdict.details["ended"], len(replies))


@for_each("player", ["greedy", "noop"])
def test_other_players_give_their_plan_as_the_first_part_and_nothing_more(sandbox: Sandbox, player: str) -> None:
    (task,) = some("base", 1)
    verdict, replies = played(sandbox, task, "feedback", player)
    assert verdict.won == (player == "greedy")
    assert all("nothing more to do" in reply.text for reply in replies[1:])
    with raises(TaskFault.PLAYER_OF_PLANS, player):
        build_player(player, sandbox.world, RULES, {}, "tools")


def test_it_ends_where_another_tool_tells_in_words_that_the_game_is_over(classic: World) -> None:
    (task,) = some("base", 1)
    ask = Asked(classic, task, "tools")
    calls = asyncio.run(ask(())).tool_calls
    over = Message("tool", "The attempt is over.", call_id=calls[0].id)
    assert calls
    assert not asyncio.run(ask((over,))).tool_calls


def test_subtasks_are_the_whole_plan_in_pieces(classic: World) -> None:
    for task in some("base", 8):
        steps = oracle_plan(classic, task.rules(RULES), task)
        subtasks = split_into_subtasks(classic, task, steps)
        assert [step for subtask in subtasks for step in subtask.steps] == list(steps)
        for subtask in subtasks:
            assert subtask.quantity > 0
            assert subtask.code in (classic.items if subtask.kind == "craft" else classic.monsters)
            last = [step for step in subtask.steps if isinstance(step, Do) and step.action in ("craft", "fight")][-1]
            assert last.action == subtask.kind
        assert (subtasks[-1].kind, subtasks[-1].code) == (("fight" if task.kind == "kill" else "craft"), task.target)


def test_steps_behind_the_last_craft_belong_to_it(tiny: World) -> None:
    task = craft_task(tiny, "bar_sword")
    steps = [
        Do("move", (2, 1)),
        Do("craft", ("bar", 2)),
        Do("unequip", ("blade",)),
        Do("equip", ("blade", "bar_sword")),
    ]
    (subtask,) = split_into_subtasks(tiny, task, steps)
    assert (subtask.kind, subtask.code, subtask.quantity) == ("craft", "bar", 2)
    assert list(subtask.steps) == steps
    assert split_into_subtasks(tiny, task, steps[:1]) == []


def test_calls_go_on_behind_the_results_that_are_known(tiny: World) -> None:
    """What a craft takes is not owned any more, so more is fought for."""
    task = craft_task(tiny, "fur_coat")
    fights = Until("fight", (("fur", 4),))
    steps = [fights, Do("craft", ("fur_coat", 1)), fights]
    fought = {"status": 200, "fight": {"drops": []}, "fights": 50, "all_drops": [{"code": "fur", "quantity": 5}]}
    results: list[dict[str, Any]] = []
    called = []
    for result in (fought, {"status": 200, "details": {"items": [{"code": "fur_coat", "quantity": 1}]}}, fought):
        (name, _), *_ = _Walk(tiny, task, results).calls(steps)
        called.append(name)
        results.append(result)
    assert called == ["fight", "craft", "fight"]
    assert list(_Walk(tiny, task, results).calls(steps)) == []
