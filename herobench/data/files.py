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
import sys
import zlib
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


_LEVEL = 3
"""The level of zlib. Its usual level, 6, takes twice the time and makes files a sixth smaller. It also makes some rows
so small that readers refuse them; see `_MOST_UNPACKED`."""
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


def compressed(file: IO[bytes]) -> Iterator[bytes]:
    """Yield the content of a file as gzip has it."""
    packer = zlib.compressobj(_LEVEL, wbits=zlib.MAX_WBITS | 16)
    while piece := file.read(_MEBIBYTE):
        yield packer.compress(piece)
    yield packer.flush()


def open_lines(path: str | os.PathLike[str]) -> io.BufferedReader:
    """Open a regular file that may be compressed, also under the name that it had before, to read what was compressed.

    Raises OSError, as open_regular does, and InputError where it unpacks to far more than rows ever do.
    """
    file = open_regular(stored_path(Path(path)))
    begin = file.read(len(_GZIP))
    file.seek(0)
    return io.BufferedReader(_Unpacked(file, os.fspath(path)), _MEBIBYTE) if begin == _GZIP else file


def is_compressed(file: io.BufferedReader) -> bool:
    """Return whether a file that `open_lines` opened is compressed: to go back in it, it is read again."""
    return isinstance(file.raw, _Unpacked)


class _Unpacked(io.RawIOBase):
    """The content of a compressed file, to read and to seek in."""

    def __init__(self, file: io.BufferedReader, name: str) -> None:
        self._file, self._name = file, name
        self._content = gzip.GzipFile(fileobj=file)

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def close(self) -> None:
        self._file.close()
        super().close()

    def seek(self, offset: int, whence: int = os.SEEK_SET, /) -> int:
        return self._content.seek(offset, whence)

    def readinto(self, buffer: Any) -> int:
        view = memoryview(buffer)
        try:
            piece = self._content.read1(len(view))  # lines before the damage are told before it
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise OSError(errno.EIO, f"not a whole gzip file: {error}") from error
        if self._content.tell() > max(_ALWAYS_UNPACKED, _MOST_UNPACKED * self._file.tell()):
            limit = f"a file that unpacks to at most {_MOST_UNPACKED} times its size"
            raise InputError([Problem(self._name, "", limit, advice="unpack it first if you trust it")])
        view[: len(piece)] = piece
        return len(piece)
