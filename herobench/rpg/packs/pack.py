"""Content packs: what a world has besides, has otherwise, or has no longer.

A pack says which world it is laid on, and beside that, in documents named like the world's, whole rows to `add`, to
`replace` and to `remove`, by code or, of the map, by place; of world.json, facts to `set`, and entries of lists to add
and remove. There is no half of a row: who reads a pack sees what will be.

Here a pack becomes a list of changes, each of which knows the file and the path that it was written in. What comes of
laying packs on a world is told by `stack`; `folder` reads them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from herobench.documents import json_path

Json = Any
Target = tuple[Any, ...]
"""What is changed: ("items", "copper"), ("map", (0, 1)), ("world", "start"), ("world", "skills", "mining")."""

ROWS = MappingProxyType(
    {"monsters": "monsters", "resources": "resources", "items": "items", "distractors": "items", "map": "tiles"}
)
"""The documents that are lists, with the property that the list is."""


class Pack(NamedTuple):
    """A pack as read, when its documents are in the shape that their schemas ask for."""

    name: str
    """What its folder is called in problems."""
    folder: str
    """Where it is: two packs are the same where this is."""
    about: Mapping[str, Json]
    documents: Mapping[str, Mapping[str, Json]]
    builds_on: frozenset[str] = frozenset()
    """The folders of the packs that it is laid on by its own will, and so may change as it likes."""


class Origin(NamedTuple):
    """Where something stands that somebody wrote."""

    file: str
    path: tuple[Any, ...]

    def __str__(self) -> str:
        return f"{self.file} ({json_path(self.path)})"


class Change(NamedTuple):
    """One thing that a pack wants otherwise."""

    step: Literal["remove", "replace", "add", "set"]
    target: Target
    value: Json
    """What is to be there: a row, a fact or an entry of a list; of what is removed, what names it."""
    origin: Origin


def changes_of(pack: Pack) -> Iterator[Change]:
    """All that a pack changes: in each document it first removes, then replaces, then adds."""
    world = pack.documents.get("world", {})
    file = f"{pack.name}/world.json"
    for fact, value in world.get("set", {}).items():
        yield Change("set", ("world", fact), value, Origin(file, ("set", fact)))
    for step in ("remove", "add"):
        for fact, codes in world.get(step, {}).items():
            for index, code in enumerate(codes):
                yield Change(step, ("world", fact, code), code, Origin(file, (step, fact, index)))
    for document in ROWS:
        yield from _changes_of_rows(document, pack.documents.get(document, {}), f"{pack.name}/{document}.json")


def _changes_of_rows(document: str, content: Mapping[str, Json], file: str) -> Iterator[Change]:
    for index, gone in enumerate(content.get("remove", ())):
        key = gone if isinstance(gone, str) else row_key(document, gone)
        yield Change("remove", (document, key), gone, Origin(file, ("remove", index)))
    for step in ("replace", "add"):
        for index, row in enumerate(content.get(step, ())):
            yield Change(step, (document, row_key(document, row)), row, Origin(file, (step, index)))


def row_key(document: str, row: Mapping[str, Json]) -> Json:
    """What a row goes by: its code or, of the map, its place."""
    return (int(row["x"]), int(row["y"])) if document == "map" else row["code"]
