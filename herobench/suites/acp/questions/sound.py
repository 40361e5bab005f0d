"""The sound grading: a right answer passes and no other does, by proven answers and by simulation.

Each judge returns the failure class, or None for a right answer. The tasks val, just and app need no proof: their
answers are simulated. The others are looked up. What is not proven is `undecided`, and never guessed; that happens only
for questions that are not among the published ones.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Literal

from herobench.suites.acp.questions.lenient import NONE, Lists
from herobench.suites.acp.questions.questions import Proof, Question, offered_in, plan_in, stored_proof
from herobench.suites.acp.questions.reference import is_subsequence, sound_proof
from herobench.suites.acp.questions.situation import parse_atom, read_situation

Failure = Literal[
    "format",
    "invented_action",
    "invented_atom",
    "incomplete",
    "superfluous",
    "wrong_set",
    "false_none",
    "missed_none",
    "reachable",
    "static_atom",
    "not_offered",
    "wrong_index",
    "not_shorter",
    "not_a_subsequence",
    "no_plan",
    "trivial_landmark",
    "no_landmark",
    "inapplicable",
    "worse_than_optimal",
    "undecided",
]


@dataclass(frozen=True, slots=True)
class Grades:
    """A response in both gradings."""

    parsed: str | None
    """The answer as the sound grading reads it; None if it cannot be read."""
    fault: Failure | None
    """Why the sound grading does not accept the answer; None for a right one."""
    jaccard: float | None = None
    """For app and prog, the common items in proportion to all items of answer and truth."""
    removed: int | None = None
    """For just, how many actions a right answer leaves out."""
    reference: int | None = None
    """1 or 0; None if that is not proven."""

    @property
    def sound(self) -> int | None:
        """1 or 0; None if the right answer is not proven."""
        return sound_score(self.fault)


Judge = Callable[[Question, Lists, Proof], Failure | None]


def sound_score(fault: Failure | None) -> int | None:
    """Return the score for what `find_fault` found: 1 for a right answer, 0 for a wrong one, None for undecided."""
    return None if fault == "undecided" else int(fault is None)


def find_fault(question: Question, answer: Lists | None) -> Failure | None:
    """Return why an answer is wrong; None for a right one."""
    if answer is None:
        return "format"
    in_lower_case = tuple(tuple(item if item == NONE else item.lower() for item in items) for items in answer)
    if question.task in _SIMULATED:
        return _SIMULATED[question.task](question, in_lower_case)
    proof = sound_proof(question)
    return "undecided" if proof is None else _PROVEN[question.task](question, in_lower_case, proof)


# -- by simulation ----------------------------------------------------------------------------------------------------


def _val(question: Question, answer: Lists) -> Failure | None:
    plan, index = plan_in(question.question), answer[0][0].lstrip("0") or "0"
    first = read_situation(question).first_fault(plan)
    return None if first != len(plan) and index == str(first) else "wrong_index"


def _just(question: Question, answer: Lists) -> Failure | None:
    shorter = answer[0]
    plan, situation = [action.lower() for action in plan_in(question.question)], read_situation(question)
    if not shorter:
        return "format"
    if not all(map(situation.is_action, shorter)):
        return "invented_action"
    if len(shorter) >= len(plan):
        return "not_shorter"
    if not is_subsequence(shorter, plan):
        return "not_a_subsequence"
    return None if situation.is_plan(shorter) else "no_plan"


def _app(question: Question, answer: Lists) -> Failure | None:
    items, right = frozenset(answer[0]), applicable_in(question)
    if items != right and not all(map(read_situation(question).is_action, items)):
        return "invented_action"
    return _set_fault(items, right)


def applicable_in(question: Question) -> frozenset[str]:
    """Return the actions that can be carried out: the proven ones, or those that the state allows."""
    proof = stored_proof(question)
    return frozenset(proof.sound) if proof else read_situation(question).applicable()


_SIMULATED: Mapping[str, Callable[[Question, Lists], Failure | None]] = {"val": _val, "just": _just, "app": _app}

# -- by proven answers ------------------------------------------------------------------------------------------------


def _prog(question: Question, answer: Lists, proof: Proof) -> Failure | None:
    items, right = sign_effects(*answer), sign_effects(proof.sound["pos"], proof.sound["neg"])
    if items != right and not all(read_situation(question).is_atom(item) for _, item in items):
        return "invented_atom"
    return _set_fault(items, right)


def _reach(question: Question, answer: Lists, proof: Proof) -> Failure | None:
    ((item,),) = answer
    situation = read_situation(question)
    if item != NONE and not situation.is_atom(item):
        return "invented_atom"
    if item != NONE and not situation.is_fluent(item):
        return "static_atom"
    return _never_fault(question, item, proof)


def _areach(question: Question, answer: Lists, proof: Proof) -> Failure | None:
    ((item,),) = answer
    if item != NONE and not read_situation(question).is_action(item):
        return "invented_action"
    return _never_fault(question, item, proof)


def _land(question: Question, answer: Lists, proof: Proof) -> Failure | None:
    ((item,),) = answer
    if item == NONE:
        return _none_fault(bool(proof.sound), proof)
    if item in proof.sound:
        return None
    if item in proof.unknown:
        return "undecided"
    situation = read_situation(question)
    if not situation.is_atom(item):
        return "invented_atom"
    if situation.holds(item) or parse_atom(item) in situation.task.problem.goal:
        return "trivial_landmark"
    return "no_landmark" if proof.sound or proof.unknown else "missed_none"


def _nexta(question: Question, answer: Lists, proof: Proof) -> Failure | None:
    ((action,),) = answer
    if action in proof.sound["yes"]:
        return None
    if action in proof.unknown:
        return "undecided"
    if action in proof.sound["no"]:
        return "worse_than_optimal"
    return "inapplicable" if read_situation(question).is_action(action) else "invented_action"


_PROVEN: Mapping[str, Judge] = {"prog": _prog, "reach": _reach, "areach": _areach, "land": _land, "nexta": _nexta}


def sign_effects(positive: Collection[str], negative: Collection[str]) -> frozenset[tuple[str, str]]:
    """Return two lists of effects as one set, in which each item says which list it is of."""
    return frozenset([*(("+", item) for item in positive), *(("-", item) for item in negative)])


def _set_fault(items: frozenset[object], right: frozenset[object]) -> Failure | None:
    """Return what is wrong with a set of items; None for the right one."""
    if items == right:
        return None
    if items < right:
        return "incomplete"
    return "superfluous" if right < items else "wrong_set"


def _never_fault(question: Question, item: str, proof: Proof) -> Failure | None:
    """Judge a proposition or an action that is claimed to be unreachable, or the claim that there is none."""
    offered = frozenset(offered_in(question.question))
    is_other = bool(offered - proof.reachable - proof.unknown if offered else proof.unreachable)
    unknown = proof.unknown & offered if offered else proof.unknown
    if item == NONE:
        if is_other:
            return "false_none"
        return "undecided" if unknown else None
    if offered and item not in offered:
        return "not_offered"
    if item in proof.unknown:
        return "undecided"
    if item not in proof.reachable:
        return None
    return "reachable" if is_other or unknown else "missed_none"


def _none_fault(is_other: bool, proof: Proof) -> Failure | None:
    """Judge None as an answer; `is_other` says whether another answer is proven right."""
    if is_other:
        return "false_none"
    return "undecided" if proof.unknown else None
