"""Proves the answer to a question about the hero's world again, from nothing but its scene.

Called by `herobench validate --suite acp`. The text of the question has to be the text of the scene too:
else the answer would be right, and to another question than the one that is asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from herobench.suites.acp.hero.question import HeroQuestion, text_of
from herobench.suites.acp.hero.response import change
from herobench.suites.acp.questions.questions import by_task
from herobench.task_gen.acp.hero.plans import first_refused
from herobench.task_gen.acp.hero.source import context, gear_goal, numbered, question_text
from herobench.task_gen.acp.hero.states import (
    applicable,
    beginning,
    impossible_actions,
    impossible_facts,
    unavoidable,
)
from herobench.task_gen.acp.hero.stops import is_clean

_NOT_PROVEN = "its answer cannot be proven"
_WRONG = "its answer is wrong"


def faults_of(question: HeroQuestion) -> list[str]:
    """Return a sentence for each thing that does not hold."""
    told = question.context, question.question
    right = context(question.scene), question_text(question.scene, question.task, **_facts(question))
    faults = [] if told == right else ["its text does not tell its scene"]
    answer = _ANSWERED[question.task](question)
    return [*faults, *([answer] if answer else [])]


def _facts(question: HeroQuestion) -> dict[str, object]:
    """Return what is put into the words of the question."""
    match question.task:
        case "val" | "just":
            return {"plan": numbered(question.actions)}
        case "prog":
            return {"action": ", ".join(map(text_of, question.actions))}
        case "nexta" if question.answer["gear"]:
            return {"goal": gear_goal(question.scene, question.answer["gear"])}
    return {}


def _app(question: HeroQuestion) -> str | None:
    return _same(question, applicable(question.scene))


def _prog(question: HeroQuestion) -> str | None:
    return _same(question, change(question.scene, question.actions[0])) if question.actions else _NOT_PROVEN


def _reach(question: HeroQuestion) -> str | None:
    found = impossible_facts(question.scene)
    return _same(question, found and found[0])


def _areach(question: HeroQuestion) -> str | None:
    found = impossible_actions(question.scene)
    return _same(question, found and found[0])


def _val(question: HeroQuestion) -> str | None:
    return None if question.answer == first_refused(question.scene, question.actions) else _WRONG


def _just(question: HeroQuestion) -> str | None:
    scene, plan, spare = question.scene, question.actions, frozenset(question.answer)
    if not is_clean(scene, plan):
        return "its plan does not reach the goal, or an action of it is refused"
    kept = tuple(action for number, action in enumerate(plan) if number not in spare)
    return None if spare and len(kept) == len(plan) - len(spare) and is_clean(scene, kept) else _WRONG


def _land(question: HeroQuestion) -> str | None:
    return _same(question, unavoidable(question.scene))


def _nexta(question: HeroQuestion) -> str | None:
    gear = Counter(question.answer["gear"])
    found = beginning(question.scene, gear)
    return _same(question, found and found.answer(gear))


def _same(question: HeroQuestion, right: Any) -> str | None:
    """Return what is wrong with the answer, where the right one is known; None is not proven."""
    return _NOT_PROVEN if right is None else None if question.answer == right else _WRONG


_ANSWERED: Mapping[str, Callable[[HeroQuestion], str | None]] = by_task(
    _app, _prog, _reach, _areach, _val, _just, _land, _nexta
)
"""For each task what is wrong with the answer; None if it holds."""
