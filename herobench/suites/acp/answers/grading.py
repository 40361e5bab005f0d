"""Grades a response in both ways. A pure function of question and response."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, get_args

from herobench.data.errors import UsageError
from herobench.suites.acp.questions.lenient import Lists, answer_text, read_as_reference, read_soundly
from herobench.suites.acp.questions.questions import Question, plan_in, read_question, stored_proof
from herobench.suites.acp.questions.reference import reference_score
from herobench.suites.acp.questions.sound import (
    Failure,
    Grades,
    applicable_in,
    find_fault,
    sign_effects,
    sound_score,
)
from herobench.suites.acp.refusals import AcpFault


def jaccard(question: Question, answer: Lists | None, fault: Failure | None) -> float | None:
    """Return the common items of answer and truth in proportion to all of them, for tasks that ask for sets.

    It is 0 for an answer with an invented item, and for one that cannot be read. None for other tasks.
    """
    truth = _truth(question)
    if truth is None:
        return None
    if answer is None or fault in ("invented_action", "invented_atom"):
        return 0.0
    items = frozenset((sign, item.lower()) for sign, item in sign_effects(*(*answer, ())[:2]))
    return len(items & truth) / len(items | truth) if items | truth else 1.0


def _truth(question: Question) -> frozenset[tuple[str, str]] | None:
    if question.task == "app":
        return sign_effects(applicable_in(question), ())
    proof = stored_proof(question)
    return sign_effects(proof.sound["pos"], proof.sound["neg"]) if proof and question.task == "prog" else None


def actions_left_out(question: Question, answer: Lists | None, fault: Failure | None) -> int | None:
    """Return how many actions a right answer to the task just leaves out; None for all else."""
    if question.task != "just" or answer is None or fault is not None:
        return None
    return len(plan_in(question.question)) - len(answer[0])


def removable(question: Question) -> int | None:
    """Return the most actions that can be left out of the plan of the task just; None if that is not known."""
    proof = stored_proof(question)
    if proof is None or question.task != "just" or proof.sound["shortest"] is None:
        return None
    return len(plan_in(question.question)) - int(proof.sound["shortest"])


How = Literal["reference", "sound"]


def grade_response(question: Question, response: str) -> Grades:
    """Grade a response."""
    answer = read_soundly(question.task, response)
    fault = find_fault(question, answer)
    reference = reference_score(question, read_as_reference(question.task, response))
    common, left_out = jaccard(question, answer, fault), actions_left_out(question, answer, fault)
    return Grades(answer_text(answer), fault, common, left_out, reference)


def grade(question_row: Mapping[str, Any], response: str, how: How = "reference") -> int | None:
    """Return the score of a response to a question, a row as published: 1 or 0, or None for undecided.

    `reference` is the score of the published harness, its mistakes included. `sound` accepts every right answer and no
    other. Only questions that are not among the published ones can be undecided. Raise InputError for a wrong row.
    """
    question = read_question(question_row)
    if how not in get_args(How):
        raise UsageError(AcpFault.NO_GRADING, how=how)
    if how == "reference":
        return reference_score(question, read_as_reference(question.task, response))
    return sound_score(find_fault(question, read_soundly(question.task, response)))
