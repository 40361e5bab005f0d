"""Judges an answer to a question about the hero's world: by the proven answer, and by playing where plans are given.

Each judge returns the failure class, or None for a right answer. An answer of another form than asked for is
`format`. Nothing is undecided: questions are asked only if everything that they ask about is proven.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from herobench.suites.acp.hero.question import (
    HeroQuestion,
    ParsedAnswer,
    action_in,
    action_text,
    answer_in,
    facts_of_change,
)
from herobench.suites.acp.hero.scene import BEAT, HAVE, VISIT, WEAR, HeroScene
from herobench.suites.acp.questions.questions import by_task
from herobench.suites.acp.questions.sound import Failure, Grades, common_share, set_fault
from herobench.suites.rpg.game.events import Action


def judge(question: HeroQuestion, response: str) -> Grades:
    """Judge a response."""
    found = answer_in(response)
    if found is None:
        return Grades(None, "format", 0.0 if question.task in _SETS else None)
    fault = _JUDGES[question.task](question, found.value)
    removed = len(set(found.value)) if question.task == "just" and fault is None else None
    return Grades(json.dumps(found.value, ensure_ascii=False), fault, _jaccard(question, found, fault), removed)


# -- what can be done -------------------------------------------------------------------------------------------------


def _app(question: HeroQuestion, value: Any) -> Failure | None:
    given = _actions(value)
    if given is None:
        return "format"
    if not all(is_action(question.scene, text) for text in given):
        return "invented_action"
    return set_fault(_canonical(given), frozenset(question.answer))


def _prog(question: HeroQuestion, value: Any) -> Failure | None:
    given = facts_of_change(value)
    if given is None:
        return "format"
    right = facts_of_change(question.answer) or frozenset()
    if not all(_is_known(question.scene, part, name) for part, name, _ in given):
        return "invented_atom"
    if given != right and {fact[:2] for fact in given} == {fact[:2] for fact in right}:
        return "wrong_value"
    return set_fault(given, right)


def _is_known(scene: HeroScene, part: str, name: str) -> bool:
    known: Mapping[str, Any] = {
        "items": scene.mentioned,
        "worn": scene.world.slots,
        "experience": (*scene.world.skills, "hero"),
    }
    return part not in known or name in known[part]


# -- what can never be ------------------------------------------------------------------------------------------------


def _reach(question: HeroQuestion, value: Any) -> Failure | None:
    if value is None:
        return _none_fault(question)
    text = _words(value)
    if text is None:
        return "format"
    if text not in question.scene.facts():
        return "invented_atom"
    return _never_fault(question, text)


def _areach(question: HeroQuestion, value: Any) -> Failure | None:
    if value is None:
        return _none_fault(question)
    given = _actions([value])
    if given is None:
        return "format"
    if not is_action(question.scene, given[0]):
        return "invented_action"
    return _never_fault(question, *_canonical(given))


def _never_fault(question: HeroQuestion, item: str) -> Failure | None:
    if item in question.answer:
        return None
    return "reachable" if question.answer else "missed_none"


def _none_fault(question: HeroQuestion) -> Failure | None:
    return "false_none" if question.answer else None


# -- plans ------------------------------------------------------------------------------------------------------------


_DIGITS = re.compile(r"\s*[0-9]{1,12}\s*\Z")


def _val(question: HeroQuestion, value: Any) -> Failure | None:
    if value is None:
        return "false_none" if question.answer is not None else None
    index = int(value) if isinstance(value, str) and _DIGITS.match(value) else value
    if not _is_index(index):
        return "format"
    if question.answer is None:
        return "missed_none"
    return None if index == question.answer else "wrong_index"


def _just(question: HeroQuestion, value: Any) -> Failure | None:
    if not isinstance(value, list) or not all(map(_is_index, value)):
        return "format"
    left_out, plan = frozenset(value), question.actions
    if not left_out:
        return "not_shorter"
    if max(left_out) >= len(plan):
        return "not_a_subsequence"
    kept = [action for index, action in enumerate(plan) if index not in left_out]
    return None if question.scene.wins(kept) else "no_plan"


def _is_index(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


# -- what has to be ---------------------------------------------------------------------------------------------------


def _land(question: HeroQuestion, value: Any) -> Failure | None:
    if value is None:
        return _none_fault(question)
    text = _words(value)
    if text is None:
        return "format"
    if text in question.answer:
        return None
    scene = question.scene
    if text not in scene.landmarks():
        return "invented_atom"
    if is_trivial(scene, text):
        return "trivial_landmark"
    return "no_landmark" if question.answer else "missed_none"


def is_trivial(scene: HeroScene, fact: str) -> bool:
    """Return whether a fact is so now, or is the goal itself or comes with it."""
    verb, code = fact.split()
    task, hero, world = scene.task, scene.task.hero, scene.world
    if verb == HAVE:
        drops = world.monsters[task.target].drops if task.kind == "kill" else ()
        gained = {drop.item for drop in drops} if task.kind == "kill" else {task.target}
        return code in hero.inventory or code in hero.worn.values() or code in gained
    if verb == WEAR:
        return code in hero.worn.values()
    if verb == BEAT:
        return task.kind == "kill" and code == task.target
    content = world.tiles[hero.place].content
    return verb == VISIT and content is not None and content.code == code


def _nexta(question: HeroQuestion, value: Any) -> Failure | None:
    if not isinstance(value, dict) or not _is_index(value.get("length")):
        return "format"
    given = _actions([value.get("action")])
    if given is None:
        return "format"
    if not is_action(question.scene, given[0]):
        return "invented_action"
    (text,) = _canonical(given)
    action, scene = action_in(text), question.scene
    if action is None or not scene.game().act(action).ok:
        return "inapplicable"
    if text not in question.answer["first"] and not _begins_shortest(question, action):
        return "worse_than_optimal"
    return None if value["length"] == question.answer["length"] else "wrong_length"


def _begins_shortest(question: HeroQuestion, action: Action) -> bool:
    """Return whether an action in another quantity than that in the answer begins a shortest plan as well."""
    answer = question.answer
    alike = (other for other in map(action_in, answer["first"]) if other)
    if not any((other.name, other.args[:-1]) == (action.name, action.args[:-1]) for other in alike):
        return False
    from herobench.suites.acp.hero.shortest import Shortest  # the generator is slow to import

    shortest = Shortest(question.scene, Counter(answer["gear"]))
    return bool(shortest.begins(question.scene, action, answer["length"]))


_JUDGES: Mapping[str, Callable[[HeroQuestion, Any], Failure | None]] = by_task(
    _app, _prog, _reach, _areach, _val, _just, _land, _nexta
)

# -- parts of answers -------------------------------------------------------------------------------------------------

_SETS = ("app", "prog")


def _actions(value: Any) -> list[str] | None:
    """Return a list of texts; None for anything else."""
    return value if isinstance(value, list) and all(isinstance(item, str) for item in value) else None


def _words(value: Any) -> str | None:
    return " ".join(value.split()) if isinstance(value, str) and value.strip() else None


def _canonical(texts: list[str]) -> frozenset[str]:
    """Return actions as this program writes them."""
    return frozenset(action_text(action) for action in map(action_in, texts) if action)


def is_action(scene: HeroScene, text: str) -> bool:
    """Return whether a text is an action whose place, slot and item are told."""
    action = action_in(text)
    if action is None:
        return False
    args = action.args[1:]
    match action.name:
        case "move":
            return tuple(args) in scene.world.tiles
        case "craft" | "buy":
            return args[0] in scene.mentioned
        case "equip":
            return args[0] in scene.world.slots and args[1] in scene.mentioned
        case "unequip":
            return args[0] in scene.world.slots
    return True


def _jaccard(question: HeroQuestion, found: ParsedAnswer, fault: Failure | None) -> float | None:
    if question.task not in _SETS:
        return None
    if fault in ("format", "invented_action", "invented_atom"):
        return 0.0
    if question.task == "app":
        given, right = _canonical(found.value), frozenset(question.answer)
        return common_share(given, right)
    told, true = facts_of_change(found.value) or frozenset(), facts_of_change(question.answer) or frozenset()
    return common_share(told, true)
