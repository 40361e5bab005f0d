"""The oracle in the roles of agents' teams: it answers each form as a model would that plans like the oracle.

It goes by the name of the form. From the conversation it takes only which subtask is asked for.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from herobench.conversation import Request
from herobench.rpg.game import MOST_CHANCES
from herobench.rpg.rules import Rules
from herobench.rpg.task import Task
from herobench.rpg.world import World
from herobench.task_gen.oracle.planner import oracle_plan
from herobench.task_gen.oracle.steps import Do, FightUntil, Step
from herobench.task_gen.oracle.subtasks import Subtask, subtasks_of
from herobench.task_gen.unsolvable.reach import is_out_of_reach

_NUMBER = re.compile(r"This is subtask ([0-9]+) of ")
_PARAMETERS: Mapping[str, tuple[str, ...]] = {
    "move": ("x", "y"),
    "gather": ("quantity",),
    "craft": ("code", "quantity"),
    "equip": ("slot", "code", "quantity"),
    "unequip": ("slot", "quantity"),
    "buy": ("code", "quantity"),
    "fight": (),
}
_BLANK = dict.fromkeys(("x", "y", "code", "slot", "quantity", "times", "until"))


def role_answer(world: World, rules: Rules, task: Task, request: Request) -> str:
    """Return the oracle's answer to a question in a form. Raises Unplannable where there is no plan."""
    assert request.form is not None
    known = _ANSWERS.get(request.form.name)
    return json.dumps(known(world, rules, task, request)) if known else "I do not know this form."


def _planned(world: World, rules: Rules, task: Task) -> list[Subtask]:
    return subtasks_of(world, task, oracle_plan(world, task.rules(rules), task))


def _subtasks(world: World, rules: Rules, task: Task, request: Request) -> dict[str, Any]:
    if is_out_of_reach(world, rules, task):
        return {"subtasks": [], "give_up": f"{task.target} is out of reach"}
    rows = [
        {"do": subtask.kind, "code": subtask.code, "quantity": subtask.quantity, "note": None}
        for subtask in _planned(world, rules, task)
    ]
    return {"subtasks": rows, "give_up": None}


def _actions(world: World, rules: Rules, task: Task, request: Request) -> dict[str, Any]:
    return {"actions": [_row(step) for step in subtask_asked(world, rules, task, request).steps]}


def subtask_asked(world: World, rules: Rules, task: Task, request: Request) -> Subtask:
    """Return the oracle's subtask of the number that a conversation names."""
    numbers = [int(number) for message in request.messages for number in _NUMBER.findall(message.text)]
    return _planned(world, rules, task)[numbers[0] - 1]


def _row(step: Step) -> dict[str, Any]:
    """Return a step as a listed action."""
    if isinstance(step, Do):
        said = dict(zip(_PARAMETERS[step.action], step.args, strict=False))
        return {"action": step.action, **_BLANK, **said, "times": step.times if step.times > 1 else None}
    until = [{"code": code, "quantity": quantity} for code, quantity in step.wanted]
    if isinstance(step, FightUntil):
        return {"action": "fight", **_BLANK, "until": until}
    return {"action": "gather", **_BLANK, "quantity": MOST_CHANCES, "until": until}


def _judgement(world: World, rules: Rules, task: Task, request: Request) -> dict[str, Any]:
    return {"accepted": True, "comments": None}


def _choice(world: World, rules: Rules, task: Task, request: Request) -> dict[str, Any]:
    return {"choice": 1, "reason": None}


_ANSWERS: Mapping[str, Callable[[World, Rules, Task, Request], dict[str, Any]]] = {
    "subtasks": _subtasks,
    "actions": _actions,
    "judgement": _judgement,
    "choice": _choice,
}
"""What the oracle answers, by the name of the form."""
