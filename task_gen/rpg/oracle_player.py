"""The oracle as a model: it plays its plan in every mode of the suite.

Its knowledge of a task is worked out once for all turns and roles. In many turns it gives its plan in parts, or as
calls of tools. It reads what it was told before, as a model does: where drops fall by chance, it repeats an action
until the replies say that it owns enough.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any

from herobench.conversation import Reply, Request, ToolCall
from herobench.suite.players import SuitePlayer
from herobench.suites.rpg.game.events import named_values
from herobench.suites.rpg.game.game import MOST_CHANCES
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import Code, World
from herobench.suites.rpg.play.execution import as_answer
from herobench.task_gen.rpg.oracle.planner import oracle_plan
from herobench.task_gen.rpg.oracle.steps import Do, Step, Subtask, Unplannable, as_code, split_into_subtasks
from herobench.task_gen.rpg.unsolvable.reach import is_out_of_reach


class OraclePlan:
    """The oracle's plan for a task, or its proof that there is none."""

    def __init__(self, world: World, rules: Rules, task: Task) -> None:
        self.world = world
        self.task = task
        self._rules = rules

    @cached_property
    def is_impossible(self) -> bool:
        """True if the oracle proves that no plan wins. It takes nothing from the task that a model is not told."""
        return is_out_of_reach(self.world, self._rules, self.task)

    @cached_property
    def steps(self) -> Sequence[Step]:
        """The plan. Raises Unplannable if there is none."""
        return oracle_plan(self.world, self.task.rules(self._rules), self.task)

    @cached_property
    def subtasks(self) -> Sequence[Subtask]:
        """The plan in pieces."""
        return split_into_subtasks(self.world, self.task, self.steps)


_MOST_KNOWN = 64


class Oracle(SuitePlayer):
    """The oracle: it answers in every mode."""

    def __init__(self, world: World, rules: Rules, tasks: Mapping[str, Task], mode: str) -> None:
        super().__init__("oracle")
        self._mode = mode
        # The latest tasks are kept: the turns of an attempt come close together.
        self._plan_for = lru_cache(_MOST_KNOWN)(lambda task_id: OraclePlan(world, rules, tasks[task_id]))

    async def _answer(self, request: Request) -> Reply:
        """Return the proven plan, its next part, its next calls, or what a role of an agent's team asks for."""
        plan = self._plan_for(request.task_id)
        try:
            return await asyncio.to_thread(self._reply, request, plan)
        except Unplannable as reason:
            return Reply(f"There is no plan: {reason}", stop="stop")

    def _reply(self, request: Request, plan: OraclePlan) -> Reply:
        if request.form is not None:
            return Reply(role_answer(plan, request), stop="stop")
        if request.role == CODER:
            return Reply(as_answer(as_code(subtask_asked(plan, request).steps)), stop="stop")
        if self._mode == "tools":
            return next_calls(plan, request)
        if plan.is_impossible:
            return Reply(as_answer(f'give_up("{plan.task.target} is out of reach", p=1)'), stop="stop")
        if self._mode == "feedback":
            return Reply(next_part(plan, request), stop="stop")
        return Reply(as_answer(as_code(plan.steps)), stop="stop")


# -- parts, calls and roles -------------------------------------------------------------------------------------------

_AT_ONCE = 10
"""The most calls of one reply."""
_FIGHTS = 50
"""The fights of one call where drops fall by chance."""
_NOTHING = "There is nothing more to do."


def next_part(plan: OraclePlan, request: Request) -> str:
    """Return the oracle's next part of its plan: a subtask."""
    part_number = sum(message.role == "assistant" for message in request.messages)
    return as_answer(as_code(plan.subtasks[part_number].steps)) if part_number < len(plan.subtasks) else _NOTHING


def next_calls(plan: OraclePlan, request: Request) -> Reply:
    """Return the oracle's next calls of tools."""
    if plan.is_impossible:
        reason = {"reason": f"{plan.task.target} is out of reach", "p": 1}
        return Reply("", (ToolCall("c0", "give_up", json.dumps(reason)),), stop="tool_calls")
    try:
        results = [json.loads(message.text) for message in request.messages if message.role == "tool"]
    except ValueError:  # where another tool plays the game, words in place of a result say that it is over
        return Reply(_NOTHING, stop="stop")
    calls = list(_Walk(plan.world, plan.task, results).calls(plan.steps))[:_AT_ONCE]
    tool_calls = tuple(
        ToolCall(f"c{len(results) + number}", name, json.dumps(arguments))
        for number, (name, arguments) in enumerate(calls)
    )
    return Reply("" if tool_calls else _NOTHING, tool_calls, stop="tool_calls" if tool_calls else "stop")


Call = tuple[str, dict[str, Any]]


class _Walk:
    """Walks through steps along the results so far, and yields the calls that come after them."""

    def __init__(self, world: World, task: Task, results: Sequence[Any]) -> None:
        self._world = world
        self._owned: Counter[Code] = Counter(task.hero.inventory)
        self._results = list(results)

    def calls(self, steps: Sequence[Step]) -> Iterator[Call]:
        """Yield the calls that are due, up to one whose result decides the next step."""
        for step in steps:
            if isinstance(step, Do):
                yield from self._do(step)
                continue
            name, arguments = step.action, {"times": _FIGHTS} if step.action == "fight" else {"quantity": MOST_CHANCES}
            while any(self._owned[code] < quantity for code, quantity in step.wanted):
                # only a result tells whether it is enough
                if (yield from self._one(name, arguments)):
                    return

    def _do(self, step: Do) -> Iterator[Call]:
        arguments = dict(zip(named_values(step.action), step.args, strict=False))
        if step.action == "fight":
            yield from self._one("fight", {"times": step.times})
            return
        for _ in range(step.times):
            yield from self._one(step.action, arguments)

    def _one(self, name: str, arguments: dict[str, Any]) -> Generator[Call, None, bool]:
        """Take in the result of a call, or yield the call if it has none yet. Return whether it was yielded."""
        if not self._results:
            yield name, arguments
            return True
        self._note(name, arguments, self._results.pop(0))
        return False

    def _note(self, name: str, arguments: dict[str, Any], result: Any) -> None:
        """Count what a call gave and took."""
        drops = result.get("all_drops") or result.get("fight", {}).get("drops", ())
        for stack in (*drops, *result.get("details", {}).get("items", ())):
            self._owned[stack["code"]] += stack["quantity"]
        if name == "craft" and result.get("status") == 200:
            recipe = self._world.recipe_of(arguments["code"])
            for part, number in recipe.ingredients.items() if recipe else ():
                self._owned[part] -= number * arguments["quantity"]
        if name == "buy":
            self._owned[arguments["code"]] += arguments["quantity"]


CODER = "action agent"
"""The role that writes code and has no form."""
_NUMBER = re.compile(r"This is subtask ([0-9]+) of ")
_BLANK = dict.fromkeys(("x", "y", "code", "slot", "quantity", "times", "until"))


def role_answer(plan: OraclePlan, request: Request) -> str:
    """Return the oracle's answer to a question in a form. Raises Unplannable if there is no plan."""
    assert request.form is not None
    answer = _ANSWERS.get(request.form.name)
    return json.dumps(answer(plan, request)) if answer else "I do not know this form."


def _subtasks(plan: OraclePlan, request: Request) -> dict[str, Any]:
    if plan.is_impossible:
        return {"subtasks": [], "give_up": f"{plan.task.target} is out of reach"}
    rows = [
        {"do": subtask.kind, "code": subtask.code, "quantity": subtask.quantity, "note": None}
        for subtask in plan.subtasks
    ]
    return {"subtasks": rows, "give_up": None}


def _actions(plan: OraclePlan, request: Request) -> dict[str, Any]:
    return {"actions": [_row(step) for step in subtask_asked(plan, request).steps]}


def subtask_asked(plan: OraclePlan, request: Request) -> Subtask:
    """Return the oracle's subtask of the number that a conversation names; the last one for a plan that is longer."""
    numbers = [int(number) for message in request.messages for number in _NUMBER.findall(message.text)]
    return plan.subtasks[min(numbers[0], len(plan.subtasks)) - 1]


def _row(step: Step) -> dict[str, Any]:
    """Return a step as a listed action."""
    if isinstance(step, Do):
        arguments = dict(zip(named_values(step.action), step.args, strict=False))
        return {"action": step.action, **_BLANK, **arguments, "times": step.times if step.times > 1 else None}
    until = [{"code": code, "quantity": quantity} for code, quantity in step.wanted]
    quantity = MOST_CHANCES if step.action == "gather" else None
    return {"action": step.action, **_BLANK, "quantity": quantity, "until": until}


def _estimates(plan: OraclePlan, request: Request) -> dict[str, Any]:
    """Say of a monster to beat that it is beaten in the gear that the task misses."""
    task = plan.task
    row = {"monster": task.target, "gear": [*task.missing.values()], "wins": True, "reason": None}
    return {"estimates": [row] if task.kind == "kill" else []}


def _decomposition(plan: OraclePlan, request: Request) -> dict[str, Any]:
    """Ask both experts first, as a model would that knows nothing, and then list the steps."""
    subtask = subtask_asked(plan, request)
    if not any(message.role == "assistant" for message in request.messages):
        questions = {"map": f"Where is all that {subtask.code} takes?", "craft": f"What goes into {subtask.code}?"}
        return {"questions": [{"expert": who, "question": words} for who, words in questions.items()], "steps": []}
    return {"questions": [], "steps": [step.code().strip() for step in subtask.steps]}


_ANSWERS: Mapping[str, Callable[[OraclePlan, Request], dict[str, Any]]] = {
    "subtasks": _subtasks,
    "actions": _actions,
    "judgement": lambda plan, request: {"accepted": True, "comments": None},
    "estimates": _estimates,
    "decomposition": _decomposition,
    "answer": lambda plan, request: {"answer": "It is all in the records."},
    "choice": lambda plan, request: {"choice": 1, "reason": None},
}
"""What the oracle answers, by the name of the form."""
