"""A JSONL file that is only ever appended to. A row is durable when `append` returns.

Rows that come while the disk is busy with others are written together after them, so that many at once cost few waits.
What could not be written whole is taken back, as far as the disk lets us; a line that a kill tore is dropped when the
file is opened again. After one failure nothing more is written: what comes later must not stand without what came
before.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Coroutine, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType
from typing import Any

from herobench.errors import InputError, Problem
from herobench.input_file import bounded_lines, open_regular, unreadable
from herobench.rows import dump_row


class Journal:
    """Open for appending; close it in the end."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC, 0o644)
        self._end = _end_of_last_line(self._file)
        os.ftruncate(self._file, self._end)
        self._batch: list[bytes] = []
        self._door = asyncio.Lock()
        self._failure: OSError | None = None

    async def append(self, row: Mapping[str, Any]) -> None:
        """Add a row and wait until the disk has it. Raises OSError where it cannot be had."""
        batch = self._batch
        batch.append(dump_row(row).encode())
        async with self._door:
            if self._batch is batch and self._failure is None:  # else whoever was here before has written it too
                self._batch = []
                await _to_its_end(asyncio.to_thread(self._write, b"".join(batch)))
            if self._failure is not None:
                raise self._failure

    @property
    def failure(self) -> OSError | None:
        """Why nothing more is written."""
        return self._failure

    def _write(self, data: bytes) -> None:
        left = memoryview(data)
        try:
            while left:
                left = left[os.write(self._file, left) :]
            os.fsync(self._file)
            self._end += len(data)
        except OSError as error:
            self._failure = OSError(error.errno, error.strerror, str(self._path))
            with suppress(OSError):
                os.ftruncate(self._file, self._end)

    def close(self) -> None:
        """Close the file."""
        os.close(self._file)


async def _to_its_end(work: Coroutine[Any, Any, None]) -> None:
    """Wait for work that cannot be called off: who is cancelled meanwhile leaves when it is done, and not before."""
    task = asyncio.ensure_future(work)
    try:
        await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait([task])
        raise


_ANY: Mapping[str, tuple[type, ...]] = MappingProxyType({})


def read_journal(path: Path, columns: Mapping[str, tuple[type, ...]] = _ANY) -> Iterator[dict[str, Any]]:
    """The whole rows of a journal, whether or not somebody writes to it. Raises InputError where one is damaged, or has
    something of another type in one of these columns."""
    try:
        with open_regular(path) as file:
            for number, line in enumerate(bounded_lines(file, str(path)), 1):
                if not line.endswith(b"\n"):
                    return  # torn, or not yet whole: what may come after it by now is the rest of it
                yield _row(line, f"{path}:{number}", columns)
    except FileNotFoundError:
        return
    except OSError as error:
        raise InputError([unreadable(path, error)]) from error


def _row(line: bytes, place: str, columns: Mapping[str, tuple[type, ...]]) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InputError([Problem(place, "", f"a JSON object ({error})")]) from error
    if not isinstance(row, dict):
        raise InputError([Problem(place, "", "a JSON object", row)])
    for name, types in columns.items():
        if name not in row or not isinstance(row[name], types):
            raise InputError([Problem(place, f"$.{name}", "what this program writes there", row.get(name))])
    return row


def _end_of_last_line(file: int) -> int:
    """Where the last whole line of a file ends."""
    end = os.fstat(file).st_size
    while end:
        begin = max(0, end - _BLOCK)
        found = os.pread(file, end - begin, begin).rfind(b"\n")
        if found >= 0:
            return begin + found + 1
        end = begin
    return 0


_BLOCK = 1 << 16
