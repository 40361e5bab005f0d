"""The oracle in the roles of agents' teams: it answers each form as a model would that plans like the oracle.

It goes by the name of the form. From the conversation it takes only which subtask is asked for.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from herobench.conversation import Request
from herobench.rpg.arguments import named_values
from herobench.rpg.game import MOST_CHANCES
from herobench.task_gen.oracle.steps import Do, FightUntil, Step
from herobench.task_gen.oracle.subtasks import Subtask
from herobench.task_gen.prepared import Prepared

CODER = "action agent"
"""The role that writes code and has no form."""
_NUMBER = re.compile(r"This is subtask ([0-9]+) of ")
_BLANK = dict.fromkeys(("x", "y", "code", "slot", "quantity", "times", "until"))


def role_answer(known: Prepared, request: Request) -> str:
    """Return the oracle's answer to a question in a form. Raises Unplannable where there is no plan."""
    assert request.form is not None
    answer = _ANSWERS.get(request.form.name)
    return json.dumps(answer(known, request)) if answer else "I do not know this form."


def _subtasks(known: Prepared, request: Request) -> dict[str, Any]:
    if known.is_impossible:
        return {"subtasks": [], "give_up": f"{known.task.target} is out of reach"}
    rows = [
        {"do": subtask.kind, "code": subtask.code, "quantity": subtask.quantity, "note": None}
        for subtask in known.subtasks
    ]
    return {"subtasks": rows, "give_up": None}


def _actions(known: Prepared, request: Request) -> dict[str, Any]:
    return {"actions": [_row(step) for step in subtask_asked(known, request).steps]}


def subtask_asked(known: Prepared, request: Request) -> Subtask:
    """Return the oracle's subtask of the number that a conversation names; the last one for a plan that is longer."""
    numbers = [int(number) for message in request.messages for number in _NUMBER.findall(message.text)]
    return known.subtasks[min(numbers[0], len(known.subtasks)) - 1]


def _row(step: Step) -> dict[str, Any]:
    """Return a step as a listed action."""
    if isinstance(step, Do):
        said = dict(zip(named_values(step.action), step.args, strict=False))
        return {"action": step.action, **_BLANK, **said, "times": step.times if step.times > 1 else None}
    until = [{"code": code, "quantity": quantity} for code, quantity in step.wanted]
    if isinstance(step, FightUntil):
        return {"action": "fight", **_BLANK, "until": until}
    return {"action": "gather", **_BLANK, "quantity": MOST_CHANCES, "until": until}


def _judgement(known: Prepared, request: Request) -> dict[str, Any]:
    return {"accepted": True, "comments": None}


def _estimates(known: Prepared, request: Request) -> dict[str, Any]:
    """Say of each goal that it is won in the gear that the task misses."""
    goals = [goal for goal in known.task.goals if goal.kind == "kill"]
    rows = [{"monster": goal.target, "gear": [*goal.missing.values()], "wins": True, "reason": None} for goal in goals]
    return {"estimates": rows}


def _decomposition(known: Prepared, request: Request) -> dict[str, Any]:
    """Ask both experts first, as a model would that knows nothing, and then list the steps."""
    subtask = subtask_asked(known, request)
    if not any(message.role == "assistant" for message in request.messages):
        asked = {"map": f"Where is all that {subtask.code} takes?", "craft": f"What goes into {subtask.code}?"}
        return {"questions": [{"expert": who, "question": words} for who, words in asked.items()], "steps": []}
    return {"questions": [], "steps": [step.code().strip() for step in subtask.steps]}


def _answer(known: Prepared, request: Request) -> dict[str, Any]:
    return {"answer": "It is all in the records."}


def _choice(known: Prepared, request: Request) -> dict[str, Any]:
    return {"choice": 1, "reason": None}


_ANSWERS: Mapping[str, Callable[[Prepared, Request], dict[str, Any]]] = {
    "subtasks": _subtasks,
    "actions": _actions,
    "judgement": _judgement,
    "estimates": _estimates,
    "decomposition": _decomposition,
    "answer": _answer,
    "choice": _choice,
}
"""What the oracle answers, by the name of the form."""
