"""The contract of work that a job cuts into shards, and the call that writes one shard. Workers run it.

Rows must be a pure function of the work and the shard, since a shard whose worker is lost is made again by another one.
"""

from __future__ import annotations

import atexit
import hashlib
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from importlib.metadata import version
from typing import IO, Any, Protocol, cast

from herobench.cluster.shard import Shard, Written
from herobench.cluster.store import StoreFolder
from herobench.cluster.tables import Format, Types, write_table
from herobench.data.errors import UsageError
from herobench.data.rows import dump_row


class Rows(Protocol):
    """Makes the rows of shards in one process, with what that takes, such as a sandbox."""

    def of(self, shard: Shard, facts: Any) -> Iterator[Mapping[str, Any]]:
        """Yield the rows of a shard in order. Put into `facts`, which its work made, what the summary needs of each."""
        ...

    def close(self) -> None:
        """Release processes."""
        ...


class RowFacts(Protocol):
    """What the summary of a command needs to know of rows."""

    def as_row(self) -> Mapping[str, Any]:
        """Return the facts as plain data."""
        ...


class ShardWork(Protocol):
    """Work on shards. It is plain data, which is sent to each worker once."""

    @property
    def table(self) -> Types:
        """The columns of its rows in Parquet."""
        ...

    def opened(self) -> Rows:
        """Return what makes rows, opened in this process."""
        ...

    def facts(self) -> RowFacts:
        """Return the facts of no row yet."""
        ...


class Writing:
    """Writes shards. A process opens its work for the first one, and keeps it for the others."""

    def __init__(self, work: ShardWork, folder: str, format: Format) -> None:
        self.work = work
        self.folder = folder
        self.format = format
        self.version = version("herobench")

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what this process has opened."""
        return {name: value for name, value in self.__dict__.items() if name != "_rows"}

    def __call__(self, shard: Shard) -> Written:
        """Write the file of a shard, and return its facts."""
        if version("herobench") != self.version:
            raise UsageError(
                f"A worker has herobench {version('herobench')}, and the job is of {self.version}: install the same "
                "version on all machines."
            )
        facts = self.work.facts()
        counted = _Counted(self._rows.of(shard, facts))
        with StoreFolder(self.folder).writing(file_of(shard, self.format)) as file:
            told = _Told(file)
            if self.format == "parquet":
                write_table(cast("IO[bytes]", told), counted, self.work.table)
            else:
                for row in counted:
                    told.write(dump_row(row).encode("utf-8"))
        return Written(counted.count, told.size, told.digest.hexdigest(), facts.as_row())

    def close(self) -> None:
        """Release what this process has opened."""
        if "_rows" in self.__dict__:
            self.__dict__.pop("_rows").close()

    @cached_property
    def _rows(self) -> Rows:
        atexit.register(self.close)
        return self.work.opened()


def file_of(shard: Shard, format: Format) -> str:
    """Return the name of a shard's file. In the order of names, files are in the order of shards."""
    return f"part-{shard.index:07}.{format}"


class _Counted:
    """Rows that are counted while they are written."""

    def __init__(self, rows: Iterable[Mapping[str, Any]]) -> None:
        self._rows = rows
        self.count = 0

    def __iter__(self) -> Iterator[Mapping[str, Any]]:
        for row in self._rows:
            self.count += 1
            yield row


class _Told:
    """An open file that also tells the size and the digest of what was written."""

    closed = False

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.size = 0
        self.digest = hashlib.sha256()

    def write(self, data: bytes) -> int:
        """Write bytes."""
        self._file.write(data)
        self.size += len(data)
        self.digest.update(data)
        return len(data)

    def tell(self) -> int:
        """Return the number of bytes so far."""
        return self.size

    def flush(self) -> None:
        """Write what is held back."""
        self._file.flush()

    def close(self) -> None:
        """Leave the file open: whoever opened it closes it."""

    def readable(self) -> bool:
        """Say that the file is for writing only."""
        return False

    def writable(self) -> bool:
        """Say that the file is for writing."""
        return True

    def seekable(self) -> bool:
        """Say that what is written stays where it is."""
        return False
