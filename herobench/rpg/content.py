"""Worlds and editions from their files.

A world is a folder of six documents. Each is held against its schema; then come the checks that a schema cannot make:
references, cycles, sources, places, levels. All problems of a folder are reported together; what the second kind of
checks finds, once its documents have the right shapes. Packs are laid on their world before the second kind of checks.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from herobench import plugins
from herobench.documents import other_file, read_document, schema_problems, shipped
from herobench.errors import InputError, Problem, UsageError
from herobench.rpg.packs.folder import chain_of, parts_of
from herobench.rpg.packs.origin import Origins
from herobench.rpg.packs.stack import Stack
from herobench.rpg.rules import Rules
from herobench.rpg.world import DOCUMENTS, World
from herobench.rpg.world_check import world_problems

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

DEFAULT_WORLD = "classic"
DEFAULT_EDITION = "standard"
_ONLY_IN_PACKS = frozenset({"add", "replace", "remove", "set"})


def load_world(name: str | os.PathLike[str] = DEFAULT_WORLD) -> World:
    """A world by the name it is shipped under, from a folder, or made by a plugin, as `remix:7` is; also with packs.

    Raises InputError with all that is wrong with it.
    """
    documents, problems = read_world(name)
    if problems:
        raise InputError(problems)
    return World.from_documents(documents)


def read_world(name: str | os.PathLike[str] = DEFAULT_WORLD) -> tuple[Mapping[str, Any], list[Problem]]:
    """The documents of a world, as far as they can be read, and all that is wrong with them.

    A pack is a world too: the one that it is laid on with what it changes; BASE+PACK+PACK are several at once.
    """
    documents, problems, _ = trace_world(name)
    return documents, problems


def trace_world(
    name: str | os.PathLike[str] = DEFAULT_WORLD,
) -> tuple[Mapping[str, Any], list[Problem], Origins | None]:
    """The same, and where the parts of it were written if there are packs on it."""
    chains = [chain_of(part, needs_no_folder) for part in parts_of(name, needs_no_folder)]
    problems = [problem for chain in chains for problem in chain.problems]
    problems += [chain.nowhere() for chain in chains if chain.packs and not problems and not _is_world(chain.base)]
    if problems:
        return {}, problems, None
    try:
        base, shown, problems = _read_base([chain.base for chain in chains])
    except UsageError as error:
        if len(chains) > 1 or not chains[0].packs:
            raise
        return {}, [chains[0].nowhere(str(error))], None
    packs = {pack.folder: pack for chain in chains for pack in chain.packs}
    if problems or not packs:
        return base, problems, None
    stack = Stack.on(base, shown)
    problems = [problem for pack in packs.values() for problem in stack.lay(pack)]
    whole, origins = stack.documents(), Origins(stack)
    problems += [origins.problem(found) for found in check_world(whole, shown)]
    return whole, problems, origins


def _read_base(names: Sequence[str | os.PathLike[str]]) -> tuple[Mapping[str, Any], str, list[Problem]]:
    """The one world that all packs are laid on, with what it is called and what is wrong with it."""
    first, *others = names
    for other in others:
        if not _are_the_same(first, other):
            both = f"one ends at {os.fspath(first)}, another at {os.fspath(other)}"
            raise UsageError(f"Packs go together where they are laid on the same world, and of these {both}.")
    made = _made(first)
    if made is not None:
        return made, str(first), check_world(made, str(first))
    folder, shown = _world_folder(first)
    documents, problems = _read_folder(folder, shown)
    return documents, shown, problems


def _are_the_same(one: str | os.PathLike[str], other: str | os.PathLike[str]) -> bool:
    """Whether two names are of one world. What is made may be asked for in several ways."""
    if one == other:
        return True
    made = [_made(name) for name in (one, other)]
    if None in made:
        return made == [None, None] and _place_of(one) == _place_of(other)
    return made[0] == made[1]


def _place_of(name: str | os.PathLike[str]) -> Path:
    return Path(str(_world_folder(name)[0])).resolve()


def _is_world(name: str | os.PathLike[str]) -> bool:
    try:
        return needs_no_folder(name) or bool(_world_folder(name))
    except UsageError:
        return False


def needs_no_folder(name: str | os.PathLike[str]) -> bool:
    """Whether a name is that of a world that comes with the package or is made by a plugin."""
    return isinstance(name, str) and (name in shipped_worlds() or _maker(name) is not None)


def refuse_name(folder: Path) -> None:
    """Raise UsageError where nobody could name a new folder to the program: it would take the name for another."""
    name = str(folder)
    if needs_no_folder(name):
        raise UsageError(f"The folder cannot be called {name!r}, as a world is that needs no folder: name another.")
    if name.startswith("-"):
        raise UsageError(f"The folder cannot be called {name!r}: what begins with a dash is read as an option.")


def _read_folder(folder: Path | Traversable, shown: str) -> tuple[dict[str, Any], list[Problem]]:
    documents: dict[str, Any] = {}
    problems: list[Problem] = []
    for document in DOCUMENTS:
        content, found = read_document(folder.joinpath(f"{document}.json"), f"{shown}/{document}.json", whole=True)
        documents |= {} if found else {document: content}
        problems += found
    _refuse_what_is_no_world(folder, shown, documents)
    problems += check_world(documents, shown)
    return {document: _without_editors_line(content) for document, content in documents.items()}, problems


def _refuse_what_is_no_world(folder: Path | Traversable, shown: str, documents: Mapping[str, Any]) -> None:
    """Raise UsageError for a folder that lacks all of a world, and for a pack that lacks what makes it one."""
    near = other_file(folder.joinpath("pack.json")) or other_file(folder.joinpath("world.json"))
    ending = f" ({near})." if near else "."
    if not documents and not _has_documents(folder):
        raise UsageError(f"{shown} is no world and no pack: there is no world.json and no pack.json in it{ending}")
    changes = [name for name, found in documents.items() if isinstance(found, dict) and found.keys() & _ONLY_IN_PACKS]
    about = documents.get("world", {})
    if changes and not (isinstance(about, dict) and "code" in about):
        raise UsageError(f"{shown} is a pack without its pack.json, as {changes[0]}.json has changes{ending}")


def _has_documents(folder: Path | Traversable) -> bool:
    """Whether a folder has any of a world's documents; of one that may not be looked into nobody can say it has not."""
    try:
        return any(folder.joinpath(f"{document}.json").is_file() for document in DOCUMENTS)
    except OSError:
        return True


def _without_editors_line(content: Any) -> Any:
    """A document less where an editor finds its schema, which says nothing about the world."""
    if isinstance(content, dict):
        return {key: value for key, value in content.items() if key != "$schema"}
    return content


def _made(name: str | os.PathLike[str]) -> Mapping[str, Any] | None:
    """The documents of a world that a plugin makes: its name, a colon and what the plugin is told."""
    maker = _maker(name) if isinstance(name, str) else None
    if maker is None:
        return None
    documents: Mapping[str, Any] = plugins.load(plugins.WORLDS, maker)(str(name).partition(":")[2])
    return documents


def _maker(name: str) -> str | None:
    """The plugin that makes a world of this name, if any does."""
    maker, colon, _ = name.partition(":")
    return maker if colon and maker in plugins.names(plugins.WORLDS) else None


def check_world(documents: Mapping[str, Any], name: str) -> list[Problem]:
    """What is wrong with the documents of a world, and with what they mean together once all six are in shape."""
    problems = [
        problem
        for document, content in documents.items()
        for problem in schema_problems(content, document, f"{name}/{document}.json")
    ]
    if problems or len(documents) < len(DOCUMENTS):
        return problems
    return world_problems(documents, name, _highest_level())


def _world_folder(name: str | os.PathLike[str]) -> tuple[Traversable, str]:
    """Where a world lies, and what its problems call that place."""
    if isinstance(name, str) and name in shipped_worlds():
        return shipped().joinpath(name), name
    path = Path(name)
    with contextlib.suppress(OSError):
        if path.is_dir():
            return path, str(path)
    known = ", ".join(shipped_worlds())
    raise UsageError(f"There is no world {os.fspath(name)!r}: give a folder, remix:SEED, or one of {known}.")


def shipped_worlds() -> list[str]:
    """The worlds that come with the package."""
    return sorted(entry.name for entry in shipped().iterdir() if entry.joinpath("world.json").is_file())


def _highest_level() -> int:
    """The highest level that any edition lets a hero reach."""
    return max(int(row["level_cap"]) for row in _edition_rows().values())


def load_rules(name: str = DEFAULT_EDITION) -> Rules:
    """An edition of the rules, by name."""
    rows = _edition_rows()
    if name not in rows:
        raise UsageError(f"There are no rules {name!r}: give one of {', '.join(rows)}.")
    return Rules.from_row(name, rows[name])


def edition_names() -> list[str]:
    """The editions of the rules, the default first."""
    return list(_edition_rows())


@lru_cache(maxsize=1)
def _edition_rows() -> Mapping[str, Mapping[str, Any]]:
    name = "editions.json"
    document, problems = read_document(shipped().joinpath(name), name)
    problems = problems or schema_problems(document, "editions", name)
    if problems:
        raise InputError(problems)
    rows: Mapping[str, Mapping[str, Any]] = document["editions"]
    return rows
