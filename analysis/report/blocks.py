"""The blocks of a page: what each sample and each task has, kept until the index is known, then put where it belongs.

A block holds rows of one kind, one after the other, up to a size. Neighbours have most of their words in common, so
together they compress to a part of what each takes alone. The index says with which row each block begins.

Blocks of a small page stand in the page itself, so that it is one file. Those of a large page stand in files beside it,
which the browser loads when a sample of theirs is opened: a page of hundreds of megabytes would have to be read as a
whole first. A page that was opened from disk may not fetch, but it may load scripts, so these files are scripts.
"""

from __future__ import annotations

import base64
import json
import shutil
import zlib
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryFile
from types import TracebackType
from typing import Literal, get_args

from herobench.data.errors import InputError, Problem

dumped = json.JSONEncoder(ensure_ascii=True, check_circular=False, allow_nan=False, separators=(",", ":")).encode
"""Returns a value as JSON in ASCII. To look for circles, which end in a RecursionError, takes a quarter of the time."""


def deflate(text: str) -> str:
    """Return the text of a JSON value, deflated and in base64, for the browser's DecompressionStream("deflate")."""
    return base64.b64encode(zlib.compress(text.encode("ascii"), 6)).decode("ascii")


Kind = Literal["sample", "given"]
MOST_IN_A_PAGE = 32 << 20
"""The most bytes of blocks that stand in the page itself."""
_A_BLOCK = 1 << 20
"""The characters of rows from which on a block is full."""
_FILE = "blocks-{:04d}.js"


def block_folder(page: Path) -> Path:
    """Return the folder beside a page for the files of its blocks."""
    return page.with_name(f"{page.stem}_files")


class Blocks:
    """Blocks in a temporary file, one a line, in the order in which they became full."""

    def __init__(self, folder: Path) -> None:
        """Make the temporary file in a folder, on whose disk there has to be room for the page anyway."""
        self._file = TemporaryFile("w+", encoding="ascii", newline="\n", dir=folder)  # noqa: SIM115 - __exit__ closes it
        self.size = 0
        """The number of bytes of the blocks."""
        self.places: dict[Kind, list[tuple[int, int]]] = {kind: [] for kind in get_args(Kind)}
        """For each kind, the number of the first row of each of its blocks, and the number of the block."""
        self._count = 0
        self._rows: dict[Kind, list[str]] = {kind: [] for kind in self.places}
        """The rows of each kind that are in no block yet."""
        self._written = dict.fromkeys(self.places, 0)
        """The number of the others."""

    def __enter__(self) -> Blocks:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def add(self, kind: Kind, row: str) -> None:
        """Add the next row of a kind, as JSON."""
        self._rows[kind].append(row)
        if sum(map(len, self._rows[kind])) >= _A_BLOCK:
            self._write(kind)

    def end(self) -> None:
        """Write the rows that are in no block yet."""
        for kind, rows in self._rows.items():
            if rows:
                self._write(kind)

    def _write(self, kind: Kind) -> None:
        rows, self._rows[kind] = self._rows[kind], []
        text = deflate(f"[{','.join(rows)}]")
        self._file.write(f"{text}\n")
        self.size += len(text)
        self.places[kind].append((self._written[kind], self._count))
        self._written[kind] += len(rows)
        self._count += 1

    def elements(self) -> Iterator[str]:
        """Yield the element of each block, for a page that holds them."""
        for number, text in self._all():
            yield f'<script type="application/octet-stream" id="block{number}">{text}</script>\n'

    def write_files(self, folder: Path) -> None:
        """Write each block into a file of a new folder."""
        folder.mkdir()
        for number, text in self._all():
            (folder / _FILE.format(number)).write_text(f'herobenchBlock({number}, "{text}");\n', "ascii")

    def _all(self) -> Iterator[tuple[int, str]]:
        self._file.seek(0)
        for number, line in enumerate(self._file):
            yield number, line.rstrip("\n")


def refuse_foreign(folder: Path) -> None:
    """Raise InputError if the folder for the blocks has anything else in it, because it will be replaced."""
    if not folder.exists() and not folder.is_symlink():
        return
    ours = folder.is_dir() and not folder.is_symlink()
    if not ours or not all(path.is_file() and path.match("blocks-*.js") for path in folder.iterdir()):
        requirement = "a folder with nothing but the files of a page, which a new page replaces"
        raise InputError([Problem(str(folder), "", requirement, advice="name another file for the page")])


def remove(folder: Path) -> None:
    """Remove a folder of files that is not wanted any more."""
    shutil.rmtree(folder, ignore_errors=True)
