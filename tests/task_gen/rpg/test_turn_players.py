"""The oracle wins in many turns as it does in one: with a plan in parts, and with calls of tools."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from herobench.agents.agent import OneShot
from herobench.conversation import Form, Message, Reply, Request, Tool
from herobench.data.errors import UsageError
from herobench.sandbox import Sandbox
from herobench.suite.contract import Verdict
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.play.attempts import FeedbackAttempt, ToolAttempt
from herobench.suites.rpg.worlds.content import load_rules
from herobench.task_gen.rpg.datasets import shipped_tasks
from herobench.task_gen.rpg.oracle.planner import oracle_plan
from herobench.task_gen.rpg.oracle.steps import Do, FightUntil, subtasks_of
from herobench.task_gen.rpg.players import build_player
from herobench.task_gen.rpg.turn_players import _Walk
from tests.builders import craft_task
from tests.sizes import many

RULES = load_rules()
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


@pytest.mark.parametrize("player", ["greedy", "noop"])
def test_other_players_give_their_plan_as_the_first_part_and_nothing_more(sandbox: Sandbox, player: str) -> None:
    (task,) = some("base", 1)
    verdict, replies = played(sandbox, task, "feedback", player)
    assert verdict.won == (player == "greedy")
    assert all("nothing more to do" in reply.text for reply in replies[1:])
    with pytest.raises(UsageError, match=f"The player {player} makes whole plans and calls no tools"):
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
        subtasks = subtasks_of(classic, task, steps)
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
    (subtask,) = subtasks_of(tiny, task, steps)
    assert (subtask.kind, subtask.code, subtask.quantity) == ("craft", "bar", 2)
    assert list(subtask.steps) == steps
    assert subtasks_of(tiny, task, steps[:1]) == []


def test_calls_go_on_behind_the_results_that_are_known(tiny: World) -> None:
    """What a craft takes is not owned any more, so more is fought for."""
    task = craft_task(tiny, "fur_coat")
    fights = FightUntil((("fur", 4),))
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
