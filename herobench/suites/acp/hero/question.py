"""A question about the hero's world, its columns, and the rows of questions files of either kind.

A row carries its proven answer, and a digest of all that it says. The digest guards against a row that was edited and
would be graded by the answer to another question.

The answer in a response is the JSON behind the last `ANSWER:`, or else the last JSON that stands alone.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cache, cached_property
from operator import attrgetter
from types import MappingProxyType
from typing import Any, NamedTuple, get_args

from herobench.data.columns import TEXT, Column, RowFormat
from herobench.data.compressed import shipped_rows
from herobench.data.documents import schema_problems
from herobench.data.errors import InputError, Problem
from herobench.data.rows import NamedRows
from herobench.suites.acp.hero.scene import HeroScene, act
from herobench.suites.acp.questions.questions import SPLITS, TASKS, Question, read_question
from herobench.suites.rpg.game.events import (
    SIGNATURES,
    Action,
    CallError,
    Crafted,
    Event,
    Fought,
    Gathered,
    RefusedAction,
    bound,
)
from herobench.suites.rpg.game.hero import NAME, HeroStart
from herobench.suites.rpg.game.rules import Experience

_CALL = re.compile(r"([a-z]+)\s*(?:\((.*)\)|(.*))\Z", re.DOTALL)
_SPLIT = re.compile(r"[,\s]+")
_KEYWORD = re.compile(r"\A[a-z]+=")
_WHOLE = re.compile(r"[+-]?[0-9]{1,12}\Z")


def action_text(action: Action) -> str:
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


def read_hero_question(row: Mapping[str, Any], place: str = "the question") -> HeroQuestion:
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


def row_schema_name(row: Any) -> str:
    """Return the name of the schema that a row has to fit."""
    return "hero-question" if isinstance(row, Mapping) and row.get("domain") == HERO else "acp-question"


def read_any_question(row: Mapping[str, Any], place: str = "the question") -> AnyQuestion:
    """Return the question of a row. Raise InputError with what is wrong with it."""
    return read_hero_question(row, place) if row_schema_name(row) == "hero-question" else read_question(row, place)


QUESTIONS: NamedRows[AnyQuestion] = NamedRows(row_schema_name, read_any_question, attrgetter("key"))


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


# -- answers in responses ---------------------------------------------------------------------------------------------

OWN = "hero"
PLACE, ITEMS, WORN, FIGHT, EXPERIENCE = "place", "items", "worn", "fight", "experience"

Fact = tuple[str, str, Any]
"""A part of the change, the name of what changes, and the value."""


def change(scene: HeroScene, action: Action) -> dict[str, Any] | None:
    """Return what an action changes; None if it is refused."""
    game = scene.game()
    before = scene.task.hero
    event = game.act(action)
    if not event.ok:
        return None
    after = before.after(game.hero)
    return dict(_changed_parts(before, after, event))


def _changed_parts(before: HeroStart, after: HeroStart, event: Event) -> Iterator[tuple[str, Any]]:
    if after.place != before.place:
        yield PLACE, list(after.place)
    codes = sorted({*before.inventory, *after.inventory})
    counts = {code: after.inventory.get(code, 0) - before.inventory.get(code, 0) for code in codes}
    if items := {code: count for code, count in counts.items() if count}:
        yield ITEMS, items
    slots = sorted({*before.worn, *after.worn})
    if worn := {slot: after.worn.get(slot) for slot in slots if after.worn.get(slot) != before.worn.get(slot)}:
        yield WORN, worn
    match event.detail:
        case Fought(won=won, xp=xp):
            yield FIGHT, "won" if won else "lost"
            yield from _experience(OWN, xp)
        case Gathered(skill=skill, xp=xp) | Crafted(skill=skill, xp=xp):
            yield from _experience(skill, xp)


def _experience(name: str, xp: int) -> Iterator[tuple[str, Any]]:
    if xp:
        yield EXPERIENCE, {name: xp}


def facts_of_change(value: Any) -> frozenset[Fact] | None:
    """Return a change as a set of facts; None if the value has another form. Parts that say nothing may be there."""
    if not isinstance(value, dict) or not value.keys() <= {PLACE, ITEMS, WORN, FIGHT, EXPERIENCE}:
        return None
    place, fight = value.get(PLACE), value.get(FIGHT)
    tables = {part: value.get(part) or {} for part in (ITEMS, WORN, EXPERIENCE)}
    if not (place is None or (isinstance(place, list) and len(place) == 2 and all(map(_is_whole, place)))):
        return None
    if not all(isinstance(table, dict) for table in tables.values()) or fight not in (None, "won", "lost"):
        return None
    numbers = [*tables[ITEMS].values(), *tables[EXPERIENCE].values()]
    if not all(map(_is_whole, numbers)) or not all(isinstance(code, str | None) for code in tables[WORN].values()):
        return None
    facts: list[Fact] = [(PLACE, "", tuple(place))] if place else []
    facts += [(FIGHT, "", fight)] if fight else []
    facts += [(part, name, number) for part in (ITEMS, EXPERIENCE) for name, number in tables[part].items() if number]
    return frozenset([*facts, *((WORN, slot, code) for slot, code in tables[WORN].items())])


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


# No pattern has two runs that may share white space, nor one that may begin at each line of it: models get stuck in
# repeating white space, and such patterns would take hours then.
_MARK = re.compile(r"answer[\s*_`]*:", re.IGNORECASE)
_NONE = re.compile(r"\A[\"'`*(\[]*none\b", re.IGNORECASE)
_ONLY_NONE = re.compile(r"\W*none\W*\Z", re.IGNORECASE)
_MOST_TRIES = 200


class ParsedAnswer(NamedTuple):
    """An answer: a value of JSON, where None is the answer None."""

    value: Any


def answer_in(response: str) -> ParsedAnswer | None:
    """Return the answer in a response; None if there is none."""
    marks = list(_MARK.finditer(response))
    return _first(response[marks[-1].end() :]) if marks else _alone(response.strip())


def _first(text: str) -> ParsedAnswer | None:
    """Return the value that a text begins with."""
    text = text.lstrip(" \t\r\n*_`").removeprefix("json").lstrip()
    if _NONE.match(text):
        return ParsedAnswer(None)
    try:
        value, _ = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):
        return None
    return ParsedAnswer(value)


def _alone(text: str) -> ParsedAnswer | None:
    """Return the value that is the whole text, its last line, or a block that ends it."""
    for part in _parts(text):
        try:
            return ParsedAnswer(json.loads(part))
        except (ValueError, RecursionError):
            if _ONLY_NONE.match(part):
                return ParsedAnswer(None)
    return None


def _parts(text: str) -> Iterator[str]:
    bare = text.strip("`").removeprefix("json").strip()
    yield bare
    yield bare.splitlines()[-1].strip() if bare else ""
    # the longest block at the end that is JSON: it may stand on several lines
    starts = [match.start() for match in re.finditer(r"(?m)^[^\S\n]*[\[{]", bare)]
    yield from (bare[start:].strip() for start in starts[-_MOST_TRIES:])
