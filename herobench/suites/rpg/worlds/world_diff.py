"""Compare two worlds, and say whether scores in them are comparable. `herobench world diff` calls `differences`.

Everything in the digest is compared, so two worlds have no differences exactly when their digests are equal. The
verdict is careful: tasks are drawn by the digest of a world, so any change gives other tasks. No file is read.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from enum import Enum
from typing import Any, Literal, NamedTuple

from herobench.suites.rpg.game.world import DOCUMENTS, Documents
from herobench.suites.rpg.worlds.layered_world import ROWS, row_key

Json = Any


class Comparability(Enum):
    """The effect of a difference on scores, from none to the largest."""

    SAME = "same"
    WORDS = "words"
    ORDER = "order"
    ADDITIONS = "additions"
    CONTENT = "content"

    @property
    def sentence(self) -> str:
        """The explanation for users."""
        return _SENTENCES[self]


_SENTENCES = {
    Comparability.SAME: "The worlds are the same: they have the same tasks, and scores can be compared.",
    Comparability.WORDS: "Only names, descriptions or distractors differ. A plan that uses codes gets the same score in"
    " both worlds, but prompts and drawn tasks differ: scores of models cannot be compared task by task.",
    Comparability.ORDER: "Only the order of rows differs, or names and descriptions. A plan that uses codes gets the"
    " same score in both worlds, but other tasks are drawn: scores of models cannot be compared task by task.",
    Comparability.ADDITIONS: "Something was added, and nothing else changed but names and descriptions. A plan that"
    " uses only what both worlds have gets the same score in both, but other tasks are drawn, which may ask for what is"
    " new: scores cannot be compared.",
    Comparability.CONTENT: "Numbers, recipes, drops, places or facts differ. The same plan can end differently: scores"
    " cannot be compared.",
}
_TOLD = "distractors"
_WORDS = {
    "world": {"code", "name", "description", "credits"},
    "monsters": {"name"},
    "resources": {"name"},
    "items": {"name", "description", "subtype"},
    "map": {"name", "skin"},
}
"""Fields without an effect in the game. A plan could still read some of them from results of actions."""
_GROWING = frozenset({"elements", "skills", "slots", "exchange_sells"})
"""Lists in world.json that take nothing away when they get longer."""


class FieldChange(NamedTuple):
    """A field that differs. A missing value is None."""

    path: str
    old: Json
    new: Json

    def verdict(self, words: Set[str]) -> Comparability:
        """Return the effect of this change alone. `words` are the fields of the document that are only words."""
        if self.path in words:
            return Comparability.WORDS
        both_lists = isinstance(self.old, list) and isinstance(self.new, list)
        only_grew = self.path in _GROWING and both_lists and [c for c in self.new if c in self.old] == self.old
        return Comparability.ADDITIONS if only_grew else Comparability.CONTENT


@dataclass(frozen=True, slots=True)
class Difference:
    """One row that differs between two worlds, or the difference of a document beside its rows."""

    document: str
    what: Literal["added", "removed", "changed", "reordered"]
    code: str
    """The code of the row, its place as `x,y`, or an empty text."""
    fields: tuple[FieldChange, ...] = ()

    @property
    def verdict(self) -> Comparability:
        """The effect of this difference alone. Distractors count as words: they are in prompts but not in the game."""
        if self.document == _TOLD:
            return Comparability.WORDS
        if self.what == "reordered":
            return Comparability.ORDER
        if self.what == "added":
            return Comparability.ADDITIONS
        if self.what == "removed":
            return Comparability.CONTENT
        return gravest(field.verdict(_WORDS[self.document]) for field in self.fields)

    def as_row(self) -> dict[str, Json]:
        """Return the difference as JSON."""
        fields = [field._asdict() for field in self.fields]
        return {"document": self.document, "what": self.what, "code": self.code, "fields": fields}


def differences(old: Documents, new: Documents) -> list[Difference]:
    """Return all differences, in the order of the documents."""
    return [found for document in DOCUMENTS for found in _of_document(document, old[document], new[document])]


def verdict_on(found: Iterable[Difference]) -> Comparability:
    """Return the effect of several differences together."""
    return gravest(difference.verdict for difference in found)


def gravest(verdicts: Iterable[Comparability]) -> Comparability:
    """Return the verdict with the largest effect."""
    return max(verdicts, key=list(Comparability).index, default=Comparability.SAME)


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


def _fields(old: Mapping[str, Json], new: Mapping[str, Json]) -> tuple[FieldChange, ...]:
    """Return the fields in which two objects differ, by paths as deep as possible."""
    found: list[FieldChange] = []
    for name in dict.fromkeys([*old, *new]):
        if _canonical(old.get(name)) != _canonical(new.get(name)):
            found += _inside(name, old.get(name), new.get(name))
    return tuple(found)


def _inside(name: str, old: Json, new: Json) -> list[FieldChange]:
    one, other = _flat(name, old), _flat(name, new)
    # Compared as JSON, because Python takes 1 and True, and 1 and 1.0, for equal.
    paths = [path for path in dict.fromkeys([*one, *other]) if _canonical(one.get(path)) != _canonical(other.get(path))]
    return [FieldChange(path, one.get(path), other.get(path)) for path in paths] or [FieldChange(name, old, new)]


def _flat(path: str, value: Json) -> dict[str, Json]:
    """Return the parts of a value by their paths. Drops are named by their items, so their order does not count."""
    if isinstance(value, list) and value and all(isinstance(part, dict) and "item" in part for part in value):
        value = {part["item"]: {name: field for name, field in part.items() if name != "item"} for part in value}
    if isinstance(value, dict):
        return {inner: leaf for name, part in value.items() for inner, leaf in _flat(f"{path}.{name}", part).items()}
    return {path: value}


def _canonical(value: Json) -> str:
    return json.dumps(value, sort_keys=True)
