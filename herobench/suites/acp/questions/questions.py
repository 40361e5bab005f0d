"""The questions: the published ones, with their proven answers, and rows of the same form from elsewhere.

A row is checked once, here. The published files are read when they are first needed, and then kept. A generated row
carries its proof: so it is graded as fast as a published one, and decided even where the proof took a long search. The
proof has a digest of the row. It guards against a row that was edited and would be graded by a proof of something else.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from operator import attrgetter
from types import MappingProxyType
from typing import Any, TypeVar

from herobench.data.documents import data_of, schema_problems
from herobench.data.errors import InputError, Problem
from herobench.data.rows import NamedRows, shipped_rows

_QUOTED = re.compile(r'"([^"]*)"')
_ACTION = re.compile(r"\([^()]*\)")


def plan_in(question: str) -> tuple[str, ...]:
    """Return the actions of the plan that a question quotes, as they are written there."""
    quote = _QUOTED.search(question)
    return tuple(_ACTION.findall(quote[1] if quote else question))


_OFFERED = "Choose one of these"


def offering(question: str, items: Iterable[str]) -> str:
    """Return a question with the propositions or actions that it offers; the question itself if it offers none."""
    text = ", ".join(items)
    return f"{question} {_OFFERED}: {text}." if text else question


def offered_in(question: str) -> tuple[str, ...]:
    """Return the propositions or actions that a question offers; none for one that leaves them to the reader."""
    return tuple(_ACTION.findall(question.partition(f" {_OFFERED}: ")[2]))


TASKS = ("app", "prog", "reach", "areach", "val", "just", "land", "nexta")
"""The eight kinds of questions, in the paper's order."""
_Thing = TypeVar("_Thing")


def by_task(*things: _Thing) -> Mapping[str, _Thing]:
    """Return a table of one thing for each task, from the things in the order of the tasks."""
    return dict(zip(TASKS, things, strict=True))


SPLITS = ("dev", "test", "generated")
"""The two published splits, and that of generated questions. A private twin is of the split of its original."""
DATASET = "acpbench-hard-v1"
_FILES = ("questions.jsonl.xz", "proofs.jsonl.xz", "shots.json")


@dataclass(frozen=True, slots=True)
class Question:
    """One question, as published."""

    task: str
    split: str
    domain: str
    id: int
    context: str
    question: str
    answer: Any
    """The published label. Its form depends on the task; 61 labels are wrong."""
    pddl_domain: str
    pddl_problem: str
    proof: Mapping[str, Any] | None = None
    """For a generated question `sound`, the proven answer, and `digest`, the digest of question and answer."""
    twin_of: str | None = None
    """The key of the published question that this one was made to resemble."""

    @property
    def key(self) -> str:
        """The id among all questions, such as `app/test/ferry/123`."""
        return f"{self.task}/{self.split}/{self.domain}/{self.id}"

    def as_row(self) -> dict[str, Any]:
        """Return the question as a row of a questions file."""
        row = {name: getattr(self, name) for name in Question.__slots__}
        return {name: value for name, value in row.items() if value is not None}

    def with_proof(self, sound: Any) -> Question:
        """Return the question with the proof of its answer."""
        return replace(self, proof={"sound": sound, "digest": self._digest(sound)})

    @property
    def has_its_proof(self) -> bool:
        """Return whether the question is still the one that its proof was made for."""
        return self.proof is None or self.proof["digest"] == self._digest(self.proof["sound"])

    def _digest(self, sound: Any) -> str:
        row = {**self.as_row(), "proof": sound}
        return hashlib.sha256(json.dumps(row, sort_keys=True, ensure_ascii=True).encode()).hexdigest()


@dataclass(frozen=True)
class Proof:
    """The proven answer to a question."""

    sound: Any
    """What is right. Its form depends on the task."""
    agrees: bool | None = None
    """False if the label is wrong; None if the question came without a proof."""
    unreachable: int | None = None
    """For reach and areach, how many propositions or actions can never be reached; None if that was not counted."""
    unknown: frozenset[str] = frozenset()
    """The items that are neither proven right nor proven wrong; none for a published question."""

    @property
    def size(self) -> int:
        """About how many propositions and actions the proof names."""
        parts = self.sound.values() if isinstance(self.sound, dict) else [self.sound]
        return len(self.unknown) + sum(len(part) for part in parts if isinstance(part, list))

    @cached_property
    def reachable(self) -> frozenset[str]:
        """For reach and areach, the propositions or actions that can be reached."""
        return frozenset(self.sound["reachable"])


def read_question(row: Mapping[str, Any], place: str = "the question") -> Question:
    """Return the question of a row. Raise InputError with what is wrong with it."""
    problems = schema_problems(row, "acp-question", place)
    if not problems and not _LABELS[row["task"]](row["answer"]):
        problems = [Problem(place, "$.answer", f"a label of the task {row['task']}", row["answer"])]
    if not problems and "proof" in row and not _PROOFS[row["task"]](row["proof"]["sound"]):
        problems = [Problem(place, "$.proof.sound", f"a proof for the task {row['task']}", row["proof"]["sound"])]
    if problems:
        raise InputError(problems)
    question = Question(**row)
    if not question.has_its_proof:
        advice = "the question was changed after it was proven: leave out $.proof to have it proven again"
        raise InputError([Problem(place, "$.proof.digest", "the digest of this question", advice=advice)])
    return question


QUESTIONS: NamedRows[Question] = NamedRows("acp-question", read_question, attrgetter("key"))
"""The rows of a questions file."""


@cache
def published() -> Mapping[str, Question]:
    """Return the published questions by their key, in the order of the published files."""
    questions = (Question(**row) for row in shipped_rows("herobench.suites.acp", "questions.jsonl.xz"))
    return MappingProxyType({question.key: question for question in questions})


def stored_proof(question: Question) -> Proof | None:
    """Return the proven answer that comes with the package or with the question itself; None if there is none."""
    if question.proof is not None:
        return Proof(question.proof["sound"], agrees=True)
    return _proofs()[question.key] if published().get(question.key) == question else None


@cache
def shots() -> Mapping[str, Any]:
    """Return the published format instruction and worked examples of each task."""
    content: Mapping[str, Any] = json.loads(_bytes("shots.json"))
    return content


@cache
def digest() -> str:
    """Return the digest of all that comes with the package: questions, proven answers and examples."""
    return hashlib.sha256(b"".join(hashlib.sha256(_bytes(name)).digest() for name in _FILES)).hexdigest()


@cache
def _proofs() -> Mapping[str, Proof]:
    return {
        "{task}/{split}/{domain}/{id}".format(**row): Proof(row["sound"], row["agrees"], row.get("n_unreachable"))
        for row in shipped_rows("herobench.suites.acp", "proofs.jsonl.xz")
    }


def _bytes(name: str) -> bytes:
    return data_of("herobench.suites.acp").joinpath(name).read_bytes()


# -- the forms of labels ----------------------------------------------------------------------------------------------


def _texts(label: Any) -> bool:
    return isinstance(label, list) and all(isinstance(item, str) for item in label)


def _removable(label: Any) -> bool:
    return isinstance(label, list) and all(_texts(item) and len(item) in (2, 3) for item in label)


def _has_lists(*names: str) -> Callable[[Any], bool]:
    """Return a check for an object with these lists."""
    return lambda label: isinstance(label, dict) and all(_texts(label.get(name)) for name in names)


_LABELS: Mapping[str, Callable[[Any], bool]] = {
    "app": _texts,
    "prog": _has_lists("pos", "neg"),
    "reach": _texts,
    "areach": _texts,
    "val": lambda label: isinstance(label, int) and not isinstance(label, bool) and label >= 0,
    "just": _removable,
    "land": _has_lists("yes", "no"),
    "nexta": lambda label: _has_lists("yes", "no", "maybe")(label) and isinstance(label.get("opt"), str),
}
"""Whether a value has the form of a label, by task."""


def _counts(value: Any) -> bool:
    return isinstance(value, list) and all(type(item) is int for item in value)


_PROOFS: Mapping[str, Callable[[Any], bool]] = {
    "app": _texts,
    "prog": _has_lists("pos", "neg"),
    "reach": _has_lists("never"),
    "areach": _has_lists("never"),
    "val": lambda sound: type(sound) is int,
    "just": lambda sound: (
        isinstance(sound, dict)
        and all(_counts(sound.get(name)) for name in ("single", "pair"))
        and type(sound.get("shortest")) in (int, type(None))
    ),
    "land": _texts,
    "nexta": _has_lists("yes", "no"),
}
"""Whether a value has the form of a proof that a generated question carries, by task. For reach and areach, `never` has
the propositions or actions that would be reachable if actions deleted nothing, and are not."""
