"""Players of the RPG without a model: they look at the task itself and answer as models do.

`oracle` plays the plan that is proven to win, and gives up what it proves to be impossible. `greedy` computes fights,
but one item at a time. `shortcut` computes nothing and makes what the prompt lists; `shortcut:NAME` goes by another
rule of thumb. `noop` and the other trivial players make nothing: they show what a task gives away for free. One of
them, `refuser`, gives every task up. The suite hands them out by name.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from herobench.conversation import Reply, Request
from herobench.data.errors import UsageError
from herobench.suite.players import SuitePlayer, parse_player
from herobench.suites.rpg.play.execution import as_answer
from herobench.task_gen.rpg.audit.families import FAMILIES, RULES, TRIVIAL
from herobench.task_gen.rpg.audit.workshop import Case
from herobench.task_gen.rpg.oracle.steps import Unplannable
from herobench.task_gen.rpg.refusals import TaskFault
from herobench.task_gen.rpg.tasks.spec import PLAYERS

if TYPE_CHECKING:
    from herobench.suites.rpg.game.rules import Rules
    from herobench.suites.rpg.game.task import Task
    from herobench.suites.rpg.game.world import World
    from herobench.task_gen.rpg.oracle_player import Oracle

Player = Callable[["World", "Rules", "Task"], str | None]
"""Makes a plan for a task; None when it finds none."""
_WITH_ARGUMENT = ("shortcut",)


def build_player(
    name: str, world: World, rules: Rules, tasks: Mapping[str, Task], mode: str = "plan"
) -> PlayerModel | Oracle:
    """Make a player by its name, for a mode of the suite. Raise UsageError for an unknown name."""
    if parse_player("rpg", name, PLAYERS, _WITH_ARGUMENT)[0] == "oracle":
        # with the planner and numpy, which no other player needs
        from herobench.task_gen.rpg.oracle_player import Oracle

        return Oracle(world, rules, tasks, mode)
    plan_player = player(name)
    if mode == "tools":
        raise UsageError(TaskFault.PLAYER_OF_PLANS, name=name)
    return PlayerModel(name, plan_player, world, rules, tasks)


def player(name: str) -> Player:
    """Return what makes a player's plans, by the player's name. Raise UsageError for an unknown name."""
    family, rule = parse_player("rpg", name, PLAYERS, _WITH_ARGUMENT)
    if family == "shortcut":
        family = rule or next(iter(RULES))
        if family not in RULES:
            raise UsageError(TaskFault.NO_SHORTCUT, rule=rule, rules=", ".join(RULES))
    # The plan of a trivial player is not empty when it does nothing.
    empty = "pass" if family in TRIVIAL else None
    return lambda world, rules, task: FAMILIES[family].play(Case(world, rules, task)).plan or empty


class PlayerModel(SuitePlayer):
    """A player that makes whole plans. In a game of several turns, its plan is the first part."""

    def __init__(self, name: str, player: Player, world: World, rules: Rules, tasks: Mapping[str, Task]) -> None:
        super().__init__(name)
        self._player = player
        self._world, self._rules, self._tasks = world, rules, tasks

    async def _answer(self, request: Request) -> Reply:
        """Return the player's plan. A player without a plan says so, which is an answer without a plan."""
        task = self._tasks[request.task_id]
        if any(message.role == "assistant" for message in request.messages):
            return Reply("There is nothing more to do.", stop="stop")
        try:
            plan = await asyncio.to_thread(self._player, self._world, self._rules, task)
        except Unplannable as reason:
            return Reply(f"There is no plan: {reason}", stop="stop")
        text = "There is no plan." if plan is None else as_answer(plan)
        return Reply(text, stop="stop")
