"""Proves the answers of a questions file again: from the PDDL and the actions that a question names, or from its scene.

Called by `herobench validate --suite acp`. The engine proves what the generator has proven, with wider limits. The
label, by which the reference grading scores, has to agree. The text of a question about the hero's world has to be the
text of its scene too: else the answer would be right, and to another question than the one that is asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from herobench.pddl.limits import SearchBudget, SearchLimits
from herobench.pddl.task import GroundAction
from herobench.suites.acp.hero.question import AnyQuestion, HeroQuestion, action_text, change
from herobench.suites.acp.questions.lenient import NONE
from herobench.suites.acp.questions.questions import Question, by_task, plan_in
from herobench.suites.acp.questions.situation import parse_atom, read_situation
from herobench.suites.acp.questions.sound import find_fault
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
from herobench.task_gen.acp.just import label_of_just, removable, shortest_part
from herobench.task_gen.acp.scene import scene_along
from herobench.task_gen.acp.states import first_actions, label_of_nexta, state_changes

_WRONG = "its answer is wrong"
_LIMITS = SearchLimits(states=30_000)
"""What one proof may look at: ten times what the generator allows itself."""


class Proven(NamedTuple):
    """What is right, in the form of a proof, and the label that goes with it."""

    sound: Any
    label: Any


def _faults_in_pddl(question: Question) -> list[str]:
    """Return a sentence for each thing that does not hold. Raise InputError for PDDL that cannot be read."""
    if question.proof is None:
        return ["it carries no proof"]
    proven = _PROVERS[question.task](question)
    if proven is None:
        return ["its answer cannot be proven"]
    faults = [] if _set_free(proven.sound) == _set_free(question.proof["sound"]) else ["its proof is wrong"]
    is_right = _set_free(proven.label) == _set_free(question.answer)
    return faults if is_right else [*faults, "its label is wrong"]


def _app(question: Question) -> Proven:
    able = sorted(read_situation(question).applicable())
    return Proven(able, able)


def _prog(question: Question) -> Proven | None:
    grounded = read_situation(question).grounded
    (action,) = _found(question, [str(_told(question).get("action"))]) or [None]
    if action is None or action.pre & ~grounded.initial:
        return None
    changed = state_changes(grounded, grounded.initial, action)
    return Proven({**changed, "action": str(action)}, changed)


def _reach(question: Question) -> Proven | None:
    grounded = read_situation(question).grounded
    found = grounded.reachable_atoms(_LIMITS)
    return None if found.unknown else _never(question, grounded.atoms_of(found.never))


def _areach(question: Question) -> Proven | None:
    found = read_situation(question).grounded.reachable_actions(_LIMITS)
    return None if found.unknown else _never(question, found.never)


def _never(question: Question, items: Iterable[object]) -> Proven | None:
    """Return the proof. The label names some of many right answers, so each is judged by itself."""
    sound = {"never": list(map(str, items))}
    if _set_free(sound) != _set_free(_told(question)):
        return Proven(sound, question.answer)
    given = [f"({item.strip('()')})" for item in question.answer] or [NONE]
    is_right = all(find_fault(question, ((item,),)) is None for item in given)
    return Proven(sound, question.answer if is_right else None)


def _val(question: Question) -> Proven:
    first = read_situation(question).first_fault(plan_in(question.question))
    return Proven(first, first)


def _just(question: Question) -> Proven | None:
    situation, names = read_situation(question), plan_in(question.question)
    plan = _found(question, names)
    if plan is None or not situation.is_plan(names):
        return None
    scene = scene_along(situation.grounded, situation.task.problem.goal, plan)
    single, pair = removable(scene, plan)
    sound = {"single": single, "pair": pair, "shortest": shortest_part(scene, plan)}
    return Proven(sound, label_of_just(plan, single, pair))


def _land(question: Question) -> Proven | None:
    grounded = read_situation(question).grounded
    found = grounded.landmarks(_LIMITS)
    if found is None or found.unknown:
        return None
    needed, avoidable = (list(map(str, grounded.atoms_of(mask))) for mask in (found.needed, found.avoidable))
    return Proven(needed, {"yes": needed, "no": avoidable})


def _nexta(question: Question) -> Proven | None:
    sound = first_actions(read_situation(question).grounded, SearchBudget(_LIMITS))
    return None if sound is None else Proven(sound, label_of_nexta(sound))


_PROVERS: Mapping[str, Callable[[Question], Proven | None]] = by_task(
    _app, _prog, _reach, _areach, _val, _just, _land, _nexta
)


def _told(question: Question) -> Mapping[str, Any]:
    """Return the proof that a question of the tasks prog, reach and areach carries."""
    sound: Mapping[str, Any] = question.proof["sound"] if question.proof else {}
    return sound


def _found(question: Question, names: Iterable[str]) -> tuple[GroundAction, ...] | None:
    """Return the actions of some names; None if one could never be carried out."""
    grounded = read_situation(question).grounded
    found = [grounded.find(*parse_atom(name)) for name in names]
    return None if None in found else tuple(action for action in found if action)


def _set_free(value: Any) -> Any:
    """Return a value in which the order of texts in lists does not count."""
    if isinstance(value, Mapping):
        return {name: _set_free(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return sorted(map(repr, value))
    return value


# -- questions about the hero's world ---------------------------------------------------------------------------------


def _faults_about_hero(question: HeroQuestion) -> list[str]:
    """Return a sentence for each thing that does not hold."""
    told = question.context, question.question
    right = context(question.scene), question_text(question.scene, question.task, **_facts(question))
    fault = _fault_of_just(question) if question.task == "just" else _fault_of_answer(question)
    return [*([] if told == right else ["its text does not tell its scene"]), *([fault] if fault else [])]


def _facts(question: HeroQuestion) -> dict[str, object]:
    """Return what is put into the words of the question."""
    match question.task:
        case "val" | "just":
            return {"plan": numbered(question.actions)}
        case "prog":
            return {"action": ", ".join(map(action_text, question.actions))}
        case "nexta" if question.answer["gear"]:
            return {"goal": gear_goal(question.scene, question.answer["gear"])}
    return {}


def _fault_of_answer(question: HeroQuestion) -> str | None:
    """Return what is wrong with an answer; None if it holds."""
    right = _proven_about_hero(question)
    if right is None and question.task != "val":  # of val, None is an answer
        return "its answer cannot be proven"
    return None if question.answer == right else _WRONG


def _proven_about_hero(question: HeroQuestion) -> Any:
    """Return the right answer; None if it is not proven."""
    scene = question.scene
    match question.task:
        case "app":
            return applicable(scene)
        case "prog":
            return change(scene, question.actions[0]) if question.actions else None
        case "reach" | "areach":
            found = impossible_facts(scene) if question.task == "reach" else impossible_actions(scene)
            return found and found[0]
        case "val":
            return first_refused(scene, question.actions)
        case "land":
            return unavoidable(scene)
    gear = Counter(question.answer["gear"])
    begun = beginning(scene, gear)
    return begun and begun.answer(gear)


def _fault_of_just(question: HeroQuestion) -> str | None:
    scene, plan, spare = question.scene, question.actions, frozenset(question.answer)
    if not is_clean(scene, plan):
        return "its plan does not reach the goal, or an action of it is refused"
    kept = tuple(action for number, action in enumerate(plan) if number not in spare)
    return None if spare and len(kept) == len(plan) - len(spare) and is_clean(scene, kept) else _WRONG


def find_faults(question: AnyQuestion) -> list[str]:
    """Return a sentence for each thing that does not hold."""
    if isinstance(question, HeroQuestion):
        return _faults_about_hero(question)
    return _faults_in_pddl(question)
