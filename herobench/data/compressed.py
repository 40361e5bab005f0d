"""Reads and writes compressed files of lines, so that they can be read like any others.

A complete run compresses its large files: samples.jsonl.gz has the same lines as the samples.jsonl that it replaces.
The format is BGZF: gzip in blocks of at most 64 KiB, each with its length. Every tool that reads gzip reads it. Readers
can seek in it, so several processes can share a large file, and a single line is read without the lines before it. Any
other gzip file is read too, but only from its start. Sets that come with the package are packed by xz instead.
"""

from __future__ import annotations

import errno
import gzip
import io
import json
import lzma
import os
import struct
import zlib
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import IO, Any

from herobench.data.documents import data_of
from herobench.data.errors import InputError, Problem
from herobench.data.files import open_regular

_PIECE = 65_280
"""The bytes of a block before it is compressed, as bgzip has them: a block that does not get smaller still fits."""
_LEVEL = 3
"""The level of zlib. Its usual level, 6, takes twice the time and makes files a sixth smaller. It also makes some rows
so small that readers refuse them; see `_MOST_UNPACKED`."""
_MOST_IN_BLOCK = 1 << 16
"""The most bytes that a block may unpack to."""
_HEAD = struct.Struct("<4sI2BH2s2H")
"""The header of a block: gzip with one extra field, BC, which holds the length of the block minus one."""
_MAGIC, _FIELD = b"\x1f\x8b\x08\x04", b"BC"
_TAIL = struct.Struct("<2I")
_GZIP = b"\x1f\x8b"
_ALWAYS_UNPACKED = 64 << 20
"""Bytes that any compressed file may unpack to."""
_MOST_UNPACKED = 200
"""The largest ratio of unpacked to packed bytes for a larger file. Samples reach 5 to 30, billions of blanks 1,000."""


def stored_path(path: Path) -> Path:
    """Return the path of a file of lines, or of the compressed file that took its place.

    If both exist, a process was killed after it wrote one and before it removed the other. Both are whole then.
    """
    twin = packed_name(path)
    return twin if not path.exists() and twin.exists() else path


def packed_name(path: Path) -> Path:
    """Return the path of the compressed file that takes the place of a file."""
    return path.parent / f"{path.name}.gz"


def read_blocks(file: IO[bytes]) -> Iterator[bytes]:
    """Yield the content of a file as compressed blocks."""
    while piece := file.read(_PIECE):
        yield _block(piece)
    yield _block(b"")  # BGZF ends with an empty block, so that readers notice a file that was cut


def open_lines(path: str | os.PathLike[str]) -> io.BufferedReader:
    """Open a regular file that may be compressed, also under the name that it had before, to read what was compressed.

    Raises OSError, as open_regular does, and InputError where it unpacks to far more than rows ever do.
    """
    file = open_regular(stored_path(Path(path)))
    begin = file.read(_HEAD.size)
    file.seek(0)
    if begin[:2] != _GZIP:
        return file
    is_blocks = begin[:4] == _MAGIC and begin[12:14] == _FIELD
    try:
        return io.BufferedReader((_Blocks if is_blocks else _Whole)(file, os.fspath(path)), _PIECE)
    except BaseException:
        file.close()
        raise


def shipped_rows(suite: str, file: str) -> Iterator[dict[str, Any]]:
    """Yield the rows of a set in a package, `herobench.suites.NAME`, which `packed_rows` wrote."""
    content = data_of(suite).joinpath(file).read_bytes()
    return map(json.loads, lzma.decompress(content).decode("utf-8").splitlines())


def packed_rows(rows: Iterable[Mapping[str, Any]]) -> bytes:
    """Return rows as the file of a shipped set."""
    lines = (json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in rows)
    return lzma.compress("".join(f"{line}\n" for line in lines).encode(), preset=9)


def is_sound(size: int, content_size: int) -> bool:
    """Return whether a compressed file of a size may unpack to a number of bytes."""
    return content_size <= max(_ALWAYS_UNPACKED, _MOST_UNPACKED * size)


def can_be_entered(file: io.BufferedReader) -> bool:
    """Return whether a file that `open_lines` opened can be read from its middle without the part before it."""
    return not isinstance(file.raw, _Whole)


def _damage(why: object) -> OSError:
    return OSError(errno.EIO, f"not a whole gzip file: {why}")


def _refuse_bomb(name: str, size: int, content_size: int) -> None:
    if not is_sound(size, content_size):
        limit = f"a file that unpacks to at most {_MOST_UNPACKED} times its size"
        raise InputError([Problem(name, "", limit, advice="unpack it first if you trust it")])


def _block(piece: bytes) -> bytes:
    packer = zlib.compressobj(_LEVEL, wbits=-zlib.MAX_WBITS)
    data = packer.compress(piece) + packer.flush()
    length = _HEAD.size + len(data) + _TAIL.size
    head = _HEAD.pack(_MAGIC, 0, 0, 255, 6, _FIELD, 2, length - 1)
    return head + data + _TAIL.pack(zlib.crc32(piece), len(piece))


class _Unpacked(io.RawIOBase):
    """The content of a compressed file, to read and to seek in."""

    def __init__(self, file: io.BufferedReader, name: str) -> None:
        self._file, self._name = file, name

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def close(self) -> None:
        self._file.close()
        super().close()


class _Whole(_Unpacked):
    """The content of any other gzip file. To go back in it, it is read again from its start."""

    def __init__(self, file: io.BufferedReader, name: str) -> None:
        super().__init__(file, name)
        self._content = gzip.GzipFile(fileobj=file)

    def seek(self, offset: int, whence: int = os.SEEK_SET, /) -> int:
        return self._content.seek(offset, whence)

    def readinto(self, buffer: Any) -> int:
        view = memoryview(buffer)
        try:
            piece = self._content.read1(len(view))  # lines before the damage are told before it
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise _damage(error) from error
        _refuse_bomb(self._name, self._file.tell(), self._content.tell())
        view[: len(piece)] = piece
        return len(piece)


class _Blocks(_Unpacked):
    """The content of a BGZF file, which can be entered anywhere. Places are positions in the content."""

    def __init__(self, file: io.BufferedReader, name: str) -> None:
        super().__init__(file, name)
        self._starts, self._places = _read_index(file)
        _refuse_bomb(name, os.fstat(file.fileno()).st_size, self._places[-1])
        self._place = 0
        self._held = -1, b""
        """The number of the last block that was read, and its content."""

    def seek(self, offset: int, whence: int = os.SEEK_SET, /) -> int:
        self._place = offset + (0, self._place, self._places[-1])[whence]
        return self._place

    def readinto(self, buffer: Any) -> int:
        view = memoryview(buffer)
        number = bisect_right(self._places, self._place) - 1
        if number == len(self._starts):
            return 0
        if self._held[0] != number:
            self._held = number, self._block(number)
        begin = self._place - self._places[number]
        piece = self._held[1][begin : begin + len(view)]
        view[: len(piece)] = piece
        self._place += len(piece)
        return len(piece)

    def _block(self, number: int) -> bytes:
        self._file.seek(self._starts[number])
        length = _HEAD.unpack(self._file.read(_HEAD.size))[-1] + 1
        rest = self._file.read(length - _HEAD.size)
        try:
            # the limit keeps a hostile block from filling the memory
            content = zlib.decompressobj(-zlib.MAX_WBITS).decompress(rest[: -_TAIL.size], _MOST_IN_BLOCK)
        except zlib.error as error:
            raise _damage(error) from error
        if _TAIL.unpack(rest[-_TAIL.size :]) != (zlib.crc32(content), len(content)):
            raise _damage("a block has another checksum than was written")
        return content


_INDEXES: dict[tuple[int, ...], tuple[array[int], array[int]]] = {}
"""Indexes of files, by device, inode, size and time: a large file is opened once for each of its chunks."""
_MOST_INDEXES = 16


def _read_index(file: io.BufferedReader) -> tuple[array[int], array[int]]:
    """Return where the blocks begin in the file, and where in the content. The last place is where the content ends."""
    status = os.fstat(file.fileno())
    stamp = status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns
    if stamp not in _INDEXES:
        if len(_INDEXES) == _MOST_INDEXES:
            _INDEXES.clear()
        _INDEXES[stamp] = _walk(file, status.st_size)
    return _INDEXES[stamp]


def _walk(file: io.BufferedReader, size: int) -> tuple[array[int], array[int]]:
    starts, places = array("Q"), array("Q", [0])
    at = 0
    while at < size:
        file.seek(at)
        head = file.read(_HEAD.size)
        if len(head) < _HEAD.size or head[:4] != _MAGIC or head[12:14] != _FIELD:
            raise _damage(f"no block begins at byte {at}")
        length = _HEAD.unpack(head)[-1] + 1
        if length < _HEAD.size + _TAIL.size:
            raise _damage(f"the block at byte {at} is shorter than its own header")
        file.seek(at + length - 4)
        starts.append(at)
        places.append(places[-1] + int.from_bytes(file.read(4), "little"))
        at += length
    if at > size or places[-1] != places[-2]:
        raise _damage("its end is missing")
    return starts, places
