"""A question about the hero's world, its columns, and the rows of questions files of either kind.

A row carries its proven answer, and a digest of all that it says. The digest guards against a row that was edited and
would be graded by the answer to another question.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache, cached_property
from operator import attrgetter
from pathlib import Path
from types import MappingProxyType
from typing import Any, get_args

from herobench.data.columns import TEXT, Column, RowFormat
from herobench.data.compressed import shipped_rows
from herobench.data.documents import schema_problems
from herobench.data.errors import InputError, Problem
from herobench.data.rows import NamedRows
from herobench.suites.acp.hero.scene import HeroScene, act
from herobench.suites.acp.questions.questions import SPLITS, TASKS, Question, question_of
from herobench.suites.rpg.game.events import SIGNATURES, Action, CallError, RefusedAction, bound
from herobench.suites.rpg.game.hero import NAME
from herobench.suites.rpg.game.rules import Experience

_CALL = re.compile(r"([a-z]+)\s*(?:\((.*)\)|(.*))\Z", re.DOTALL)
_SPLIT = re.compile(r"[,\s]+")
_KEYWORD = re.compile(r"\A[a-z]+=")
_WHOLE = re.compile(r"[+-]?[0-9]{1,12}\Z")


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


AnyQuestion = Question | HeroQuestion


def schema_of(row: Any) -> str:
    """Return the name of the schema that a row has to fit."""
    return "hero-question" if isinstance(row, Mapping) and row.get("domain") == HERO else "acp-question"


def any_question_of(row: Mapping[str, Any], place: str = "the question") -> AnyQuestion:
    """Return the question of a row. Raise InputError with what is wrong with it."""
    return hero_question_of(row, place) if schema_of(row) == "hero-question" else question_of(row, place)


QUESTIONS: NamedRows[AnyQuestion] = NamedRows(schema_of, any_question_of, attrgetter("key"))


def read_questions(path: Path) -> dict[str, AnyQuestion]:
    """Return the questions of a file, by key. Raise InputError with all of its problems."""
    return QUESTIONS.in_file(path)


HERO = "hero"
"""The name of the domain."""
_HEX = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
_SCENE = {
    "type": "object",
    "additionalProperties": False,
    "required": ["world", "task"],
    "properties": {
        "world": {"type": "object", "description": "The documents of the told part of the world, by name."},
        "task": {"type": "object", "description": "A row of a tasks file: the goal, what is told, and the hero now."},
    },
}

QUESTION = (
    Column("task", {"enum": list(TASKS)}, "The kind of question, such as app."),
    Column("split", {"enum": list(SPLITS)}, "The split of the set."),
    Column("domain", {"const": HERO}, "The domain; it tells these rows from questions about PDDL."),
    Column("id", {"type": "integer", "minimum": 0}, "A number that is unique within a task and split."),
    Column("rpg_task", TEXT, "The id of the RPG task in whose oracle plan the state arises."),
    Column("rpg_digest", _HEX, "The digest of the RPG task's content: equal tasks have the same, whatever their ids."),
    Column("rpg_group", TEXT, "The group of the RPG task: its bracket of difficulty."),
    Column("rules", TEXT, "The edition of the rules."),
    Column("experience", {"enum": list(get_args(Experience))}, "none if the question freezes all levels."),
    Column("context", TEXT, "The world, the rules and the state as text."),
    Column("question", TEXT, "The question as text."),
    Column("given", {"type": "array", "items": TEXT}, "The actions that the question quotes; empty for most tasks."),
    Column(
        "answer", {"type": ["array", "object", "integer", "null"]}, "The proven answer; its form depends on the task."
    ),
    Column("scene", _SCENE, "The world and the state as data. Nothing else is needed to grade an answer."),
    Column("digest", _HEX, "The digest of the other fields. A row that was edited is refused."),
    Column("twin_of", TEXT, "The id of the question that this one was made to resemble.", later=True),
)
"""The fields of a question, in their order."""

FORMATS = (
    RowFormat(
        "hero-question",
        1,
        "A question about the hero's world",
        "One line of a questions file of the suite acp whose domain is hero.",
        QUESTION,
    ),
)


HERO_DATASET = "hero-v3"
FILE = f"{HERO_DATASET}.jsonl.xz"


@cache
def hero_questions() -> Mapping[str, HeroQuestion]:
    """Return the questions by key, in the order of the file."""
    return MappingProxyType({question.key: question for question in map(built, shipped_rows("acp", FILE))})
