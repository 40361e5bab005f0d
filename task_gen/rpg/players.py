"""Players of the RPG without a model: they look at the task itself and answer as models do.

`oracle` plays the plan that is proven to win. `exact` computes the fewest changes of gear that win, goal by goal.
`greedy` computes fights, but one item at a time; `greedy:OBJECTIVE` goes by another objective. `sum` weighs told
numbers without a fight, and `lookup` wears what beat the same monster in another task of the run. `shortcut` computes
nothing and makes what the prompt lists; `shortcut:NAME` goes by another rule of thumb. `noop` and the other trivial
players make nothing: they show what a task gives away for free. One of them, `refuser`, gives every task up; `oracle`
gives up those that it proves to be impossible. The suite hands them out by name.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from herobench.conversation import Reply, Request
from herobench.data.errors import UsageError
from herobench.suite.players import SuitePlayer, parse_player
from herobench.suites.rpg.play.execution import as_answer
from herobench.task_gen.rpg.audit.case import Case, Known
from herobench.task_gen.rpg.audit.shortcuts import RULES, TRIVIAL
from herobench.task_gen.rpg.oracle.a_star import Unplannable
from herobench.task_gen.rpg.tasks.spec import PLAYERS

if TYPE_CHECKING:
    from herobench.suites.rpg.game.rules import Rules
    from herobench.suites.rpg.game.task import Task
    from herobench.suites.rpg.game.world import World
    from herobench.task_gen.rpg.audit.sums import PublicTasks
    from herobench.task_gen.rpg.oracle_player import Oracle

Player = Callable[["World", "Rules", "Task"], str | None]
"""Makes a plan for a task; None when it finds none."""


def _family(name: str, tasks: Mapping[str, Task] = MappingProxyType({})) -> Player:
    """Return the player that plays as a family of the audit does, and may look up some tasks."""
    public: list[PublicTasks] = []

    def play(world: World, rules: Rules, task: Task) -> str | None:
        from herobench.task_gen.rpg.audit.families import FAMILIES  # with numpy, which trivial players do not need
        from herobench.task_gen.rpg.audit.sums import PublicTasks

        if FAMILIES[name].reads and not public:
            public.append(PublicTasks((world, other) for other in tasks.values()))
        known = Known(fights=public[0].beside(task) if public else ())
        return FAMILIES[name].play(Case(world, rules, task, known=known)).plan or None

    return play


def _trivial(name: str) -> Player:
    """Return a trivial player. Its plan is not empty when it does nothing."""
    return lambda world, rules, task: TRIVIAL[name].play(Case(world, rules, task)).plan or "pass"


GREEDY_OBJECTIVES = ("margin", "product", "rounds")
"""The objectives of `greedy:OBJECTIVE`, each a family of the audit."""
_WITH_ARGUMENT = ("greedy", "shortcut")


def build_player(
    name: str, world: World, rules: Rules, tasks: Mapping[str, Task], mode: str = "plan"
) -> PlayerModel | Oracle:
    """Make a player by its name, for a mode of the suite. Raise UsageError for an unknown name."""
    if parse_player("rpg", name, PLAYERS, _WITH_ARGUMENT)[0] == "oracle":
        # with the planner and numpy, which no other player needs
        from herobench.task_gen.rpg.oracle_player import Oracle

        return Oracle(world, rules, tasks, mode)
    found = player(name, tasks)
    if mode == "tools":
        raise UsageError(f"The player {name} makes whole plans and calls no tools: take oracle, or another agent.")
    return PlayerModel(name, found, world, rules, tasks)


def player(name: str, tasks: Mapping[str, Task] = MappingProxyType({})) -> Player:
    """Return what makes a player's plans, by the player's name. Raise UsageError for an unknown name.

    `tasks` are those of the run, which `lookup` reads.
    """
    first, argument = parse_player("rpg", name, PLAYERS, _WITH_ARGUMENT)
    if first in TRIVIAL:
        return _trivial(first)
    if first == "greedy" and argument:
        if argument not in GREEDY_OBJECTIVES:
            raise UsageError(f"There is no greedy objective {argument!r}: give one of {', '.join(GREEDY_OBJECTIVES)}.")
        return _family(f"greedy_{argument}")
    if first != "shortcut":
        return _family(first, tasks)
    rule = argument or next(iter(RULES))
    if rule not in RULES:
        raise UsageError(f"There is no shortcut {rule!r}: give one of {', '.join(RULES)}.")
    return _family(rule)


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
