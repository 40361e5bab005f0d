"""Questions for tests: published ones by task and domain, and a small one of our own with its rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from herobench.suites.acp.questions.questions import Question, published

DOMAIN = """
(define (domain lamps)
  (:requirements :strips :typing)
  (:types lamp room)
  (:predicates (lit ?l - lamp) (in ?r - room) (has ?r - room ?l - lamp) (wet ?r - room))
  (:action go :parameters (?from - room ?to - room) :precondition (in ?from)
    :effect (and (in ?to) (not (in ?from))))
  (:action light :parameters (?r - room ?l - lamp) :precondition (and (in ?r) (has ?r ?l)) :effect (lit ?l)))
"""
PROBLEM = """
(define (problem two) (:domain lamps)
  (:objects l1 l2 l3 - lamp r1 r2 - room)
  (:init (in r1) (has r1 l1) (has r2 l2))
  (:goal (and (lit l1) (lit l2))))
"""
PLAN = "(light r1 l1) (go r1 r1) (go r1 r2) (light r2 l2)"
_LABELS: dict[str, Any] = {
    "app": ["(go r1 r1)", "(go r1 r2)", "(light r1 l1)"],
    "prog": {"pos": ["(lit l1)"], "neg": []},
    "reach": ["lit l3"],
    "areach": ["(light r1 l3)"],
    "val": 2,
    "just": [["(go r1 r1)", "1"]],
    "land": {"yes": ["(in r2)"], "no": ["(lit l3)"]},
    "nexta": {"yes": ["(light r1 l1)"], "no": ["(go r1 r1)"], "maybe": ["(go r1 r2)"], "opt": "3"},
}


def lamps(task: str, **changes: Any) -> Question:
    """A question about lamps in two rooms, which is not a published one."""
    plan = {"val": f'Which: "{PLAN}"?', "just": f'Simplify the plan "{PLAN}" by removing.'}
    question = Question(task, "dev", "lamps", 1, "Lamps.", plan.get(task, "What?"), _LABELS[task], DOMAIN, PROBLEM)
    return replace(question, **changes)


def of(task: str, domain: str | None = None, split: str | None = None) -> Iterator[Question]:
    """The published questions of a task, in their order."""
    for question in published().values():
        wanted = (task, domain or question.domain, split or question.split)
        if (question.task, question.domain, question.split) == wanted:
            yield question
