"""What differs between two worlds, and whether scores in one can be held against scores in the other.

Everything that the digest covers is compared, so a difference is empty just where the digests are equal: rows by their
codes or places, fields by their paths, and the order of what both have. What a difference means is said in one of five
verdicts, and on the careful side: tasks belong to the world of one digest and are drawn by it, so that in another world
there are other tasks, however little has changed. Pure.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from enum import Enum
from typing import Any, Literal, NamedTuple

from herobench.rpg.packs.pack import ROWS, row_key
from herobench.rpg.world import DOCUMENTS

Json = Any
Documents = Mapping[str, Mapping[str, Json]]


class Verdict(Enum):
    """What a difference means for scores, from nothing to everything."""

    SAME = "same"
    WORDS = "words"
    ORDER = "order"
    ADDITIONS = "additions"
    CONTENT = "content"

    @property
    def sentence(self) -> str:
        """What it means, for people."""
        return _SENTENCES[self]


_SENTENCES = {
    Verdict.SAME: "It is the same world: tasks of one are tasks of the other, and scores compare.",
    Verdict.WORDS: "Only words differ, or gear that is only told of. A plan that goes by codes scores the same in both,"
    " but prompts read otherwise and other tasks are drawn: scores of models do not compare task by task.",
    Verdict.ORDER: "Nothing differs but words and what stands first. A plan that goes by codes scores the same in both,"
    " but other tasks are drawn: scores of models do not compare task by task.",
    Verdict.ADDITIONS: "Something was added, and nothing else changed but words. A plan that keeps to what both have"
    " scores the same in both, but other tasks are drawn, which may be about what is new: scores do not compare.",
    Verdict.CONTENT: "Numbers, recipes, drops, places or facts differ. The same plan can end otherwise: scores do not"
    " compare.",
}
_TOLD = "distractors"
_WORDS = {
    "world": {"code", "name", "description", "credits"},
    "monsters": {"name"},
    "resources": {"name"},
    "items": {"name", "description", "subtype"},
    "map": {"name", "skin"},
}
"""The fields that nothing in the game comes of; actions return some of them, and a plan could read them there."""
_GROWING = frozenset({"elements", "skills", "slots", "exchange_sells"})
"""The lists among the facts that take nothing away from anybody when they get longer."""


class Field(NamedTuple):
    """A field that differs; None is where there is none."""

    path: str
    old: Json
    new: Json

    def verdict(self, words: Set[str]) -> Verdict:
        """What this alone means in a document in which some fields are words."""
        if self.path in words:
            return Verdict.WORDS
        grown = self.path in _GROWING and isinstance(self.old, list) and isinstance(self.new, list)
        return Verdict.ADDITIONS if grown and [c for c in self.new if c in self.old] == self.old else Verdict.CONTENT


@dataclass(frozen=True, slots=True)
class Difference:
    """One row, or what a document says beside its rows, that is not in both as it is in one."""

    document: str
    what: Literal["added", "removed", "changed", "reordered"]
    code: str
    """A code, a place as `x,y`, or nothing."""
    fields: tuple[Field, ...] = ()

    @property
    def verdict(self) -> Verdict:
        """What this alone means. Distractors are in no game: they are only told of."""
        if self.document == _TOLD:
            return Verdict.WORDS
        if self.what == "reordered":
            return Verdict.ORDER
        if self.what == "added":
            return Verdict.ADDITIONS
        if self.what == "removed":
            return Verdict.CONTENT
        return gravest(field.verdict(_WORDS[self.document]) for field in self.fields)

    def as_row(self) -> dict[str, Json]:
        """The difference as JSON."""
        fields = [field._asdict() for field in self.fields]
        return {"document": self.document, "what": self.what, "code": self.code, "fields": fields}


def differences(old: Documents, new: Documents) -> list[Difference]:
    """All that differs, in the order of the documents."""
    return [found for document in DOCUMENTS for found in _of_document(document, old[document], new[document])]


def verdict_on(found: Iterable[Difference]) -> Verdict:
    """What differences mean together."""
    return gravest(difference.verdict for difference in found)


def gravest(verdicts: Iterable[Verdict]) -> Verdict:
    """The one that means the most."""
    return max(verdicts, key=list(Verdict).index, default=Verdict.SAME)


def _of_document(document: str, old: Mapping[str, Json], new: Mapping[str, Json]) -> Iterator[Difference]:
    key = ROWS.get(document)
    heads = ({name: value for name, value in content.items() if name != key} for content in (old, new))
    fields = _fields(*heads)
    if fields:
        yield Difference(document, "changed", "", fields)
    if key is not None:
        rows = ({row_key(document, row): row for row in content[key]} for content in (old, new))
        yield from _of_rows(document, *rows)


def _of_rows(document: str, old: Mapping[Json, Json], new: Mapping[Json, Json]) -> Iterator[Difference]:
    yield from (Difference(document, "removed", _shown(key)) for key in old if key not in new)
    for key, row in old.items():
        if key in new and (fields := _fields(row, new[key])):
            yield Difference(document, "changed", _shown(key), fields)
    yield from (Difference(document, "added", _shown(key)) for key in new if key not in old)
    if [key for key in old if key in new] != [key for key in new if key in old]:
        yield Difference(document, "reordered", "")


def _shown(key: Json) -> str:
    return key if isinstance(key, str) else ",".join(map(str, key))


# -- fields -----------------------------------------------------------------------------------------------------------


def _fields(old: Mapping[str, Json], new: Mapping[str, Json]) -> tuple[Field, ...]:
    """What differs between two objects, as deep inside as it can be told."""
    found: list[Field] = []
    for name in dict.fromkeys([*old, *new]):
        if _canonical(old.get(name)) != _canonical(new.get(name)):
            found += _inside(name, old.get(name), new.get(name))
    return tuple(found)


def _inside(name: str, old: Json, new: Json) -> list[Field]:
    one, other = _flat(name, old), _flat(name, new)
    paths = [path for path in dict.fromkeys([*one, *other]) if _canonical(one.get(path)) != _canonical(other.get(path))]
    return [Field(path, one.get(path), other.get(path)) for path in paths] or [Field(name, old, new)]


def _flat(path: str, value: Json) -> dict[str, Json]:
    """A value by paths down to what has no parts. Drops go by their items, whatever their order."""
    if isinstance(value, list) and value and all(isinstance(part, dict) and "item" in part for part in value):
        value = {part["item"]: {name: field for name, field in part.items() if name != "item"} for part in value}
    if isinstance(value, dict):
        return {inner: leaf for name, part in value.items() for inner, leaf in _flat(f"{path}.{name}", part).items()}
    return {path: value}


def _canonical(value: Json) -> str:
    return json.dumps(value, sort_keys=True)
