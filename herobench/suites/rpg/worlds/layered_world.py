"""Apply packs to a world. The result is six ordinary documents, and the origin of each row. `content` calls it.

The origins let a problem name the file that its author can change. If neither of two packs builds on the other, they
must not change the same thing in different ways, because no order of them would be right.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from herobench.data.documents import json_path
from herobench.data.errors import LONGEST_MISSPELT, Problem

Json = Any
Target = tuple[Any, ...]
"""The changed thing: ("items", "copper"), ("map", (0, 1)), ("world", "start"), ("world", "skills", "mining")."""

ROWS = MappingProxyType(
    {"monsters": "monsters", "resources": "resources", "items": "items", "distractors": "items", "map": "tiles"}
)
"""The documents that are lists of rows, each with the property that holds the list."""


class Pack(NamedTuple):
    """A pack whose documents are accepted by their schemas."""

    name: str
    """The name of its folder in problems."""
    folder: str
    """The absolute path of its folder. Two packs are the same if this is the same."""
    about: Mapping[str, Json]
    documents: Mapping[str, Mapping[str, Json]]
    builds_on: frozenset[str] = frozenset()
    """The folders of the packs below it, which are its base. It may change what they changed."""


class Origin(NamedTuple):
    """The file and path in which something was written."""

    file: str
    path: tuple[Any, ...]

    def __str__(self) -> str:
        return f"{self.file} ({json_path(self.path)})"


class PackChange(NamedTuple):
    """One change of a pack."""

    step: Literal["remove", "replace", "add", "set"]
    target: Target
    value: Json
    """The new row, fact or entry of a list. For a removal, the code or the place to remove."""
    origin: Origin


def pack_changes(pack: Pack) -> Iterator[PackChange]:
    """Yield the changes of a pack. In each document it first removes, then replaces, then adds."""
    world = pack.documents.get("world", {})
    file = f"{pack.name}/world.json"
    for fact, value in world.get("set", {}).items():
        yield PackChange("set", ("world", fact), value, Origin(file, ("set", fact)))
    for step in ("remove", "add"):
        for fact, codes in world.get(step, {}).items():
            for index, code in enumerate(codes):
                yield PackChange(step, ("world", fact, code), code, Origin(file, (step, fact, index)))
    for document in ROWS:
        yield from _changes_of_rows(document, pack.documents.get(document, {}), f"{pack.name}/{document}.json")


def _changes_of_rows(document: str, content: Mapping[str, Json], file: str) -> Iterator[PackChange]:
    for index, entry in enumerate(content.get("remove", ())):
        key = entry if isinstance(entry, str) else row_key(document, entry)
        yield PackChange("remove", (document, key), entry, Origin(file, ("remove", index)))
    for step in ("replace", "add"):
        for index, row in enumerate(content.get(step, ())):
            yield PackChange(step, (document, row_key(document, row)), row, Origin(file, (step, index)))


def row_key(document: str, row: Mapping[str, Json]) -> Json:
    """Return the key of a row: its code or, on the map, its place."""
    return (int(row["x"]), int(row["y"])) if document == "map" else row["code"]


_JOINED = {"code": "_", "name": " + ", "description": " "}
"""The facts in pack.json that name the whole world, each with the text that joins several packs."""
_LONGEST_CODE = 60
_LONGEST = {"name": 80, "description": 2000, "credits": 2000}
"""The limits of the schema of a world. Joined facts of several packs may be longer, so they are cut."""


class _Entry(NamedTuple):
    value: Json
    origin: Origin


@dataclass
class LayeredWorld:
    """A world with the packs applied so far. `name` is the name of the world in problems."""

    name: str
    facts: list[str]
    entries: dict[Target, _Entry]
    packs: list[Pack] = field(default_factory=list)
    changed: dict[Target, tuple[str, PackChange]] = field(default_factory=dict)
    """The last change of each thing, and the folder of the pack that made it."""

    @classmethod
    def on(cls, documents: Mapping[str, Mapping[str, Json]], name: str) -> LayeredWorld:
        """Begin with a world without packs."""
        about = {fact: value for fact, value in documents["world"].items() if fact != "schema"}
        entries: dict[Target, _Entry] = {}
        for fact, value in about.items():
            entries |= _fact(fact, value, Origin(f"{name}/world.json", (fact,)))
        for document, key in ROWS.items():
            for index, row in enumerate(documents[document][key]):
                origin = Origin(f"{name}/{document}.json", (key, index))
                entries[(document, row_key(document, row))] = _Entry(row, origin)
        return cls(name, list(about), entries)

    def apply(self, pack: Pack) -> Iterator[Problem]:
        """Apply a pack. Yield a problem for each change that does not fit, and leave that change out."""
        self.packs.append(pack)
        for change in pack_changes(pack):
            rival = self._rival(pack, change)
            if rival is None:
                yield from self._carry_out(change)
                self.changed[change.target] = (pack.folder, change)
            elif (rival.step, _canonical(rival.value)) != (change.step, _canonical(change.value)):  # equal ones agree
                yield _problem(change, f"no change that contradicts {rival.origin}")

    def _rival(self, pack: Pack, change: PackChange) -> PackChange | None:
        """Return a change of the same thing by a pack that this one does not build on; None if there is none."""
        own = {pack.folder, *pack.builds_on}
        rivals = (before for folder, before in self._changes_about(change.target) if folder not in own)
        return next(rivals, None)

    def _changes_about(self, target: Target) -> Iterator[tuple[str, PackChange]]:
        """Yield the changes of a thing, for a list in world.json with the changes of its entries."""
        if target in self.changed:
            yield self.changed[target]
        if target[0] == "world":
            yield from (change for other, change in self.changed.items() if _within(other, target) and other != target)

    def _carry_out(self, change: PackChange) -> Iterator[Problem]:
        target = change.target
        if change.step == "set":
            self._set(change)
        elif change.step == "add" and len(target) > 2 and target[:2] in self.entries:
            yield _problem(change, f"a list to add to, but {self.entries[target[:2]].origin} is no list")
        elif change.step == "add" and target in self.entries:
            advice = "move it to replace" if target[0] in ROWS else ""
            yield _problem(change, f"something new, but it is already in {self.entries[target].origin}", advice)
        elif change.step == "add" or target in self.entries:
            self._put(change)
        else:
            yield _problem(change, f"an existing thing to {change.step}", self._near(target))

    def _put(self, change: PackChange) -> None:
        if change.step == "remove":
            del self.entries[change.target]
        else:
            self.entries[change.target] = _Entry(change.value, change.origin)

    def _set(self, change: PackChange) -> None:
        _, fact = change.target
        # A list has one entry for each value, and all of them are replaced.
        self.entries = {target: entry for target, entry in self.entries.items() if target[:2] != change.target}
        self.entries |= _fact(fact, change.value, change.origin)
        if fact not in self.facts:
            self.facts.append(fact)

    def _near(self, target: Target) -> str:
        codes = [other[-1] for other in self.entries if other[:-1] == target[:-1] and isinstance(other[-1], str)]
        near = get_close_matches(target[-1][:LONGEST_MISSPELT], codes, 1) if isinstance(target[-1], str) else []
        return f"is {near[0]!r} meant?" if near else ""

    # -- the result -------------------------------------------------------------------------------------------------

    def documents(self) -> dict[str, dict[str, Json]]:
        """Return the six documents of the whole."""
        rows: dict[str, list[Json]] = {document: [] for document in ROWS}
        for target, entry in self.entries.items():
            if target[0] in rows:
                rows[target[0]].append(entry.value)
        lists = {document: {"schema": 1, key: rows[document]} for document, key in ROWS.items()}
        return {"world": {"schema": 1, **self._facts(), **self._about()}, **lists}

    def _facts(self) -> dict[str, Json]:
        facts: dict[str, Json] = {fact: [] for fact in self.facts}
        for (document, *path), entry in self.entries.items():
            if document == "world" and len(path) > 1:
                facts[path[0]].append(entry.value)
            elif document == "world":
                facts[path[0]] = entry.value
        return facts

    def _about(self) -> dict[str, str]:
        """Return the code, name, description and credits of the whole."""
        # Only packs on which no other builds give the name, but every author is credited.
        if not self.packs:
            return {}
        tops = [pack.about for pack in self._tops()]
        about_whole = {fact: between.join(about[fact] for about in tops) for fact, between in _JOINED.items()}
        credit = [self.entries[("world", "credits")].value, *(pack.about["credits"] for pack in self.packs)]
        about_whole["credits"] = " ".join(dict.fromkeys(filter(None, credit)))
        cut = {fact: _shorten(about_whole[fact], longest) for fact, longest in _LONGEST.items()}
        return {**about_whole, **cut, "code": _shortened_code(about_whole["code"])}

    def _tops(self) -> list[Pack]:
        below = {folder for pack in self.packs for folder in pack.builds_on}
        return [pack for pack in self.packs if pack.folder not in below]

    # -- the origins ------------------------------------------------------------------------------------------------

    def origins(self) -> dict[tuple[str, str, int | None], Origin]:
        """Return the origin of each row and fact, by its document, property and index in the whole."""
        by_place: dict[tuple[str, str, int | None], Origin] = {}
        counts: Counter[tuple[str, str]] = Counter()
        for (document, *path), entry in self.entries.items():
            key = ROWS.get(document, path[0])
            is_row = document in ROWS or len(path) > 1
            by_place[document, key, counts[document, key] if is_row else None] = entry.origin
            counts[document, key] += 1
        for pack in self._tops()[-1:]:
            file = f"{pack.name}/pack.json"
            by_place |= {("world", fact, None): Origin(file, (fact,)) for fact in (*_JOINED, "credits")}
        return by_place

    def removals(self) -> dict[Target, Origin]:
        """Return what was removed, with the origin of the removal; rows before entries of lists."""
        changes = [change for _, change in self.changed.values() if change.target not in self.entries]
        changes.sort(key=lambda change: change.target[0] not in ROWS)  # a missing code is more likely that of a row
        return {change.target: change.origin for change in changes if change.step == "remove"}


def _fact(fact: str, value: Json, origin: Origin) -> dict[Target, _Entry]:
    """Return a fact of world.json as an entry, or a list as one entry for each of its values."""
    if isinstance(value, list):
        file, path = origin
        return {("world", fact, code): _Entry(code, Origin(file, (*path, i))) for i, code in enumerate(value)}
    return {("world", fact): _Entry(value, origin)}


def _shorten(text: str, longest: int) -> str:
    return text if len(text) <= longest else text[: longest - 3].rstrip() + "..."


def _shortened_code(code: str) -> str:
    """Return a code, or the beginning of one that is too long, with a digest that makes it unique."""
    if len(code) <= _LONGEST_CODE:
        return code
    digest = hashlib.sha256(code.encode()).hexdigest()[:8]
    return f"{code[: _LONGEST_CODE - len(digest) - 1].rstrip('_')}_{digest}"


def _within(one: Target, other: Target) -> bool:
    """Say whether one of two things is a part of the other."""
    shorter = min(len(one), len(other))
    return one[:shorter] == other[:shorter]


def _problem(change: PackChange, expected: str, advice: str = "") -> Problem:
    return Problem(change.origin.file, json_path(change.origin.path), expected, change.target[-1], advice)


def _canonical(value: Json) -> str:
    return json.dumps(value, sort_keys=True)
