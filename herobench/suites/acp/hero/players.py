"""The players of the suite on questions about the hero's world: the oracle, chance, and the form alone."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from random import Random
from types import MappingProxyType
from typing import Any

from herobench.suites.acp.hero.question import HeroQuestion, text_of
from herobench.suites.acp.hero.universe import actions_of, facts_of, landmarks_of, moves_of

_FORMS: Mapping[str, Any] = MappingProxyType(
    {
        "app": [],
        "prog": {},
        "reach": None,
        "areach": None,
        "val": None,
        "just": [0],
        "land": None,
        "nexta": {"action": "fight()", "length": 1},
    }
)
_HALF = 0.5


def answer_of(player: str, question: HeroQuestion, epoch: int) -> str:
    """Return the answer of a player, which is the same for the same question and epoch."""
    return f"ANSWER: {json.dumps(_PLAYERS[player](question, epoch))}"


def _oracle(question: HeroQuestion, epoch: int) -> Any:
    match question.task:
        case "reach" | "areach" | "land":
            return next(iter(question.answer), None)
        case "nexta":
            return {"action": question.answer["first"][0], "length": question.answer["length"]}
    return question.answer


def _random(question: HeroQuestion, epoch: int) -> Any:
    chance = Random(f"{question.key} {epoch}")  # noqa: S311 - the same guess for the same question
    scene, task = question.scene, question.task
    actions = list(map(text_of, actions_of(scene)))
    match task:
        case "app":
            return [action for action in actions if chance.random() < _HALF]
        case "prog":
            return {"items": {chance.choice(sorted(scene.mentioned)): chance.choice((-1, 1))}}
        case "just":
            return [chance.randrange(len(question.actions))]
        case "nexta":
            moves = list(map(text_of, moves_of(scene)))
            return {"action": chance.choice([*actions, *moves]), "length": chance.randint(1, 2 * len(moves))}
        case "val":
            return chance.choice([None, *range(len(question.actions))])
    facts = {"reach": facts_of, "land": landmarks_of}
    return chance.choice([None, chance.choice(facts[task](scene) if task in facts else actions)])


def _format_only(question: HeroQuestion, epoch: int) -> Any:
    return _FORMS[question.task]


_PLAYERS: Mapping[str, Callable[[HeroQuestion, int], Any]] = MappingProxyType(
    {"oracle": _oracle, "random": _random, "format-only": _format_only}
)
