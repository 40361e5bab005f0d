"""Facts: the row of the tidy table that each sample becomes, with the facts that the suite's reading adds.

Large files are read in chunks of lines, by several processes. `facts_of` turns a chunk into packed facts, and needs
nothing but the chunk. `merged` puts them together in the order of the chunks, and finds attempts that are there twice.
`frame` makes the table.

    chunks = [chunk for source in sources for chunk in chunks_of(source)]
    whole = merged(map(facts_of, chunks))  # or any other map that keeps the order
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from herobench.analysis.reading.checked import load_reading
from herobench.analysis.samples.packed import Fact, Packed, pack, unpack
from herobench.analysis.samples.samples import (
    COMMON,
    Sample,
    cut_off,
    group_name,
    is_measured,
    tidy_columns,
)
from herobench.analysis.samples.sources import NumberedLine, Source, printable
from herobench.data.errors import HeroBenchError, InputError
from herobench.data.rows import SeenAttempts, seldom_collected
from herobench.suite.players import attempt_help
from herobench.work.engine import Engine, Local, Work

if TYPE_CHECKING:
    from numpy.typing import NDArray


SIZE = 8 << 20
"""The bytes of a chunk: about a thousand samples. Handing them out then costs nothing, and few are held at a time."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """Some lines of a source in a row. It can be pickled."""

    source: Source
    text: bytes
    before: int
    """The number of lines before it."""
    problem: InputError | None = None
    """Why the lines after it could not be read; None if they can."""

    def __str__(self) -> str:
        return str(self.source.file)

    def lines(self) -> Iterator[NumberedLine]:
        """Yield its unread lines with their numbers. Raise InputError if the lines after it could not be read."""
        yield from enumerate(io.BytesIO(self.text), self.before + 1)
        if self.problem is not None:
            raise self.problem


def chunks_of(source: Source, size: int = SIZE) -> Iterator[Chunk]:
    """Yield the chunks of a source in their order, each of a few bytes more than `size`."""
    before = number = length = 0
    chunk_lines: list[bytes] = []
    problem: InputError | None = None
    try:
        for number, line in source.lines():
            chunk_lines.append(line)
            length += len(line)
            if length >= size:
                yield Chunk(source, b"".join(chunk_lines), before)
                before, length, chunk_lines = number, 0, []
    except InputError as error:
        # the reader of the chunk reports it: an earlier line may be wrong too, and is reported first
        problem = error
    if chunk_lines or problem:
        yield Chunk(source, b"".join(chunk_lines), before, problem)


_KEPT = (
    "task_id", "epoch", "score", "failure", "input_tokens", "output_tokens", "reasoning_tokens", "calls",
    "retries", "cost", "seconds", "unfinished",
)  # fmt: skip
"""Columns of samples that are facts as they are."""
_OUTCOMES = {True: "win", False: "lose", None: None}
_EPOCH = COMMON.index("epoch")


@dataclass(frozen=True, slots=True)
class ChunkFacts:
    """The packed facts of the samples of a chunk. It can be pickled."""

    file: str
    first: bool
    """True for the first chunk of a source."""
    tables: Mapping[str, tuple[Packed, ...]]
    """Maps each suite to its columns: the line numbers, the task ids, then the facts of the samples."""
    error: HeroBenchError | None
    """Why the lines after these samples were not read; None if all were."""


class Facts:
    """The packed facts of samples: by suite, each column in pieces."""

    def __init__(self) -> None:
        self._pieces: dict[str, tuple[list[Packed], ...]] = {}

    def __len__(self) -> int:
        return sum(len(piece) for columns in self._pieces.values() for piece in columns[0])

    @property
    def suites(self) -> tuple[str, ...]:
        """The suites that have samples, in the order of their first ones."""
        return tuple(self._pieces)

    def add(self, suite: str, columns: Sequence[Packed]) -> None:
        """Add the facts of further samples of a suite."""
        whole = self._pieces.setdefault(suite, tuple([] for _ in columns))
        for pieces, piece in zip(whole, columns, strict=True):
            pieces.append(piece)

    def columns(self, suite: str) -> Iterator[tuple[str, NDArray[Any]]]:
        """Yield the columns of a suite with their values, and forget each: a table is made of them once."""
        for name, pieces in zip(tidy_columns(suite), self._pieces[suite], strict=True):
            yield name, unpack(pieces)
            pieces.clear()

    def rows(self) -> Iterator[tuple[Fact, ...]]:
        """Yield the facts of each sample, suite by suite."""
        for columns in self._pieces.values():
            yield from zip(*(unpack(pieces).tolist() for pieces in columns), strict=True)


_HERE = Local(1)


def facts(sources: Iterable[Source], engine: Engine = _HERE) -> Facts:
    """Return the facts of all samples of some sources, in their order. Workers open the files themselves.

    With several processes the main module must be importable, as for all of multiprocessing.
    """
    chunks = (chunk for source in sources for chunk in chunks_of(source))
    with closing(engine.results(ChunkWork(), chunks)) as results:
        return merged(results)


class ChunkWork(Work[Chunk, ChunkFacts]):
    """Reads chunks."""

    worth = 1

    @contextmanager
    def open(self, threads: int) -> Iterator[Callable[[Chunk], ChunkFacts]]:
        """Give what reads a chunk."""
        with seldom_collected(100_000):  # rows have no cycles
            yield facts_of


def facts_of(chunk: Chunk) -> ChunkFacts:
    """Return the facts of the samples of a chunk, up to the first line that is wrong."""
    rows: dict[str, list[tuple[Fact, ...]]] = {}
    error: HeroBenchError | None = None
    try:
        for number, line in chunk.lines():
            for sample in chunk.source.read(number, line):
                row = (number, sample["task_id"], *_sample_facts(chunk.source, number, sample))
                rows.setdefault(sample["suite"], []).append(row)
    except HeroBenchError as wrong:
        error = wrong
    tables = {suite: tuple(map(pack, zip(*suite_rows, strict=True))) for suite, suite_rows in rows.items()}
    return ChunkFacts(str(chunk.source.file), not chunk.before, tables, error)


def merged(chunk_facts: Iterable[ChunkFacts]) -> Facts:
    """Return the facts of all samples. The chunks come in the order of their sources and lines.

    Raise the first error: a chunk's, or InputError for an attempt that was there before in its source.
    """
    whole, attempts = Facts(), SeenAttempts()
    for chunk in chunk_facts:
        attempts = SeenAttempts() if chunk.first else attempts
        for suite, (lines, tasks, *values) in chunk.tables.items():
            for line, task, epoch in zip(*map(_values, (lines, tasks, values[_EPOCH])), strict=True):
                attempts.add({"suite": suite, "task_id": task, "epoch": epoch}, f"{chunk.file}:{line}")
            whole.add(suite, values)
        if chunk.error is not None:
            raise chunk.error
    return whole


def _values(column: Packed) -> list[Any]:
    values: list[Any] = unpack([column]).tolist()
    return values


def _sample_facts(source: Source, number: int, sample: Sample) -> tuple[Fact, ...]:
    """Return the values of a sample's columns."""
    source.check_events(number, sample)
    reading = load_reading(sample["suite"])
    cause, error = reading.cause(sample), sample["error"]
    common = (
        source.name,
        sample["suite"],
        group_name(sample),
        is_measured(sample),
        reading.counts(sample),
        sample["won"],
        _OUTCOMES[sample["won"]],
        sample["progress"],
        str(cause.cause) if cause else None,
        cause.line if cause else None,
        cause.subject if cause else None,
        error["kind"] if error else None,
        sample["output_tokens"],
        cut_off(sample),
        sample["model"],
        attempt_help(sample["suite"], sample["model"], sample["details"]),
        *(sample[name] for name in _KEPT),
    )
    row = (*common, *reading.facts(sample).values())
    return tuple([fact if type(fact) is not str or fact.isascii() else printable(fact) for fact in row])
