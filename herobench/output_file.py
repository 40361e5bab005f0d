"""Writes files so that each appears at once and whole, and so that no link leads the writing elsewhere.

A folder may come from somebody else. A file there that is a link is replaced, and what it leads to stays as it is.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO

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
