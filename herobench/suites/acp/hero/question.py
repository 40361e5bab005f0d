"""A question about the hero's world, as a row of a questions file has it.

A row carries its proven answer, and a digest of all that it says. The digest guards against a row that was edited and
would be graded by the answer to another question.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

from herobench.data.documents import schema_problems
from herobench.data.errors import InputError, Problem
from herobench.suites.acp.hero.scene import HeroScene
from herobench.suites.rpg.game.events import SIGNATURES, Action, CallError, RefusedAction, Value, bound
from herobench.suites.rpg.game.hero import NAME

_CALL = re.compile(r"([a-z]+)\s*(?:\((.*)\)|(.*))\Z", re.DOTALL)
_SPLIT = re.compile(r"[,\s]+")
_KEYWORD = re.compile(r"\A[a-z]+=")
_WHOLE = re.compile(r"[+-]?[0-9]{1,12}\Z")


def act(name: str, *args: Value) -> Action:
    """Return an action of the hero."""
    return Action(name, (NAME, *args))


def text_of(action: Action) -> str:
    """Return an action as text."""
    return f"{action.name}({', '.join(map(str, action.args[1:]))})"


def action_in(text: str) -> Action | None:
    """Return the action that a text writes, with its defaults filled in; None if it is none.

    Quotes, the hero's name, names of parameters and a missing quantity of 1 are accepted.
    """
    # white space is stripped and not matched: a pattern with several runs of it takes for ever on a long one
    call = _CALL.match(text.strip().removesuffix(";").rstrip())
    if not call or call[1] not in SIGNATURES:
        return None
    words = [_KEYWORD.sub("", word).strip("\"'") for word in _SPLIT.split((call[2] or call[3] or "").strip())]
    args = [int(word) if _WHOLE.match(word) else word for word in words if word]
    if args[:1] == [NAME]:
        del args[0]
    try:
        _, *values = bound(call[1], (NAME, *args), ())
    except (CallError, RefusedAction):
        return None
    # one piece is meant if gear is put on or taken off
    if call[1] in ("equip", "unequip") and values[-1] == 1:
        del values[-1]
    return act(call[1], *values)


_LABELS: Mapping[str, type | tuple[type, ...]] = {
    "app": list,
    "prog": dict,
    "reach": list,
    "areach": list,
    "val": (int, type(None)),
    "just": list,
    "land": list,
    "nexta": dict,
}

_DIGEST = "digest"
_OTHERWISE = ("kept", "twin_of")
"""Fields that a row has under another name, or only if they are known."""


@dataclass(frozen=True)
class HeroQuestion:
    """One question."""

    task: str
    split: str
    domain: str
    id: int
    rpg_task: str
    rpg_digest: str
    rpg_group: str
    rules: str
    experience: str
    context: str
    question: str
    given: tuple[str, ...]
    answer: Any
    """The proven answer. Its form depends on the task."""
    kept: Mapping[str, Any]
    """The scene as JSON."""
    twin_of: str | None = None
    """The key of the question that this one is a twin of."""

    @property
    def key(self) -> str:
        """The id among all questions, such as `app/test/hero/123`."""
        return f"{self.task}/{self.split}/{self.domain}/{self.id}"

    @cached_property
    def scene(self) -> HeroScene:
        """The world and the state."""
        return HeroScene.from_row(self.kept, self.rules, self.experience, self.key)

    @cached_property
    def actions(self) -> tuple[Action, ...]:
        """The actions that the question quotes."""
        return tuple(action for action in map(action_in, self.given) if action)

    def as_row(self) -> dict[str, Any]:
        """Return the question as a row of a questions file."""
        row = {field.name: getattr(self, field.name) for field in fields(self) if field.name not in _OTHERWISE}
        twin = {} if self.twin_of is None else {"twin_of": self.twin_of}
        return _sealed({**row, "given": list(self.given), "scene": self.kept, **twin})


def built(row: Mapping[str, Any]) -> HeroQuestion:
    """Return the question of a valid row."""
    values = {name: value for name, value in row.items() if name not in ("scene", _DIGEST)}
    return HeroQuestion(**{**values, "given": tuple(row["given"]), "kept": row["scene"]})


def _sealed(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row with the digest of its other fields."""
    rest = {name: value for name, value in row.items() if name != _DIGEST}
    text = json.dumps(rest, sort_keys=True, ensure_ascii=True)
    return {**rest, _DIGEST: hashlib.sha256(text.encode()).hexdigest()}


def hero_question_of(row: Mapping[str, Any], place: str = "the question") -> HeroQuestion:
    """Return the question of a row. Raise InputError with what is wrong with it."""
    problems = schema_problems(row, "hero-question", place)
    if not problems and not isinstance(row["answer"], _LABELS[row["task"]]):
        problems = [Problem(place, "$.answer", f"an answer of the task {row['task']}", row["answer"])]
    if not problems:
        unread = [text for text in row["given"] if action_in(text) is None]
        problems = [Problem(place, "$.given", "actions such as craft(iron, 3)", text) for text in unread[:1]]
    if problems:
        raise InputError(problems)
    question = built(row)
    HeroScene.from_row(question.kept, question.rules, question.experience, place)
    if _sealed(row)[_DIGEST] != row[_DIGEST]:
        advice = "the question was changed after it was proven: make it again"
        raise InputError([Problem(place, f"$.{_DIGEST}", "the digest of this question", advice=advice)])
    return question
