"""Chunks of the files of sources: stretches of some megabytes that can be read apart from each other, in any order.

`chunks_of` cuts a file without reading it: a chunk has the lines that begin in its range of bytes. A compressed file
cannot be entered in its middle, so its chunks carry their lines.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass

from herobench.analysis.samples.sources import NumberedLine, Source
from herobench.data.errors import InputError

SIZE = 8 << 20
"""The bytes of a chunk: about a thousand samples. Handing them out then costs nothing, and few are held at a time."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """Some lines of a source in a row. It can be pickled."""

    source: Source
    start: int
    """The byte that its range begins at. It is 0 for the first chunk of a source, and only for that."""
    stop: int
    text: bytes | None = None
    """Its lines, if the file is compressed; its range then is one of the unpacked bytes."""
    before: int = 0
    """The number of lines before it, if the file is compressed. Else `lines_before` counts them."""
    problem: InputError | None = None
    """Why the lines after it could not be read; None if they can."""

    def __str__(self) -> str:
        return str(self.source.file)

    def lines(self, before: int) -> Iterator[NumberedLine]:
        """Yield its unread lines with their numbers; `before` is how many lines are before it."""
        if self.text is None:
            yield from self.source.lines(self.start, self.stop, before)
            return
        yield from enumerate(io.BytesIO(self.text), before + 1)
        if self.problem is not None:
            raise self.problem

    def lines_before(self) -> int:
        """Return the number of lines before it."""
        return self.source.lines_before(self.start) if self.text is None else self.before


def chunks_of(source: Source, size: int = SIZE) -> Iterator[Chunk]:
    """Yield the chunks of a source in their order. Raise InputError if its file cannot be opened."""
    length = source.length()
    if length is None:
        yield from _unpacked(source, size)
        return
    for start in range(0, length, size):
        yield Chunk(source, start, min(start + size, length))


def _unpacked(source: Source, size: int) -> Iterator[Chunk]:
    """Yield the chunks of a compressed file."""
    start = stop = before = number = 0
    held: list[bytes] = []
    problem: InputError | None = None
    try:
        for number, line in source.lines():
            held.append(line)
            stop += len(line)
            if stop - start >= size:
                yield Chunk(source, start, stop, b"".join(held), before)
                start, before, held = stop, number, []
    except InputError as error:
        # told by whoever reads the chunk: a line before the damage may be wrong as well, and is told first
        problem = error
    if held or problem:
        yield Chunk(source, start, stop, b"".join(held), before, problem)
