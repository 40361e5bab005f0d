"""The input files of a job: looked through by workers, put together, and cut into shards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from herobench.cluster.engine import Done, Engine, results
from herobench.cluster.index import Indexed, Indexing, repeated
from herobench.cluster.parts import place_of
from herobench.cluster.shard import Shard
from herobench.cluster.store import Unreachable, files_of
from herobench.data.errors import Problem
from herobench.work.rows import RowCheck


@dataclass(frozen=True, slots=True)
class Inputs:
    """Input files that were looked through."""

    files: Sequence[Indexed]
    shards: Sequence[Shard]
    problems: Sequence[Problem]
    """The problems of wrong rows, in the order of the rows. The job leaves these rows out."""

    @property
    def rows(self) -> int:
        """The number of rows that are worked on."""
        return sum(len(file.numbers) for file in self.files) - sum(len(shard.without) for shard in self.shards)

    def identities(self) -> list[dict[str, Any]]:
        """Return each file with its name, size and digest."""
        return [{"file": found.file, "size": found.size, "sha256": found.sha256} for found in self.files]


def looked_through(engine: Engine, name: str, check: RowCheck, rows: int, *, journal: bool = False) -> Inputs:
    """Look through the files that a name means, and cut them into shards of at most so many rows.

    A `journal` may have a last line that a kill has torn. Raise Unreachable if a file cannot be read.
    """
    indexing = Indexing(check, rows, journal)
    found: dict[str, Indexed] = {}
    names = files_of(name)
    with closing(results(engine, indexing, names)) as ended:
        for one in ended:
            if not isinstance(one, Done):
                raise Unreachable(f"{one.given} cannot be looked through {one.reason}")
            found[one.given] = one.made
    files = [found[name] for name in names]
    same = repeated(files)
    problems = [problem for index, file in enumerate(files) for problem in _problems(file, same.get(index, {}), check)]
    return Inputs(files, list(_shards(files, same)), problems)


def _shards(files: Sequence[Indexed], same: Mapping[int, Mapping[int, str]]) -> Iterator[Shard]:
    parts = ((part, same.get(index, {})) for index, file in enumerate(files) for part in file.parts)
    for number, (part, repeats) in enumerate(parts):
        yield Shard(number, part, frozenset(row for row in repeats if part.first <= row < part.first + part.rows))


def _problems(file: Indexed, repeats: Mapping[int, str], check: RowCheck) -> Iterator[Problem]:
    numbered = [
        *file.problems,
        *((number, check.twice(place_of(file.file, number), first)) for number, first in repeats.items()),
    ]
    return (problem for _, problem in sorted(numbered, key=lambda pair: pair[0]))
