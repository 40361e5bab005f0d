"""Finds an attempt that stands in a source twice, when its samples were read in chunks and no reader saw them all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from herobench.analysis.packed import Packed, unpacked
from herobench.errors import InputError, Problem

if TYPE_CHECKING:
    from numpy.typing import NDArray

_EPOCH_BITS = 30
"""Enough for every epoch that is read."""


class Repeated:
    """The attempts of one source: a number for each, because names of a million would take far more memory."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._tasks: dict[tuple[str, str], int] = {}
        self._attempts: list[NDArray[Any]] = []
        self._lines: list[NDArray[Any]] = []

    def add(self, suite: str, tasks: Packed, epochs: Packed, lines: NDArray[Any]) -> None:
        """Add the attempts of some samples of a suite, with the numbers of their lines."""
        numbers = [self._tasks.setdefault((suite, task), len(self._tasks)) for task in tasks.objects()]
        self._attempts.append((np.array(numbers, "int64") << _EPOCH_BITS) | unpacked([epochs]).astype("int64"))
        self._lines.append(lines)

    def refuse(self) -> None:
        """Raise InputError at the first line with an attempt that is there before, because it would count twice."""
        if not self._attempts:
            return
        attempts, lines = np.concatenate(self._attempts), np.concatenate(self._lines)
        order = np.lexsort((lines, attempts))
        again = order[1:][attempts[order][1:] == attempts[order][:-1]]
        if not len(again):
            return
        first = again[np.argmin(lines[again])]
        task, epoch = divmod(int(attempts[first]), 1 << _EPOCH_BITS)
        told = {"task_id": list(self._tasks)[task][1], "epoch": epoch}
        place = f"{self._file}:{lines[first]}"
        raise InputError([Problem(place, "$", "an attempt that is not there before it", told)])
