"""Read packs from their folders, down to the world below them. `content` and `world_files` call this module.

A folder with a pack.json is a pack. Its `extends` names its base: a shipped world, or the folder of a world or of
another pack, relative to its own. A name with plusses in it combines several packs.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path, PurePath
from typing import Any, NamedTuple

from herobench.data.documents import json_path, read_document, schema_problems
from herobench.data.errors import Problem, UsageError
from herobench.data.files import real_path
from herobench.suites.rpg.game.world import DOCUMENTS
from herobench.suites.rpg.refusals import RpgFault
from herobench.suites.rpg.worlds.layered_world import LayeredWorld, Pack

_PATH = re.compile(r"\$\.(\w+)(?:\[(\d+)\])?(.*)", re.DOTALL)


class Origins:
    """The file and path from which each part of a world with packs comes."""

    def __init__(self, world: LayeredWorld, base: Mapping[str, Any]) -> None:
        self.base = base
        """The documents of the world below the packs."""
        self.base_name = world.name
        self._origins = world.origins()
        self._removed = world.removals()

    def spot(self, file: str, path: str) -> tuple[str, str]:
        """Return the file and path that a file and path of the whole came from. The folder of `file` does not count."""
        document, where = PurePath(file).stem, _PATH.fullmatch(path)
        if where is None:
            return file, path
        key, number, inside = where.groups()
        entry = self._origins.get((document, key, int(number))) if number else None
        origin = entry or self._origins.get((document, key, None))
        if origin is None:
            return file, path
        rest = inside if entry or not number else f"[{number}]{inside}"
        return origin.file, json_path(origin.path) + rest

    def problem(self, problem: Problem) -> Problem:
        """Return a problem of the whole as a problem of the file that caused it."""
        file, path = self.spot(problem.file, problem.path)
        # A place is a list in JSON and a tuple in the keys here.
        key: Any = tuple(problem.found) if isinstance(problem.found, list) else problem.found
        removers = (origin for target, origin in self._removed.items() if target[-1] == key)
        remover = next(removers, None)
        return replace(problem, file=file, path=path, advice=f"{remover} removes it" if remover else problem.advice)


ABOUT = "pack"
Name = str | os.PathLike[str]


class PackChain(NamedTuple):
    """A pack with the packs below it, from the lowest to the highest, and the name of the world below them all."""

    base: Name
    packs: tuple[Pack, ...] = ()
    problems: tuple[Problem, ...] = ()

    def nowhere(self, advice: str = "") -> Problem:
        """Return the problem of the lowest pack if there is no world below it."""
        lowest = self.packs[0]
        expected = "a shipped world, or the folder of a world or a pack, as seen from this one"
        return Problem(f"{lowest.name}/{ABOUT}.json", "$.extends", expected, lowest.about["extends"], advice)


def split_name(name: Name, is_shipped_world: Callable[[Name], bool]) -> list[Name]:
    """Split a name at its plusses. An existing folder with a plus in its own name is not split."""
    if not isinstance(name, str):
        return [name]
    if not name:
        raise UsageError(RpgFault.NAME_IS_EMPTY)
    if _exists(name):
        return [name]
    parts: list[Name] = []
    left = name.split("+")
    while left:
        # The longest existing folder wins, since a plus is allowed in the names of folders.
        count = next((length for length in range(len(left), 1, -1) if _exists("+".join(left[:length]))), 1)
        part = "+".join(left[:count])
        left = left[count:]
        parts.append(part)
        if not part:
            raise UsageError(RpgFault.PLUS_TOO_MANY, name=name)
        if (left or len(parts) > 1) and not (is_shipped_world(part) or _exists(part)):
            raise UsageError(RpgFault.NO_PART, part=part, name=name)
    return parts


def _exists(name: str) -> bool:
    with contextlib.suppress(OSError, ValueError):
        return bool(name) and Path(name).exists()
    return False


def read_chain(name: Name, is_shipped_world: Callable[[Name], bool]) -> PackChain:
    """Follow `extends` from a pack to its world, and return all packs on the way. Any other name is a world."""
    packs: dict[Path, Pack] = {}
    problems: list[Problem] = []
    while not is_shipped_world(name) and _is_pack(Path(name)):
        place = real_path(name)  # a cycle may go through symbolic links
        if place in packs:
            problems.append(_cycle(packs, place))
            break
        pack, wrong = _read_pack(Path(name), place)
        problems += wrong
        if pack is None:
            break
        packs[place] = pack
        below: str = pack.about["extends"]
        # As always, the name of a shipped world wins over a folder.
        name = below if is_shipped_world(below) else _beneath(Path(name), place, below)
    return PackChain(name, tuple(_in_order(packs)), tuple(problems))


def _beneath(folder: Path, place: Path, below: str) -> Path:
    """Return the folder that `extends` names, relative to the real folder of the pack.

    It is a Path, because a str could be the name of a shipped world.
    """
    # With symbolic links the two paths may differ; the short one reads better in problems.
    real = real_path(place / below)
    short = Path(os.path.normpath(folder / below))
    with contextlib.suppress(OSError):
        if short.samefile(real):
            return short
    return real


def _in_order(packs: Mapping[Path, Pack]) -> Iterator[Pack]:
    """Yield the packs from the lowest to the highest, each with the folders of the packs below it."""
    below: frozenset[str] = frozenset()
    for pack in reversed(list(packs.values())):
        yield pack._replace(builds_on=below)
        below |= {pack.folder}


def _is_pack(folder: Path) -> bool:
    with contextlib.suppress(OSError, ValueError):
        return (folder / f"{ABOUT}.json").is_file()
    return False


def _read_pack(folder: Path, place: Path) -> tuple[Pack | None, list[Problem]]:
    """Return a pack and the problems with its files. A document with problems is left out of the pack."""
    about, problems = _read(folder, ABOUT, ABOUT)
    if problems:
        return None, problems
    documents: dict[str, Mapping[str, Any]] = {}
    for name in DOCUMENTS:
        if (folder / f"{name}.json").exists():
            content, wrong = _read(folder, name, f"pack-{name}")
            problems += wrong
            documents |= {} if wrong else {name: content}
    return Pack(str(folder), str(place), about, documents), problems


def _read(folder: Path, document: str, schema: str) -> tuple[Any, list[Problem]]:
    file = f"{document}.json"
    content, problems = read_document(folder / file, f"{folder}/{file}", whole=True)
    return content, problems or schema_problems(content, schema, f"{folder}/{file}")


def _cycle(packs: Mapping[Path, Pack], place: Path) -> Problem:
    """Return the problem of packs that extend each other in a circle."""
    places = list(packs)
    circle = [path.name for path in (*places[places.index(place) :], place)]
    file = f"{packs[places[-1]].name}/{ABOUT}.json"
    return Problem(file, "$.extends", "packs that do not extend each other in a circle", " > ".join(circle))
