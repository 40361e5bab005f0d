"""Grades a response in both ways. A pure function of question and response."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from herobench.errors import UsageError
from herobench.suites.acp.failure import Failure
from herobench.suites.acp.hero.judge import judge
from herobench.suites.acp.hero.question import HeroQuestion
from herobench.suites.acp.lenient import Lists
from herobench.suites.acp.reference import reference_score
from herobench.suites.acp.response import read_as_reference, read_soundly
from herobench.suites.acp.rows import AnyQuestion, any_question_of
from herobench.suites.acp.side_metrics import jaccard, removed
from herobench.suites.acp.sound import fault_of, sound_score

How = Literal["reference", "sound"]


@dataclass(frozen=True, slots=True)
class Grades:
    """A response in both gradings."""

    answer: Lists | None
    """The answer as the sound grading reads it; None if it cannot be read."""
    fault: Failure | None
    """Why the sound grading does not accept the answer; None for a right one."""
    reference: int | None
    """1 or 0; None if that is not proven, and for questions about the hero's world."""
    jaccard: float | None
    removed: int | None

    @property
    def sound(self) -> int | None:
        """1 or 0; None if the right answer is not proven."""
        return sound_score(self.fault)


def grades_of(question: AnyQuestion, response: str) -> Grades:
    """Grade a response."""
    if isinstance(question, HeroQuestion):
        judged = judge(question, response)
        parsed: Lists | None = None if judged.parsed is None else ((judged.parsed,),)
        return Grades(parsed, judged.fault, None, judged.jaccard, judged.removed)
    answer = read_soundly(question.task, response)
    fault = fault_of(question, answer)
    reference = reference_score(question, read_as_reference(question.task, response))
    return Grades(answer, fault, reference, jaccard(question, answer, fault), removed(question, answer, fault))


def grade(question_row: Mapping[str, Any], response: str, how: How = "reference") -> int | None:
    """Return the score of a response to a question, a row as published: 1 or 0, or None for undecided.

    `reference` is the score of the published harness, its mistakes included. `sound` accepts every right answer and no
    other. Only questions that are not among the published ones can be undecided. Questions about the hero's world have
    no reference score, because no harness for them is published. Raise InputError for a wrong row.
    """
    question = any_question_of(question_row)
    if how not in get_args(How):
        raise UsageError(f"An answer is graded by reference or by sound, and not by {how!r}.")
    if isinstance(question, HeroQuestion):
        return grades_of(question, response).sound if how == "sound" else None
    if how == "reference":
        return reference_score(question, read_as_reference(question.task, response))
    return sound_score(fault_of(question, read_soundly(question.task, response)))
