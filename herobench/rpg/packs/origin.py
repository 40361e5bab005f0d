"""What turns out about a world with packs on it, told of the files that people wrote.

Checks look at the whole, in which a row stands somewhere else than in the file it came from. Here a finding moves back
there. What is missed because a pack removed it is said to have been removed, and where.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import PurePath
from typing import Any

from herobench.documents import json_path
from herobench.errors import Problem
from herobench.rpg.packs.stack import Stack

_PATH = re.compile(r"\$\.(\w+)(?:\[(\d+)\])?(.*)", re.DOTALL)


class Origins:
    """Where the parts of the whole were written."""

    def __init__(self, stack: Stack) -> None:
        self._origins = stack.origins()
        self._removed = stack.removed()

    def spot(self, file: str, path: str) -> tuple[str, str]:
        """The file and path that a file and path of the whole came from; whatever the whole was called."""
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
        """A problem of the whole as one of the file that it came from."""
        file, path = self.spot(problem.file, problem.path)
        found: Any = tuple(problem.found) if isinstance(problem.found, list) else problem.found
        removers = (origin for target, origin in self._removed.items() if target[-1] == found)
        remover = next(removers, None)
        return replace(problem, file=file, path=path, advice=f"{remover} removes it" if remover else problem.advice)
