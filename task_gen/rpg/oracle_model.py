"""The oracle as a model: it answers in every mode of the suite, from what `Prepared` knows of the task."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from herobench.conversation import Reply, Request
from herobench.suites.rpg.play.plan import as_answer
from herobench.task_gen.rpg.oracle.a_star import Unplannable
from herobench.task_gen.rpg.oracle.steps import as_code
from herobench.task_gen.rpg.prepared import Prepared
from herobench.task_gen.rpg.turn_players import CODER, next_calls, next_part, role_answer, subtask_asked

if TYPE_CHECKING:
    from herobench.suites.rpg.game.rules import Rules
    from herobench.suites.rpg.game.task import Task
    from herobench.suites.rpg.game.world import World

_MOST_KNOWN = 64


class Oracle:
    """The oracle behind the protocol of a model: it answers in every mode."""

    def __init__(self, world: World, rules: Rules, tasks: Mapping[str, Task], mode: str) -> None:
        self._world, self._rules, self._tasks, self._mode = world, rules, tasks, mode
        self._known: OrderedDict[str, Prepared] = OrderedDict()

    async def reply(self, request: Request) -> Reply:
        """Return the proven plan, its next part, its next calls, or what a role of an agent's team asks for."""
        known = self._prepared(request.task_id)
        try:
            reply = await asyncio.to_thread(self._reply, request, known)
        except Unplannable as reason:
            reply = Reply(f"There is no plan: {reason}", stop="stop")
        return replace(reply, model="oracle")

    def _prepared(self, task_id: str) -> Prepared:
        """Return what is known of a task. What was asked last is kept: the turns of an attempt come close together."""
        known = self._known.pop(task_id, None) or Prepared(self._world, self._rules, self._tasks[task_id])
        self._known[task_id] = known
        if len(self._known) > _MOST_KNOWN:
            self._known.popitem(last=False)
        return known

    def _reply(self, request: Request, known: Prepared) -> Reply:
        if request.form is not None:
            return Reply(role_answer(known, request), stop="stop")
        if request.role == CODER:
            return Reply(as_answer(as_code(subtask_asked(known, request).steps)), stop="stop")
        if self._mode == "tools":
            return next_calls(known, request)
        if known.is_impossible:
            return Reply(as_answer(f'give_up("{known.task.target} is out of reach", p=1)'), stop="stop")
        if self._mode == "feedback":
            return Reply(next_part(known, request), stop="stop")
        return Reply(as_answer(as_code(known.steps)), stop="stop")

    async def close(self) -> None:
        """Hold nothing."""
