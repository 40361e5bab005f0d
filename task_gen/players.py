"""Players without a language model, offered as models: they see the task itself and reply with code.

`run` loads them by their entry points. `oracle` replies with the plan that is proven to win, `greedy` computes
fights one item at a time, and `shortcut` (or `shortcut:NAME`) is a baseline that computes nothing. Their replies are
graded exactly as those of language models.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from herobench.errors import UsageError
from herobench.models.failure import Kind, ModelError
from herobench.models.model import Message, Question, Reply, Setting
from herobench.rpg.plan import as_answer
from herobench.rpg.rules import Rules
from herobench.rpg.task import Task
from herobench.rpg.world import World
from herobench.task_gen.baselines import BASELINES, baseline_plan
from herobench.task_gen.greedy import greedy_plan
from herobench.task_gen.oracle.planner import oracle_code
from herobench.task_gen.oracle.unplannable import Unplannable

Player = Callable[[World, Rules, Task], str | None]
"""Makes a plan for a task, or returns None if it finds none."""


def oracle(setting: Setting) -> PlayerModel:
    """Return the oracle as a model; an entry point."""
    return PlayerModel(setting, _without_argument(setting, oracle_code))


def greedy(setting: Setting) -> PlayerModel:
    """Return the greedy player as a model; an entry point."""
    return PlayerModel(setting, _without_argument(setting, greedy_plan))


def shortcut(setting: Setting) -> PlayerModel:
    """Return a baseline as a model; an entry point."""
    name = setting.argument or next(iter(BASELINES))
    if name not in BASELINES:
        raise UsageError(f"There is no baseline {name!r}: give one of {', '.join(BASELINES)}.")
    return PlayerModel(setting, lambda world, rules, task: baseline_plan(world, rules, task, name))


def _without_argument(setting: Setting, player: Player) -> Player:
    if setting.argument:
        raise UsageError(f"The model {setting.name.partition(':')[0]} takes no argument.")
    return player


class PlayerModel:
    """A player behind the interface of models."""

    def __init__(self, setting: Setting, player: Player) -> None:
        # Refuse sampling options instead of ignoring them: a run records them as if they had an effect.
        setting.without_sampling()
        if not isinstance(setting.world, World) or not isinstance(setting.rules, Rules):
            raise UsageError(f"The model {setting.name} plays the RPG only.")
        self._name = setting.name
        self._world, self._rules = setting.world, setting.rules
        self._player = player

    async def reply(self, question: Question, messages: Sequence[Message]) -> Reply:
        """Return the player's plan. If there is none, the reply says so, and is graded as a reply without code."""
        if not isinstance(question.task, Task):
            raise ModelError(Kind.PLAYER, f"The model {self._name} plays the RPG only.")
        try:
            # Planning takes seconds of CPU time, so it must not block the event loop.
            plan = await asyncio.to_thread(self._player, self._world, self._rules, question.task)
        except Unplannable as reason:
            return Reply(f"There is no plan: {reason}", stop="stop", model=self._name)
        text = "There is no plan." if plan is None else as_answer(plan)
        return Reply(text, stop="stop", model=self._name)

    async def close(self) -> None:
        """Do nothing: there is no connection to close."""
