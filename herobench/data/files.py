"""Open files of others to read, compressed ones like any others, and write files in one way that follows no link.

A complete run compresses its large files: samples.jsonl.gz has the same lines as the samples.jsonl that it replaces.
The format is BGZF: gzip in blocks of at most 64 KiB, each with its length. Every tool that reads gzip reads it. Readers
can seek in it, so several processes can share a large file, and a single line is read without the lines before it. Any
other gzip file is read too, but only from its start.
"""

from __future__ import annotations

import errno
import gzip
import hashlib
import io
import os
import secrets
import stat
import struct
import sys
import zlib
from array import array
from bisect import bisect_right
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, BinaryIO, TextIO, cast

from herobench.data.errors import InputError, Problem

STANDARD_INPUT = "-"
LONGEST_LINE = 64 << 20
"""The most bytes of one line."""
LARGEST_DOCUMENT = 256 << 20
"""The most bytes of a file that is read as a whole."""
MOST_BLANK = 1 << 20
"""The number of bytes by which blank lines may exceed rows. A file may have a blank line after each row."""
_MEBIBYTE = 1 << 20
_KINDS = {
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


class NotRegular(OSError):
    """Raised when a path names something else than a regular file."""

    def __init__(self, path: str, kind: str) -> None:
        super().__init__(errno.EINVAL, f"{kind} is not a regular file", path)
        self.kind = kind


class DocumentTooLarge(OSError):
    """Raised when a document is too large."""

    def __init__(self, path: str) -> None:
        super().__init__(errno.EFBIG, f"more than {LARGEST_DOCUMENT // _MEBIBYTE} MiB", path)


def is_standard_input(path: str | os.PathLike[str]) -> bool:
    """Say whether a path stands for standard input."""
    return os.fspath(path) == STANDARD_INPUT


@contextmanager
def open_input(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Open a regular file, or standard input for `-`. Raises OSError, NotRegular included."""
    if is_standard_input(path):
        if sys.stdin is None:
            raise OSError(errno.EBADF, "standard input is closed", STANDARD_INPUT)
        yield cast("BinaryIO", sys.stdin.buffer)
        return
    with open_regular(path) as file:
        yield file


def real_path(path: str | os.PathLike[str]) -> Path:
    """Return the whole path without links. One that is a link to itself stays as it is: whoever opens it is told."""
    return Path(os.path.realpath(path))


def open_regular(path: str | os.PathLike[str]) -> io.BufferedReader:
    """Open a regular file. Raises OSError, NotRegular included."""
    name = os.fspath(path)
    # Opened first and examined afterwards: between a check and the open, another program could swap the file.
    try:
        # O_NONBLOCK, because to open a FIFO without a writer would block for ever.
        descriptor = os.open(name, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    except ValueError as error:  # a zero byte or half a surrogate pair, which JSON allows but no path
        raise OSError(errno.EINVAL, "no file can have this name", name) from error
    except OSError as error:
        if error.errno == errno.ENXIO:  # a socket, or a device that is missing
            raise NotRegular(name, "a socket or a device") from error
        raise
    try:
        mode = os.fstat(descriptor).st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), name)
        if not stat.S_ISREG(mode):
            raise NotRegular(name, _KINDS.get(stat.S_IFMT(mode), "this"))
        return os.fdopen(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise


def bounded_lines(file: IO[bytes], name: str, before: int = 0) -> Iterator[bytes]:
    """Yield the lines of a file, from where it is. Raises InputError at a line longer than LONGEST_LINE.

    Raises InputError too if nearly all lines are blank: two megabytes can unpack to billions of them. The errors count
    the lines from `before`.
    """
    number, blank = before, 0
    while line := file.readline(LONGEST_LINE + 1):
        number += 1
        if len(line) > LONGEST_LINE:
            limit = f"a line of at most {LONGEST_LINE // _MEBIBYTE} MiB"
            raise InputError([Problem(f"{name}:{number}", "", limit, advice="is this a file of lines?")])
        blank += len(line) if line.isspace() else -len(line)
        if blank > MOST_BLANK:
            raise InputError([Problem(f"{name}:{number}", "", "rows, but nearly all lines before it are blank")])
        yield line


def read_bytes(path: str | os.PathLike[str]) -> bytes:
    """Read a whole file. Raises OSError, NotRegular and TooLarge included."""
    with open_input(path) as file:
        if os.fstat(file.fileno()).st_size > LARGEST_DOCUMENT:
            raise DocumentTooLarge(os.fspath(path))
        content = bytearray()  # counted while it is read, since a pipe has no size and a file may grow
        while part := file.read(_MEBIBYTE):
            content += part
            if len(content) > LARGEST_DOCUMENT:
                raise DocumentTooLarge(os.fspath(path))
    return bytes(content)


def file_sha256(path: str | os.PathLike[str]) -> str:
    """Return the SHA-256 of a regular file. Raises OSError."""
    with open_regular(path) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def unreadable(name: str | os.PathLike[str], error: OSError, *, piped: bool = False) -> Problem:
    """Return the problem of a file that cannot be read. `piped` says whether the caller also accepts standard input."""
    name = os.fspath(name)
    if isinstance(error, NotRegular):
        instead = "pipe the data in and name it -" if piped else "write the data to a file first"
        return Problem(name, "", f"a regular file, not {error.kind}", advice=instead)
    if isinstance(error, DocumentTooLarge):
        return Problem(name, "", f"at most {LARGEST_DOCUMENT // _MEBIBYTE} MiB")
    return Problem(name, "", f"a readable file ({error.strerror or error})")


_NAMES = 10**9


@contextmanager
def replacing(path: Path, *, durable: bool = False) -> Iterator[TextIO]:
    """Give a file to write, which takes the place of the one at a path when the context ends without an exception.

    With `durable`, its content is on the disk by then. Half a surrogate pair, which UTF-8 cannot say, is escaped. Raise
    OSError when it cannot be written.
    """
    # in the same folder: a rename works within one disk only
    part = path.with_name(f"{path.name}.part{secrets.randbelow(_NAMES)}")
    try:
        # "x" fails at a link, which a guessed name could be
        with part.open("x", encoding="utf-8", errors="backslashreplace", newline="\n") as file:
            yield file
            if durable:
                file.flush()
                os.fsync(file.fileno())
        part.replace(path)
    finally:  # the part is left over if its content cannot be made or written
        with suppress(OSError):
            part.unlink(missing_ok=True)


def write_text(path: Path, text: str) -> None:
    """Write a whole file. Raise OSError when it cannot be written."""
    with replacing(path) as file:
        file.write(text)


# -- compressed files of lines ----------------------------------------------------------------------------------------


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


def is_sound(size: int, content_size: int) -> bool:
    """Return whether a compressed file of a size may unpack to a number of bytes."""
    return content_size <= max(_ALWAYS_UNPACKED, _MOST_UNPACKED * size)


def can_be_entered(file: io.BufferedReader) -> bool:
    """Return whether a file that `open_lines` opened can be read from its middle without the part before it."""
    return not isinstance(file.raw, _Whole)


def enter_line(file: IO[bytes], start: int) -> int:
    """Move to the first line that begins at a byte or after it, and return where that is."""
    if not start:
        return 0
    file.seek(start - 1)
    while (piece := file.readline(_PIECE)) and not piece.endswith(b"\n"):  # a line can be too long to be held
        pass
    return file.tell()


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
