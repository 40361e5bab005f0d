"""What the report draws of a question: the facts of its state, the goal, the plan, and how an answer relates to them.

Facts and actions are lists of names, `["at", "c1", "l0"]`, because the page groups them by predicate and by object.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from herobench.suites.acp.deed import deed_of
from herobench.suites.acp.plan_text import plan_in
from herobench.suites.acp.questions import Question
from herobench.suites.acp.response import NONE, read_soundly
from herobench.suites.acp.situation import Situation, atom_of, situation_of

_MOST = 60
"""The most items of an answer that are drawn."""


def state_of(question: Question) -> dict[str, Any]:
    """Return the facts and objects of a question; `static` are the facts that no action changes."""
    task = situation_of(question).task
    atoms = sorted(task.problem.initial)
    return {
        "facts": [[atom.name, *atom.args] for atom in atoms if atom.name in task.fluents],
        "static": [[atom.name, *atom.args] for atom in atoms if atom.name not in task.fluents],
        "goal": [[atom.name, *atom.args] for atom in task.problem.goal],
        "objects": [[name, kind] for name, kind in task.problem.objects.items()],
        "plan": [_names(action) for action in _plan(question)],
    }


def answered(question: Question, parsed: str | None) -> list[dict[str, Any]]:
    """Return the items of an answer as it was read. An index of a plan is the action there, in the state before it."""
    answer = read_soundly(question.task, parsed) if parsed else None
    situation = situation_of(question)
    if answer is None:
        return []
    if question.task == "val":
        return [_step(question, situation, int(answer[0][0]))]
    items = [(sign, item) for sign, items in zip("+-", answer, strict=False) for item in items if item != NONE]
    return [_item(situation, sign, item, question.task == "just") for sign, item in items[:_MOST]]


def _plan(question: Question) -> tuple[str, ...]:
    return plan_in(question.question) if question.task in ("val", "just") else ()


def _item(situation: Situation, sign: str, item: str, in_plan: bool) -> dict[str, Any]:
    """Return an action with what it needs and does, or a proposition; `negative` if the answer says that it is lost."""
    names = _names(item)
    if situation.is_action(item):
        # in a plan it meets another state than the one that is drawn
        deed = {} if in_plan else asdict(deed_of(situation, item))
        return {"kind": "action", "names": names, "negative": False, **deed}
    kind = "proposition" if situation.is_atom(item) else "unknown"
    return {"kind": kind, "names": names, "negative": sign == "-"}


def _step(question: Question, situation: Situation, index: int) -> dict[str, Any]:
    """Return the action of a plan that an index names."""
    plan = _plan(question)
    if index >= len(plan) or not situation.is_action(plan[index]):
        return {"kind": "index", "index": index}
    deed = asdict(deed_of(situation, plan[index], plan[:index]))
    return {"kind": "action", "names": _names(plan[index]), "index": index, **deed}


def _names(item: str) -> list[str]:
    name, args = atom_of(item)
    return [name, *args]
