"""A job: makes the shards of a command with an engine, and records them in the manifest.

A job that is started again in the same folder makes only the missing shards. Rows keep the order of the input: the
files of the shards, joined in order, equal the output of the command on one machine. Rows are a pure function of the
work and the shard, since another worker repeats a shard if its worker is lost.
"""

from __future__ import annotations

import hashlib
import io
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from dataclasses import dataclass
from importlib.metadata import version
from typing import IO, Any, cast

from herobench.cluster.manifest import Identity, Manifest, Shard, Written
from herobench.cluster.on_ray import CrewEngine
from herobench.cluster.row_files import FileRange, Format, Types, column_types, read_part, task_types, write_table
from herobench.cluster.store import StoreFolder
from herobench.data.errors import UsageError
from herobench.data.rows import dump_row
from herobench.suite.generating import Numbered
from herobench.work.engine import Done, Work, ends
from herobench.work.rows import FactsOf, Row, RowFacts, RowWork

Rows = Callable[[Shard, RowFacts], Iterator[Row]]
"""Yields the rows of a shard in order, and adds their facts."""


class ShardWork(ABC):
    """Makes the rows of shards. It is pickled and sent to the workers."""

    @property
    @abstractmethod
    def table(self) -> Types:
        """The columns of its rows in Parquet."""

    def facts(self) -> RowFacts:
        """Return empty facts, to which those of rows are added. By default a summary needs only the number of rows."""
        return RowFacts()

    @abstractmethod
    def open(self) -> AbstractContextManager[Rows]:
        """Open the work in this process, and return the function that makes rows."""


@dataclass(frozen=True)
class EachRow(ShardWork):
    """Makes one row from each row of a shard that is valid and no repeat."""

    rows: RowWork
    make_facts: FactsOf = RowFacts

    @property
    def table(self) -> Types:
        """The columns of the rows."""
        return column_types(self.rows.columns)

    def facts(self) -> RowFacts:
        """Return empty facts, to which those of rows are added."""
        return self.make_facts()

    @contextmanager
    def open(self) -> Iterator[Rows]:
        """Open the work on rows."""
        given = self.rows.given
        with self.rows.open(1) as make:

            def made(shard: Shard, facts: RowFacts) -> Iterator[Row]:
                assert isinstance(shard.given, FileRange)
                for number, line in read_part(shard.given, given.schema):
                    if number not in shard.without and not line.problems and isinstance(given.check(line), str):
                        row = make(line)
                        facts.add(line.row, row)
                        yield row

            yield made


@dataclass(frozen=True)
class EachNumber(ShardWork):
    """Makes tasks by their numbers."""

    tasks: Numbered

    @property
    def table(self) -> Types:
        """The columns of tasks."""
        return task_types(self.tasks.columns)

    def open(self) -> AbstractContextManager[Rows]:
        """Return the function that makes tasks. Its slow parts open with the first task."""
        return nullcontext(self._made)

    def _made(self, shard: Shard, facts: RowFacts) -> Iterator[Row]:
        assert not isinstance(shard.given, FileRange)
        return map(self.tasks.make, shard.given)

    def options(self) -> dict[str, Any]:
        """Return everything that the tasks depend on, as plain data."""
        return {**self.tasks.identity, "numbers": _told_numbers(self.tasks.numbers)}

    def shards(self, rows: int) -> list[Shard]:
        """Return the shards, each of at most `rows` tasks."""
        numbers = self.tasks.numbers
        return [Shard(at // rows, numbers[at : at + rows]) for at in range(0, len(numbers), rows)]


def _told_numbers(numbers: Sequence[int]) -> str:
    """Return numbers as a short text: the first and the last of a range, else a digest."""
    if isinstance(numbers, range) and numbers.step == 1:
        return f"{numbers.start}-{numbers.stop - 1}"
    return hashlib.sha256(",".join(map(str, numbers)).encode()).hexdigest()


# -- the job ----------------------------------------------------------------------------------------------------------

SHARD_ROWS = 1000
"""The rows of a shard, by default."""


@dataclass(frozen=True, slots=True)
class Ended:
    """Reports the end of a session of a job: the rows it wrote, its retries, and the rows it could not write."""

    manifest: Manifest
    retried: int
    """The number of shards that were tried more than once."""
    failed: dict[str, str]
    """The reasons why shards are not written, by the names of their files."""

    @property
    def rows(self) -> int:
        """The number of rows in all shards that are written."""
        return sum(written.rows for written in self.manifest.written)

    def merge_into(self, facts: RowFacts) -> None:
        """Add the facts of all rows to `facts`."""
        for written in self.manifest.written:
            facts.merge(written.facts)


def run_job(
    engine: CrewEngine,
    work: ShardWork,
    output: str,
    identity: Identity,
    shards: Sequence[Shard],
    step: Callable[[], None],
) -> Ended:
    """Make the missing shards of the folder `output`. `step` is called once for each finished shard.

    Raise UsageError if the folder holds another job.
    """
    folder = StoreFolder(output)
    manifest = Manifest(folder, identity, shards)
    manifest.resume()
    for _ in manifest.written:
        step()
    manifest.save_now_and_then()
    retried, failed = 0, dict[str, str]()
    try:
        with (
            engine.crew(Writing(work, output, identity.format)) as crew,
            closing(ends(crew, manifest.waiting, in_order=False)) as ended,
        ):
            for one in ended:
                file = one.given.file(identity.format)
                if isinstance(one, Done):
                    if not manifest.written:
                        _refuse_if_elsewhere(folder, file)
                    manifest.finished(one.given, one.made)
                    retried += one.tries > 1
                    step()
                else:
                    failed[file] = one.reason
                manifest.save_now_and_then()
    finally:
        manifest.save()
    failed |= dict.fromkeys(manifest.forget_missing(), "in the folder as it is here")
    if not failed:
        folder.tidy()
    return Ended(manifest, retried, failed)


def _refuse_if_elsewhere(folder: StoreFolder, file: str) -> None:
    """Raise UsageError if a worker wrote a shard to a folder that only its own machine sees."""
    if file not in folder.sizes():
        raise UsageError(
            f"A worker wrote {file}, and it is not in {folder.name} here: name a folder that all machines share, or "
            "a URL."
        )


# -- in a worker ------------------------------------------------------------------------------------------------------


class Writing(Work[Shard, Written]):
    """Writes the files of shards."""

    def __init__(self, work: ShardWork, folder: str, format: Format) -> None:
        self.work, self.folder, self.format = work, folder, format
        self.version = version("herobench")

    @contextmanager
    def open(self, threads: int) -> Iterator[Callable[[Shard], Written]]:
        """Open the work. Raise UsageError for a worker with another version."""
        if version("herobench") != self.version:
            raise UsageError(
                f"A worker has herobench {version('herobench')}, and the job is of {self.version}: install the same "
                "version on all machines."
            )
        with self.work.open() as rows:
            yield lambda shard: self._written(rows, shard)

    def _written(self, rows: Rows, shard: Shard) -> Written:
        """Write the file of a shard, and return its facts."""
        facts, count = self.work.facts(), 0

        def counted() -> Iterator[Mapping[str, Any]]:
            nonlocal count
            for row in rows(shard, facts):
                count += 1
                yield row

        with StoreFolder(self.folder).writing(shard.file(self.format)) as file:
            told = _Told(file)
            if self.format == "parquet":
                write_table(cast("IO[bytes]", told), counted(), self.work.table)
            else:
                for row in counted():
                    told.write(dump_row(row).encode("utf-8"))
        return Written(count, told.size, told.digest.hexdigest(), facts.as_row())


class _Told(io.RawIOBase):
    """An open file that also measures the size and the digest of the written bytes. Its opener closes it."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.size = 0
        self.digest = hashlib.sha256()

    def writable(self) -> bool:
        """Return True: the file is for writing."""
        return True

    def write(self, data: Any, /) -> int:
        """Write bytes."""
        self._file.write(data)
        self.size += len(data)
        self.digest.update(data)
        return len(data)

    def tell(self) -> int:
        """Return the number of bytes so far."""
        return self.size
