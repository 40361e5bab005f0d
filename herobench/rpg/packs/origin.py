"""Move problems of a world with packs back to the files that people wrote. `content` and `world validate` use it.

Checks see the whole world, where a row has another file and index than in the pack it came from. If a check misses
something that a pack removed, the problem also names the place that removes it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import PurePath
from typing import Any

from herobench.documents import json_path
from herobench.errors import Problem
from herobench.rpg.packs.layered_world import LayeredWorld

_PATH = re.compile(r"\$\.(\w+)(?:\[(\d+)\])?(.*)", re.DOTALL)


class Origins:
    """The file and path that each part of a world with packs was written in."""

    def __init__(self, layered: LayeredWorld, base: Mapping[str, Any]) -> None:
        self.base = base
        """The documents of the world below the packs."""
        self.base_name = layered.name
        self._origins = layered.origins()
        self._removed = layered.removed()

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
        """Return a problem of the whole as a problem of the file that it came from."""
        file, path = self.spot(problem.file, problem.path)
        # A place is a list in JSON and a tuple in the keys here.
        found: Any = tuple(problem.found) if isinstance(problem.found, list) else problem.found
        removers = (origin for target, origin in self._removed.items() if target[-1] == found)
        remover = next(removers, None)
        return replace(problem, file=file, path=path, advice=f"{remover} removes it" if remover else problem.advice)
