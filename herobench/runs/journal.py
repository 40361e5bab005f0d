"""A run's append-only journals, whose rows are checked as they are read."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from herobench.data.compressed import open_lines
from herobench.data.documents import parse_line, schema_problems
from herobench.data.errors import InputError, Problem
from herobench.data.files import bounded_lines, unreadable
from herobench.data.rows import row_bytes

Row = Mapping[str, Any]


def refuse_wrong_call(row: Row, place: str) -> None:
    """Raise InputError when a row is not a line of calls.jsonl."""
    _refuse_first(schema_problems(row, "call", place))


def refuse_wrong_sample(row: Row, place: str, suite: str | None) -> None:
    """Raise InputError when a row is not a sample of a run of a suite; None is any suite."""
    _refuse_first(schema_problems(row, "sample", place))
    _refuse_first(list(contradictions(row, place, suite)))


def contradictions(row: Row, place: str, suite: str | None) -> Iterator[Problem]:
    """Yield what is wrong with the columns of a sample that depend on others. The schema must have accepted the row."""
    if suite not in (None, row["suite"]):
        yield Problem(place, "$.suite", f"{suite}, the suite of the run", row["suite"])
    if row["status"] == "ok":
        for column in ("won", "score", "replies"):
            if row[column] is None:
                yield Problem(place, f"$.{column}", "a value, because the attempt was measured", None)
    elif row["error"] is None:
        yield Problem(place, "$.error", "a value, because the attempt was not measured", None)


def _refuse_first(problems: Sequence[Problem]) -> None:
    """Raise InputError with the first problem, since a row of another format has many. Its number says the most."""
    if problems:
        raise InputError([min(problems, key=lambda problem: problem.path != "$.schema")])


class Journal:
    """A file that is open for appending. Close it in the end.

    Every row is in the file when `append` returns, so a kill loses none. A journal of rows that cost nothing to make
    again may leave it to `flush` to sync the disk: only a machine or a disk that fails loses rows before a flush.
    """

    def __init__(self, path: Path, *, synced: bool = True) -> None:
        """`synced` says whether each row is synced to the disk at once."""
        self._path = path
        self._synced = synced
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC, 0o644)
        self._end = self._written = _end_of_last_line(self._file)
        """The bytes that are surely on the disk, and those that are in the file. A failure cuts it to the first."""
        # a kill may have torn the last line, and a row behind it would make one damaged line of both
        os.ftruncate(self._file, self._end)
        self._batch: list[bytes] = []
        self._door = asyncio.Lock()
        self._failure: OSError | None = None

    async def append(self, row: Mapping[str, Any]) -> None:
        """Add a row, and wait until it is in the file. Raise OSError when it cannot be written."""
        line = row_bytes(row)
        if self._synced:
            self._batch.append(line)
            await self.flush()
            return
        if self._failure is None:
            self._write(line)
        if self._failure is not None:
            raise self._failure

    async def flush(self) -> None:
        """Wait until every row that was added is on the disk. Raise OSError when it cannot be written."""
        batch = self._batch
        async with self._door:
            is_left = not self._synced or (batch and self._batch is batch)  # else another task has written it
            if is_left and self._failure is None:
                self._batch = []
                await _to_its_end(asyncio.to_thread(self._write, b"".join(batch)))
            if self._failure is not None:
                raise self._failure

    @property
    def failure(self) -> OSError | None:
        """The error after which nothing more is written; None before it."""
        return self._failure

    def _write(self, data: bytes) -> None:
        """Write some rows, and sync the disk if rows are synced at once. No rows are a flush: it only syncs."""
        left = memoryview(data)
        try:
            while left:
                left = left[os.write(self._file, left) :]
            self._written += len(data)
            if self._synced or not data:
                os.fsync(self._file)
                self._end = self._written
        except OSError as error:
            self._failure = OSError(error.errno, error.strerror, str(self._path))
            with suppress(OSError):
                os.ftruncate(self._file, self._end)

    def close(self) -> None:
        """Close the file."""
        os.close(self._file)


async def _to_its_end(work: Coroutine[Any, Any, None]) -> None:
    """Wait for work that must not be cut short. A cancelled caller leaves when the work is done, and not before."""
    task = asyncio.ensure_future(work)
    try:
        await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait([task])
        raise


def _any(row: Mapping[str, Any], place: str) -> None:
    """Take any row."""


def read_journal(path: Path, refuse: Callable[[Mapping[str, Any], str], None] = _any) -> Iterator[dict[str, Any]]:
    """Yield the whole rows of a journal, also while another process writes to it.

    `refuse` gets each row with its place, and raises InputError when it is wrong: files are edited by hand as well.
    Raise InputError when a line is not JSON object.
    """
    for place, line in journal_lines(path):
        row = row_in(line, place)
        refuse(row, place)
        yield row


def journal_lines(path: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the whole lines of a journal, each with its place."""
    try:
        with open_lines(path) as file:
            for number, line in enumerate(bounded_lines(file, str(path)), 1):
                if not line.endswith(b"\n"):
                    return  # torn, or not yet whole: a line that follows by now would be the rest of this one
                yield f"{path}:{number}", line
    except FileNotFoundError:
        return
    except OSError as error:
        raise InputError([unreadable(path, error)]) from error


def row_in(line: bytes, place: str) -> dict[str, Any]:
    """Return the row of a line. Raise InputError when it is not JSON object."""
    row, problems = parse_line(line, place)
    if not problems and not isinstance(row, dict):
        problems = [Problem(place, "$", "a JSON object", row)]
    if problems:
        raise InputError(problems)
    return dict(row)


def _end_of_last_line(file: int) -> int:
    """Return the position at which the last whole line of a file ends."""
    end = os.fstat(file).st_size
    while end:
        begin = max(0, end - _BLOCK)
        found = os.pread(file, end - begin, begin).rfind(b"\n")
        if found >= 0:
            return begin + found + 1
        end = begin
    return 0


_BLOCK = 1 << 16
