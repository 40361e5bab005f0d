"""Scans the input files of a job before the work begins: cuts them into shards, and finds wrong rows.

One worker scans one file. The machine that began the job joins the facts of all files, and finds repeated rows: for
this each row sends back only a digest of 16 bytes.
"""

from __future__ import annotations

import hashlib
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, nullcontext
from dataclasses import dataclass, field
from itertools import accumulate
from typing import IO, Any

from herobench.cluster.manifest import Shard
from herobench.cluster.on_ray import CrewEngine
from herobench.cluster.row_files import Cut, FileRange, is_parquet, read_part, row_place, whole_file
from herobench.cluster.store import Unreachable, list_files, opened
from herobench.data.errors import InputError, Problem
from herobench.data.files import bounded_lines
from herobench.data.rows import MOST_BAD, RowLine, row_line
from herobench.work.engine import Done, Work, ends
from herobench.work.rows import RowCheck

_KEY = 16
_BLOCK = 1 << 20

NumberedProblem = tuple[int, Problem]
"""A problem, and the number of its row in the file."""


@dataclass(slots=True)
class Indexed:
    """The facts of one input file."""

    file: str
    sha256: str = ""
    size: int = 0
    parts: list[FileRange] = field(default_factory=list)
    problems: list[NumberedProblem] = field(default_factory=list)
    keys: bytes = b""
    """The digests of the keys of the good rows."""
    numbers: array[int] = field(default_factory=lambda: array("q"))
    """The numbers of the good rows."""


@dataclass(frozen=True)
class Indexing(Work[str, Indexed]):
    """Scans files."""

    check: RowCheck
    rows: int
    """The most rows of a part."""
    journal: bool = False
    """True for files that a killed writer may have torn: a last line without a line end is ignored."""

    def open(self, threads: int) -> AbstractContextManager[Callable[[str], Indexed]]:
        """Return the function that scans a file."""
        return nullcontext(self.indexed)

    def indexed(self, file: str) -> Indexed:
        """Return the facts of a file. Raise InputError if it holds no rows of this kind."""
        found = Indexed(file)
        keys = bytearray()
        with opened(file) as content:
            lines = self._of_parquet(found, content) if is_parquet(file) else self._of_jsonl(found, content)
            for number, line in lines:
                checked = line.problems or self.check.check(line)
                if isinstance(checked, str):
                    keys += hashlib.blake2b(checked.encode("utf-8", "surrogatepass"), digest_size=_KEY).digest()
                    found.numbers.append(number)
                    continue
                found.problems += [(number, problem) for problem in checked]
                if len(found.problems) > MOST_BAD:
                    expected = f"a file of rows, but {MOST_BAD:,} problems stand before this line"
                    raise InputError([Problem(line.place, "", expected), *checked])
        found.keys = bytes(keys)
        return found

    def _of_jsonl(self, found: Indexed, content: IO[bytes]) -> Iterator[tuple[int, RowLine]]:
        digest, cut = hashlib.sha256(), Cut(found.file, self.rows)
        for number, raw in enumerate(bounded_lines(content, found.file), 1):
            if self.journal and not raw.endswith(b"\n"):
                break
            digest.update(raw)
            found.size += len(raw)
            cut.add(number, len(raw))
            if raw.strip():
                yield number, row_line(raw, row_place(found.file, number), self.check.schema)
        cut.end()
        found.parts, found.sha256 = cut.parts, digest.hexdigest()

    def _of_parquet(self, found: Indexed, content: IO[bytes]) -> Iterator[tuple[int, RowLine]]:
        digest, cut = hashlib.sha256(), Cut(found.file, self.rows)
        while block := content.read(_BLOCK):
            digest.update(block)
            found.size += len(block)
        content.seek(0)
        for number, line in read_part(whole_file(found.file, content), self.check.schema):
            cut.add(number)
            yield number, line
        cut.end()
        found.parts, found.sha256 = cut.parts, digest.hexdigest()


def repeated(files: Sequence[Indexed]) -> Mapping[int, Mapping[int, str]]:
    """Return the rows that repeat the key of an earlier row.

    They map the index of a file and the number of a row to the place of the first row with the same key.
    """
    import numpy as np

    keys = np.frombuffer(b"".join(found.keys for found in files), dtype=np.uint64).reshape(-1, 2)
    order = np.lexsort((keys[:, 1], keys[:, 0]))  # stable: the first of several rows with a key stays first
    ordered = keys[order]
    repeats = np.flatnonzero((ordered[1:] == ordered[:-1]).all(axis=1)) + 1
    starts = list(accumulate((len(found.numbers) for found in files), initial=0))

    def where(row: int) -> tuple[int, int]:
        index = bisect_right(starts, row) - 1
        return index, files[index].numbers[row - starts[index]]

    first: dict[int, int] = {}
    told: dict[int, dict[int, str]] = {}
    for at in map(int, repeats):
        first[at] = first.get(at - 1, at - 1)
        earlier, index = where(int(order[first[at]])), where(int(order[at]))
        told.setdefault(index[0], {})[index[1]] = row_place(files[earlier[0]].file, earlier[1])
    return told


@dataclass(frozen=True, slots=True)
class Inputs:
    """Input files that were scanned."""

    files: Sequence[Indexed]
    shards: Sequence[Shard]
    problems: Sequence[Problem]
    """The problems of wrong rows, in the order of the rows. The job skips these rows."""

    @property
    def rows(self) -> int:
        """The number of rows that the job works on."""
        return sum(len(file.numbers) for file in self.files) - sum(len(shard.without) for shard in self.shards)

    def identities(self) -> list[dict[str, Any]]:
        """Return each file with its name, size and digest."""
        return [{"file": found.file, "size": found.size, "sha256": found.sha256} for found in self.files]


def looked_through(engine: CrewEngine, name: str, check: RowCheck, rows: int, *, journal: bool = False) -> Inputs:
    """Scan the files that a name stands for, and cut them into shards of at most `rows` rows.

    A `journal` may end with a torn line. Raise Unreachable if a file cannot be read.
    """
    indexing = Indexing(check, rows, journal)
    found: dict[str, Indexed] = {}
    names = list_files(name)
    with engine.crew(indexing) as crew, closing(ends(crew, names, in_order=False)) as ended:
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
        *((number, check.twice(row_place(file.file, number), first)) for number, first in repeats.items()),
    ]
    return (problem for _, problem in sorted(numbered, key=lambda pair: pair[0]))
