"""Load worlds and editions by name: from the package or from a folder. The only door to both.

A world is a folder of six documents. Each is checked against its schema, and `world_check` checks the whole, but only
if all six documents have the right shape. All problems must be reported together.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from herobench.data.documents import content_folder, other_file, parse_line, read_document, schema_problems
from herobench.data.errors import InputError, Problem, UsageError
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.world import DOCUMENTS, Item, Monster, Resource, World, world_digest
from herobench.suites.rpg.refusals import RpgFault
from herobench.suites.rpg.worlds.world_check import world_problems

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


def were_checked(name: str, files: Iterable[Traversable]) -> bool:
    """Return whether files are byte for byte those that were checked together under a name."""
    return name in _digests() and files_digest(files) == _digests()[name]


def files_digest(files: Iterable[Traversable]) -> str:
    """Return the digest of some files in their order."""
    each = (hashlib.sha256(file.read_bytes()).digest() for file in files)
    return hashlib.sha256(b"".join(each)).hexdigest()


@cache
def _digests() -> Mapping[str, str]:
    digests: Mapping[str, str] = json.loads(content_folder().joinpath("checked.json").read_bytes())
    return digests


DEFAULT_WORLD = "classic"
DEFAULT_EDITION = "standard"
_EDITIONS = "editions.json"


def load_world(name: str | os.PathLike[str] = DEFAULT_WORLD) -> World:
    """Load a world: a shipped one by its name, or one in a folder.

    Raises InputError with all problems of the world.
    """
    is_shipped = isinstance(name, str) and is_shipped_world(name)
    return _shipped_world(str(name)) if is_shipped else _build(*read_world(name))


@cache
def _shipped_world(name: str) -> World:
    """Load a shipped world. It is kept: a world cannot be changed, and many calls of one process are of the same."""
    return _build(*_read_folder(content_folder().joinpath(name), name))


def _build(documents: Mapping[str, Any], problems: list[Problem]) -> World:
    if problems:
        raise InputError(problems)
    return World.from_documents(documents)


@lru_cache(2)
def kept_world(source: str) -> World:
    """Return the world of a `World.source`. Runs that are looked at together are often of one world, and a large one
    takes a second to build."""
    documents, _ = parse_line(source.encode(), "")
    world = World.from_documents(documents, source.rstrip("\n"))
    vars(world)["digest"] = world_digest(documents)  # all compare it with the run's, and would read the source again
    return world


def read_world(name: str | os.PathLike[str] = DEFAULT_WORLD) -> tuple[Mapping[str, Any], list[Problem]]:
    """Return the documents of a world, as far as they can be read, and all problems with them."""
    if not os.fspath(name):
        raise UsageError(RpgFault.NAME_IS_EMPTY)
    if os.path.isfile(name) and not is_shipped_world(name):  # noqa: PTH113 - of a name that no file can have, a path raises
        return _read_kept(Path(name))
    return _read_folder(*_world_folder(name))


def _read_kept(file: Path) -> tuple[Mapping[str, Any], list[Problem]]:
    """Return the documents of the world that a run keeps in one file, and the problems with them."""
    documents, problems = read_document(file, str(file), whole=True)
    if not problems and (not isinstance(documents, dict) or documents.keys() != set(DOCUMENTS)):
        problems = [Problem(str(file), "$", f"the world that a run keeps, with {', '.join(DOCUMENTS)}")]
    return ({}, problems) if problems else (documents, check_world(documents, str(file)))


def is_shipped_world(name: str | os.PathLike[str]) -> bool:
    """Say whether a name is that of a shipped world. A path never is."""
    return isinstance(name, str) and name in _shipped_names()


def refuse_name(folder: Path) -> None:
    """Raise UsageError for the name of a new folder that commands would later read as something else."""
    name = str(folder)
    if is_shipped_world(name):
        raise UsageError(RpgFault.NAME_OF_WORLD, name=name)
    if name.startswith("-"):
        raise UsageError(RpgFault.NAME_OF_OPTION, name=name)


def _read_folder(folder: Path | Traversable, label: str) -> tuple[dict[str, Any], list[Problem]]:
    documents: dict[str, Any] = {}
    problems: list[Problem] = []
    for document in DOCUMENTS:
        content, faults = read_document(folder.joinpath(f"{document}.json"), f"{label}/{document}.json", whole=True)
        documents |= {} if faults else {document: content}
        problems += faults
    _refuse_what_is_no_world(folder, label, documents)
    if problems or not were_checked(label, _checked_together(folder)):
        problems += check_world(documents, label)
    return {document: _without_editors_line(content) for document, content in documents.items()}, problems


def _checked_together(folder: Traversable) -> Iterator[Traversable]:
    """Yield the files that decide whether a shipped world is valid: its own, and the editions with their levels."""
    yield content_folder().joinpath(_EDITIONS)
    yield from (folder.joinpath(f"{document}.json") for document in DOCUMENTS)


def _refuse_what_is_no_world(folder: Path | Traversable, label: str, documents: Mapping[str, Any]) -> None:
    """Raise UsageError for a folder without any document of a world."""
    # Without this, a folder that is not a world would give six problems, one for each missing file.
    if not documents and not _has_documents(folder):
        near = other_file(folder.joinpath("world.json"))
        raise UsageError(RpgFault.NO_DOCUMENTS, shown=label, ending=f" ({near})." if near else ".")


def _has_documents(folder: Path | Traversable) -> bool:
    """Say whether a folder has any document of a world."""
    try:
        return any(folder.joinpath(f"{document}.json").is_file() for document in DOCUMENTS)
    except OSError:  # a folder without permission may have them; the problem is then that they cannot be read
        return True


def _without_editors_line(content: Any) -> Any:
    """Return a document without `$schema`, which is for editors and must not change the digest."""
    if isinstance(content, dict):
        return {key: value for key, value in content.items() if key != "$schema"}
    return content


def check_world(documents: Mapping[str, Any], name: str) -> list[Problem]:
    """Return the problems of each document of a world; if there are none, the problems between the six documents."""
    problems = [
        problem
        for document, content in documents.items()
        for problem in schema_problems(content, document, f"{name}/{document}.json")
    ]
    if problems or len(documents) < len(DOCUMENTS):
        return problems
    return world_problems(documents, name, _highest_level())


def _world_folder(name: str | os.PathLike[str]) -> tuple[Traversable, str]:
    """Return the folder of a world, and its name in problems."""
    if isinstance(name, str) and is_shipped_world(name):
        return content_folder().joinpath(name), name
    path = Path(name)
    with contextlib.suppress(OSError):  # the name may be too long for the system, for example
        if path.is_dir():
            return path, str(path)
    raise UsageError(RpgFault.NO_WORLD, name=os.fspath(name), known=", ".join(shipped_worlds()))


def shipped_worlds() -> list[str]:
    """Return the names of the worlds that come with the package."""
    return sorted(entry.name for entry in content_folder().iterdir() if entry.joinpath("world.json").is_file())


@cache
def _shipped_names() -> frozenset[str]:
    return frozenset(shipped_worlds())


def _highest_level() -> int:
    """Return the highest level that a hero can reach in any edition."""
    return max(int(row["level_cap"]) for row in _edition_rows().values())


def load_rules(name: str = DEFAULT_EDITION) -> Rules:
    """Load an edition of the rules by its name."""
    rows = _edition_rows()
    if name not in rows:
        raise UsageError(RpgFault.NO_RULES, name=name, editions=", ".join(rows))
    return Rules.from_row(name, rows[name])


def edition_names() -> list[str]:
    """Return the names of the editions, the default first."""
    return list(_edition_rows())


@lru_cache(maxsize=1)  # a file of the package does not change while we run
def _edition_rows() -> Mapping[str, Mapping[str, Any]]:
    file = content_folder().joinpath(_EDITIONS)
    document, problems = read_document(file, _EDITIONS)
    if not problems and not were_checked(_EDITIONS, [file]):
        problems = schema_problems(document, "editions", _EDITIONS)
    if problems:
        raise InputError(problems)
    rows: Mapping[str, Mapping[str, Any]] = document["editions"]
    return rows


_MOST_NAMED = 25
"""The number of names that an error message lists."""
Named = TypeVar("Named", bound=Monster | Resource | Item)


def thing_named(text: str, things: Mapping[str, Named], what: str) -> Named:
    """Return the thing with a code or name, in any case. Raise UsageError, with the nearest names, if there is none."""
    names = {name.lower(): thing for thing in things.values() for name in (thing.name, thing.code)}
    thing_of_name = names.get(text.lower())
    if thing_of_name is None:
        # Several names may mean the same thing, so repeats are dropped.
        near = dict.fromkeys(names[name].code for name in get_close_matches(text.lower(), names, 3))
        more = f" and {len(things) - _MOST_NAMED} more" if len(things) > _MOST_NAMED else ""
        choices = f"give one of {', '.join(list(things)[:_MOST_NAMED])}{more}."
        advice = f"is {' or '.join(near)} meant?" if near else choices
        raise UsageError(RpgFault.NO_THING, what=what, text=text, advice=advice)
    return thing_of_name
