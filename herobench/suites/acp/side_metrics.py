"""The metrics beside the scores: how much of a set is right, and how much of a plan was left out."""

from __future__ import annotations

from herobench.suites.acp.failure import Failure
from herobench.suites.acp.lenient import Lists
from herobench.suites.acp.plan_text import plan_in
from herobench.suites.acp.questions import Question, proof_of
from herobench.suites.acp.sound import applicable_in, signed


def jaccard(question: Question, answer: Lists | None, fault: Failure | None) -> float | None:
    """Return the common items of answer and truth in proportion to all of them, for tasks that ask for sets.

    It is 0 for an answer with an invented item, and for one that cannot be read. None for other tasks.
    """
    truth = _truth(question)
    if truth is None:
        return None
    if answer is None or fault in ("invented_action", "invented_atom"):
        return 0.0
    given = frozenset((sign, item.lower()) for sign, item in signed(*(*answer, ())[:2]))
    return len(given & truth) / len(given | truth) if given | truth else 1.0


def _truth(question: Question) -> frozenset[tuple[str, str]] | None:
    if question.task == "app":
        return signed(applicable_in(question), ())
    proof = proof_of(question)
    return signed(proof.sound["pos"], proof.sound["neg"]) if proof and question.task == "prog" else None


def removed(question: Question, answer: Lists | None, fault: Failure | None) -> int | None:
    """Return how many actions a right answer to the task just leaves out; None for all else."""
    if question.task != "just" or answer is None or fault is not None:
        return None
    return len(plan_in(question.question)) - len(answer[0])


def removable(question: Question) -> int | None:
    """Return the most actions that can be left out of the plan of the task just; None if that is not known."""
    proof = proof_of(question)
    if proof is None or question.task != "just" or proof.sound["shortest"] is None:
        return None
    return len(plan_in(question.question)) - int(proof.sound["shortest"])
