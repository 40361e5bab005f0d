"""Looks through the input files of a job once, before the work begins: cuts them into parts, and finds what is wrong.

One worker looks through one file. The facts of all files are put together on the machine that began the job. Only
there can be seen which rows say the same thing twice: of each row a digest of 16 bytes comes back, and no more.
"""

from __future__ import annotations

import hashlib
from array import array
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import IO

from herobench.cluster.parts import Cut, FileRange, is_parquet, place_of, rows_of, whole_of
from herobench.cluster.store import opened
from herobench.data.errors import InputError, Problem
from herobench.data.files import bounded_lines
from herobench.data.rows import RowLine, row_line
from herobench.work.rows import RowCheck

_KEY = 16
_MOST_BAD = 10_000
"""The most problems of one file. A file with more holds no rows of this kind."""
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


@dataclass(frozen=True, slots=True)
class Indexing:
    """Looks through a file. It is sent to workers."""

    check: RowCheck
    rows: int
    """The most rows of a part."""
    journal: bool = False
    """True for files that a kill may have torn: a last line without an end is no row of them."""

    def __call__(self, file: str) -> Indexed:
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
                if len(found.problems) > _MOST_BAD:
                    expected = f"a file of rows, but {_MOST_BAD:,} problems stand before this line"
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
                yield number, row_line(raw, place_of(found.file, number), self.check.schema)
        cut.end()
        found.parts, found.sha256 = cut.parts, digest.hexdigest()

    def _of_parquet(self, found: Indexed, content: IO[bytes]) -> Iterator[tuple[int, RowLine]]:
        digest, cut = hashlib.sha256(), Cut(found.file, self.rows)
        while block := content.read(_BLOCK):
            digest.update(block)
            found.size += len(block)
        content.seek(0)
        for number, line in rows_of(whole_of(found.file, content), self.check.schema):
            cut.add(number)
            yield number, line
        cut.end()
        found.parts, found.sha256 = cut.parts, digest.hexdigest()


def repeated(files: Sequence[Indexed]) -> Mapping[int, Mapping[int, str]]:
    """Return the rows whose key an earlier row has: by the index of the file and the number of the row the place of the
    first row with that key."""
    import numpy as np

    keys = np.frombuffer(b"".join(found.keys for found in files), dtype=np.uint64).reshape(-1, 2)
    order = np.lexsort((keys[:, 1], keys[:, 0]))  # stable, so that of equal keys the first row comes first
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
        told.setdefault(index[0], {})[index[1]] = place_of(files[earlier[0]].file, earlier[1])
    return told
