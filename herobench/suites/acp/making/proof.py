"""Proves the answers of a questions file again, from the PDDL and the actions that a question names.

Called by `herobench validate --suite acp`. The engine proves what the generator has proven, with wider limits. The
label, by which the reference grading scores, has to agree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from herobench.pddl.limits import SearchBudget, SearchLimits
from herobench.pddl.task import GroundAction
from herobench.suites.acp.making.just import label_of_just, removable, shortest_part
from herobench.suites.acp.making.scene import scene_along
from herobench.suites.acp.making.states import first_actions, label_of_nexta, state_changes
from herobench.suites.acp.questions.lenient import NONE
from herobench.suites.acp.questions.questions import Question, by_task, plan_in
from herobench.suites.acp.questions.situation import parse_atom, read_situation
from herobench.suites.acp.questions.sound import find_fault

_LIMITS = SearchLimits(states=30_000)
"""What one proof may look at: ten times what the generator allows itself."""


class Proven(NamedTuple):
    """What is right, in the form of a proof, and the label that goes with it."""

    sound: Any
    label: Any


def find_faults(question: Question) -> list[str]:
    """Return a sentence for each thing that does not hold. Raise InputError for PDDL that cannot be read."""
    if question.proof is None:
        return ["it carries no proof"]
    proof = _PROVERS[question.task](question)
    if proof is None:
        return ["its answer cannot be proven"]
    faults = [] if _set_free(proof.sound) == _set_free(question.proof["sound"]) else ["its proof is wrong"]
    is_right = _set_free(proof.label) == _set_free(question.answer)
    return faults if is_right else [*faults, "its label is wrong"]


def _app(question: Question) -> Proven:
    able = sorted(read_situation(question).applicable())
    return Proven(able, able)


def _prog(question: Question) -> Proven | None:
    grounded = read_situation(question).grounded
    (action,) = _find_actions(question, [str(_carried_proof(question).get("action"))]) or [None]
    if action is None or action.pre & ~grounded.initial:
        return None
    changes = state_changes(grounded, grounded.initial, action)
    return Proven({**changes, "action": str(action)}, changes)


def _reach(question: Question) -> Proven | None:
    grounded = read_situation(question).grounded
    reach = grounded.reachable_atoms(_LIMITS)
    return None if reach.unknown else _never(question, grounded.atoms_of(reach.never))


def _areach(question: Question) -> Proven | None:
    reach = read_situation(question).grounded.reachable_actions(_LIMITS)
    return None if reach.unknown else _never(question, reach.never)


def _never(question: Question, items: Iterable[object]) -> Proven | None:
    """Return the proof. The label names some of many right answers, so each is judged by itself."""
    sound = {"never": list(map(str, items))}
    if _set_free(sound) != _set_free(_carried_proof(question)):
        return Proven(sound, question.answer)
    claims = [f"({item.strip('()')})" for item in question.answer] or [NONE]
    is_right = all(find_fault(question, ((item,),)) is None for item in claims)
    return Proven(sound, question.answer if is_right else None)


def _val(question: Question) -> Proven:
    first = read_situation(question).first_fault(plan_in(question.question))
    return Proven(first, first)


def _just(question: Question) -> Proven | None:
    situation, names = read_situation(question), plan_in(question.question)
    plan = _find_actions(question, names)
    if plan is None or not situation.is_plan(names):
        return None
    scene = scene_along(situation.grounded, situation.task.problem.goal, plan)
    single, pair = removable(scene, plan)
    sound = {"single": single, "pair": pair, "shortest": shortest_part(scene, plan)}
    return Proven(sound, label_of_just(plan, single, pair))


def _land(question: Question) -> Proven | None:
    grounded = read_situation(question).grounded
    landmarks = grounded.landmarks(_LIMITS)
    if landmarks is None or landmarks.unknown:
        return None
    musts, avoidable = (list(map(str, grounded.atoms_of(mask))) for mask in (landmarks.needed, landmarks.avoidable))
    return Proven(musts, {"yes": musts, "no": avoidable})


def _nexta(question: Question) -> Proven | None:
    sound = first_actions(read_situation(question).grounded, SearchBudget(_LIMITS))
    return None if sound is None else Proven(sound, label_of_nexta(sound))


_PROVERS: Mapping[str, Callable[[Question], Proven | None]] = by_task(
    _app, _prog, _reach, _areach, _val, _just, _land, _nexta
)


def _carried_proof(question: Question) -> Mapping[str, Any]:
    """Return the proof that a question of the tasks prog, reach and areach carries."""
    sound: Mapping[str, Any] = question.proof["sound"] if question.proof else {}
    return sound


def _find_actions(question: Question, names: Iterable[str]) -> tuple[GroundAction, ...] | None:
    """Return the actions of some names; None if one could never be carried out."""
    grounded = read_situation(question).grounded
    actions = [grounded.find(*parse_atom(name)) for name in names]
    return None if None in actions else tuple(action for action in actions if action)


def _set_free(value: Any) -> Any:
    """Return a value in which the order of texts in lists does not count."""
    if isinstance(value, Mapping):
        return {name: _set_free(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return sorted(map(repr, value))
    return value
