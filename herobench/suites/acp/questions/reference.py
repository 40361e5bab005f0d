"""The reference grading: the scores of the published harness, its mistakes included.

docs/acp.md lists the mistakes. The harness asks a planner where its labels do not decide. Here proven answers stand in
for the planner. If nothing is proven, there is no score.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType

from herobench.suites.acp.questions.lenient import NONE, Lists
from herobench.suites.acp.questions.questions import Question, plan_in
from herobench.suites.acp.questions.situation import atom_of, situation_of
from herobench.suites.acp.questions.truth import truth_of

Judge = Callable[[Question, Lists], bool | None]


def reference_score(question: Question, answer: Lists | None) -> int | None:
    """Return the score of an answer that was read as the harness reads it; None if that is not proven."""
    passed = answer is not None and _JUDGES[question.task](question, answer)
    return None if passed is None else int(passed)


def _app(question: Question, answer: Lists) -> bool:
    return _lowered(answer[0]) == _lowered(question.answer)


def _prog(question: Question, answer: Lists) -> bool:
    positive, negative = (*answer, ())[:2]  # of equal lists the harness has lost one
    label = question.answer
    return _lowered(positive) == _lowered(label["pos"]) and _lowered(negative) == _lowered(label["neg"])


def _reach(question: Question, answer: Lists) -> bool | None:
    ((item,),) = answer
    if not question.answer or item == NONE:
        return not question.answer and item == NONE
    atom, situation = atom_of(item), situation_of(question)
    if atom in map(atom_of, question.answer):
        return True
    predicate = situation.task.domain.predicates.get(atom.name)
    if predicate is None or len(predicate.parameters) != len(atom.args):
        return False
    if not situation.is_atom(item) or not situation.is_fluent(item):
        return not situation.holds(item)  # the harness does not look at objects and types
    return _is_never(question, item)


def _areach(question: Question, answer: Lists) -> bool | None:
    ((item,),) = answer
    if not question.answer or item == NONE:
        return not question.answer and item == NONE
    if atom_of(item) in map(atom_of, question.answer):
        return True
    # the harness looks preconditions up among the actions that are reachable if nothing is ever deleted
    return situation_of(question).is_relaxed_reachable(item) and _is_never(question, item)


def _val(question: Question, answer: Lists) -> bool:
    return answer[0][0] == str(question.answer)


def _just(question: Question, answer: Lists) -> bool:
    given, shortened = plan_in(question.question), answer[0]
    is_shorter = 0 < len(shortened) < len(given)
    # upper and lower case differ here, though nowhere else
    return is_shorter and is_subsequence(shortened, given) and situation_of(question).is_plan(shortened)


def _land(question: Question, answer: Lists) -> bool:
    ((item,),) = answer
    landmarks = question.answer["yes"]
    return not landmarks if item == NONE else item.lower() in _lowered(landmarks)


def _nexta(question: Question, answer: Lists) -> bool | None:
    action, label = answer[0][0].lower(), question.answer
    if action in _lowered(label["yes"]):
        return True
    if action in _lowered(label["no"]) or action not in _lowered(label["maybe"]):
        return False
    proof = truth_of(question)
    return None if proof is None or action in proof.unknown else action in proof.sound["yes"]


_JUDGES: Mapping[str, Judge] = MappingProxyType(
    {
        "app": _app,
        "prog": _prog,
        "reach": _reach,
        "areach": _areach,
        "val": _val,
        "just": _just,
        "land": _land,
        "nexta": _nexta,
    }
)


def is_subsequence(items: Sequence[str], of: Iterable[str]) -> bool:
    """Return whether items stand in a sequence in their order, perhaps with others between them."""
    rest = iter(of)
    return all(item in rest for item in items)


def _is_never(question: Question, item: str) -> bool | None:
    """Return whether a well-typed proposition can never hold, or an action can never become applicable."""
    proof, item = truth_of(question), item.lower()
    return None if proof is None or item in proof.unknown else item not in proof.reachable


def _lowered(items: Iterable[str]) -> frozenset[str]:
    return frozenset(item.lower() for item in items)
