"""Reads and writes the files of jobs on a cluster, on this machine or at a URL.

A name with `://` in it is a URL and needs the library fsspec, and for some stores one more, such as s3fs. A written
file appears only when it is complete, so that a reader never sees a part of it.
"""

from __future__ import annotations

import io
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any
from uuid import uuid4

from herobench.data.compressed import open_lines
from herobench.data.errors import HeroBenchError, UsageError
from herobench.data.files import open_regular

ROWS = (".jsonl", ".parquet")
"""The endings of names by which files of rows in a folder are known."""
_BLOCK = 1 << 20
_AT_ONCE = frozenset({"s3", "s3a", "gs", "gcs", "az", "abfs", "abfss", "adl", "oss", "memory"})
"""Stores in which an uploaded object appears whole or not at all. In others, a complete file is renamed."""


class Unreachable(HeroBenchError):
    """Raised when a file cannot be read or written now. A worker on another machine may succeed."""


def is_url(name: str) -> bool:
    """Return whether a name is a URL."""
    return "://" in name


@contextmanager
def opened(name: str) -> Iterator[IO[bytes]]:
    """Open a seekable file for reading. Raise Unreachable if that fails."""
    with explained(name, "read"):
        if not is_url(name):
            with open_lines(name) as file:
                yield file
            return
        system, path = _system(name)
        with system.open(path, "rb", block_size=_BLOCK) as raw, io.BufferedReader(raw, _BLOCK) as file:
            yield file


@contextmanager
def local_copy(name: str) -> Iterator[Path]:
    """Yield the path of a file on this machine: the file itself, or a copy of a file at a URL."""
    if not is_url(name):
        yield Path(name)
        return
    with opened(name) as content, tempfile.TemporaryDirectory(prefix="herobench-") as folder:
        path = Path(folder, name.rpartition("/")[2])
        path.write_bytes(content.read())
        yield path


def list_files(name: str) -> list[str]:
    """Return the files that a name stands for, in order: one, those of a glob, or the files of rows in a folder."""
    with explained(name, "read"):
        found = _files_at(name) if is_url(name) else _files_here(name)
    if not found:
        raise UsageError(f"{name} names no file: give a file, a glob, or a folder with files that end in .jsonl.")
    return found


def _files_here(name: str) -> list[str]:
    path = Path(name)
    if path.is_dir():
        return sorted(str(file) for file in path.iterdir() if _has_rows(file.name) and file.is_file())
    if not path.exists() and any(sign in name for sign in "*?["):
        place = Path(path.anchor) if path.is_absolute() else Path()
        pattern = str(path.relative_to(path.anchor)) if path.is_absolute() else name
        return sorted(str(file) for file in place.glob(pattern) if file.is_file())
    open_regular(name).close()  # a misspelt name fails here, not on each worker
    return [name]


def _files_at(name: str) -> list[str]:
    system, path = _system(name)
    if any(sign in path for sign in "*?["):
        found = system.glob(path)
    elif system.isdir(path):
        entries = system.ls(path, detail=True)
        found = [entry["name"] for entry in entries if entry["type"] == "file" and _has_rows(entry["name"])]
    else:
        return [name]
    return sorted(system.unstrip_protocol(each) for each in found)


def _has_rows(name: str) -> bool:
    return name.endswith(ROWS) and not name.rpartition("/")[2].startswith(".")


class StoreFolder:
    """A folder whose files appear only when they are complete. It is created with the first file."""

    def __init__(self, name: str) -> None:
        self.name = name.rstrip("/")

    def locate(self, file: str) -> str:
        """Return the full name of one of its files, for `opened`."""
        return f"{self.name}/{file}"

    def sizes(self) -> dict[str, int]:
        """Return the sizes of its files by their names; nothing if there is no such folder."""
        with explained(self.name, "read"):
            if not is_url(self.name):
                here = Path(self.name)
                return {file.name: file.stat().st_size for file in here.iterdir()} if here.is_dir() else {}
            system, path = _system(self.name)
            system.invalidate_cache()
            with suppress(FileNotFoundError):
                entries = system.ls(path, detail=True)
                return {each["name"].rpartition("/")[2]: each["size"] for each in entries if each["type"] == "file"}
            return {}

    def read(self, file: str) -> bytes:
        """Return the content of a file."""
        with opened(self.locate(file)) as content:
            return content.read()

    def tidy(self) -> None:
        """Remove the partial files of killed writers. Nobody may write to the folder meanwhile."""
        if not is_url(self.name):
            here = Path(self.name)
            for part in (*here.glob(".part-*"), *here.glob(".manifest.json.*")):
                with suppress(OSError):
                    part.unlink()

    @contextmanager
    def writing(self, file: str) -> Iterator[IO[bytes]]:
        """Write a file. It appears when the context ends without an exception."""
        if is_url(self.name):
            yield from self._put(file)
            return
        target = Path(self.name, file)
        part = target.with_name(f".{file}.{uuid4().hex[:8]}")  # in the same folder: a rename works within one disk
        with explained(str(target), "written"):
            target.parent.mkdir(parents=True, exist_ok=True)
            try:
                with part.open("wb") as content:
                    yield content
                part.replace(target)
            finally:
                with suppress(OSError):
                    part.unlink(missing_ok=True)

    def _put(self, file: str) -> Iterator[IO[bytes]]:
        """Write a local file first, since an interrupted upload must leave nothing behind."""
        with tempfile.NamedTemporaryFile(prefix="herobench-") as content:
            yield content
            content.flush()
            with explained(self.locate(file), "written"):
                system, path = _system(self.locate(file))
                if _protocol(self.name) in _AT_ONCE:
                    system.put_file(content.name, path)
                    return
                system.makedirs(path.rpartition("/")[0], exist_ok=True)
                part = f"{path}.{uuid4().hex[:8]}"
                system.put_file(content.name, part)
                system.mv(part, path)


def _protocol(name: str) -> str:
    return name.partition("://")[0]


def _system(name: str) -> tuple[Any, str]:
    """Return the file system of a URL and the path in it. Raise UsageError if no library here can read it."""
    try:
        import fsspec
    except ImportError as error:
        raise UsageError("A URL needs the library fsspec: pip install 'herobench[ray]'.") from error
    try:
        system, path = fsspec.core.url_to_fs(name)
    except (ImportError, ValueError) as error:
        raise UsageError(f"{name} cannot be opened: {error}") from error
    return system, path


@contextmanager
def explained(name: str, done: str) -> Iterator[None]:
    """Turn the exception of a store into Unreachable: `name` cannot be `done` (read or written)."""
    try:
        yield
    except HeroBenchError:
        raise
    except OSError as error:
        reason = error.strerror or str(error) or type(error).__name__
        raise Unreachable(f"{name} cannot be {done} by {_where()}: {reason}.") from error
    except Exception as error:
        # Libraries of object stores raise their own exceptions for missing keys and unreachable servers.
        if not is_url(name):
            raise
        raise Unreachable(f"{name} cannot be {done} by {_where()}: {error}") from error


def _where() -> str:
    """Return the name of this machine, since a file may exist on one machine and be missing on another."""
    return os.uname().nodename
