"""Players without a model: they look at the task itself, and answer as models do, through the same door.

`oracle` plays the plan that is proven to win: what a perfect model would get. `greedy` computes fights, but one item at
a time. `shortcut` computes nothing and makes what the prompt lists; `shortcut:NAME` is one of the other baselines.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from herobench.errors import UsageError
from herobench.models.failure import Kind, ModelError
from herobench.conversation import Reply, Request
from herobench.models.model import Setting
from herobench.rpg.plan import as_answer
from herobench.rpg.rules import Rules
from herobench.rpg.task import Task
from herobench.rpg.world import World
from herobench.task_gen.baselines import BASELINES, baseline_plan
from herobench.task_gen.greedy import greedy_plan
from herobench.task_gen.oracle.planner import oracle_code
from herobench.task_gen.oracle.unplannable import Unplannable

Player = Callable[[World, Rules, Task], str | None]
"""Makes a plan for a task; None where it finds none."""


def oracle(setting: Setting) -> PlayerModel:
    """The oracle; an entry point."""
    return PlayerModel(setting, _without_argument(setting, oracle_code))


def greedy(setting: Setting) -> PlayerModel:
    """The greedy player; an entry point."""
    return PlayerModel(setting, _without_argument(setting, greedy_plan))


def shortcut(setting: Setting) -> PlayerModel:
    """A baseline; an entry point."""
    name = setting.argument or next(iter(BASELINES))
    if name not in BASELINES:
        raise UsageError(f"There is no baseline {name!r}: give one of {', '.join(BASELINES)}.")
    return PlayerModel(setting, lambda world, rules, task: baseline_plan(world, rules, task, name))


def _without_argument(setting: Setting, player: Player) -> Player:
    if setting.argument:
        raise UsageError(f"The model {setting.name.partition(':')[0]} takes no argument.")
    return player


class PlayerModel:
    """A player as a model."""

    def __init__(self, setting: Setting, player: Player) -> None:
        setting.without_sampling()
        if not isinstance(setting.world, World) or not isinstance(setting.rules, Rules):
            raise UsageError(f"The model {setting.name} plays the RPG only.")
        self._name = setting.name
        self._world, self._rules = setting.world, setting.rules
        self._player = player

    async def reply(self, request: Request) -> Reply:
        """The player's plan. Where there is none it says so, which is an answer without a plan."""
        if not isinstance(question.task, Task):
            raise ModelError(Kind.PLAYER, f"The model {self._name} plays the RPG only.")
        try:
            plan = await asyncio.to_thread(self._player, self._world, self._rules, question.task)
        except Unplannable as reason:
            return Reply(f"There is no plan: {reason}", stop="stop", model=self._name)
        text = "There is no plan." if plan is None else as_answer(plan)
        return Reply(text, stop="stop", model=self._name)

    async def close(self) -> None:
        """Nothing is held."""
