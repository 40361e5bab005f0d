"""A content pack, and the list of its changes. `pack_files` reads packs, and `layered_world` applies the changes.

A pack has documents named like those of a world. They hold whole rows to `add`, `replace` and `remove`, by code or, on
the map, by place; in world.json, facts to `set`, and entries of lists to add and remove. A pack never holds a part of a
row, so that its reader sees the result. Each change must know the file and path that it was written in.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from herobench.documents import json_path

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
    """The folders of the packs below it. Because it names them as its base, it may change what they changed."""


class Origin(NamedTuple):
    """The file and path in which something was written."""

    file: str
    path: tuple[Any, ...]

    def __str__(self) -> str:
        return f"{self.file} ({json_path(self.path)})"


class Change(NamedTuple):
    """One change of a pack."""

    step: Literal["remove", "replace", "add", "set"]
    target: Target
    value: Json
    """The new row, fact or entry of a list. For a removal, the code or place of what is removed."""
    origin: Origin


def changes_of(pack: Pack) -> Iterator[Change]:
    """Yield the changes of a pack. In each document it first removes, then replaces, then adds."""
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
    """Return the key of a row: its code or, on the map, its place."""
    return (int(row["x"]), int(row["y"])) if document == "map" else row["code"]
