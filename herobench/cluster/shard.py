"""A shard: some of a job's work that one worker does at a time, and the file of rows that comes of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from herobench.cluster.parts import FileRange

Given = FileRange | Sequence[int]
"""What a shard works on: rows of an input file, or the numbers of tasks to make."""


@dataclass(frozen=True, slots=True)
class Shard:
    """One piece of work. Its rows depend on the job and on what is given here, and on nothing else."""

    index: int
    given: Given
    without: frozenset[int] = frozenset()
    """The numbers of rows of the part that say what an earlier row says."""


@dataclass(frozen=True, slots=True)
class Written:
    """The file of rows of a shard."""

    rows: int
    size: int
    sha256: str
    facts: Mapping[str, Any]
    """What the command's summary needs to know of the rows, as plain data."""
