"""The blocks of a page: what each sample and each task has, kept until the index is known, then put where it belongs.

Blocks of a small page stand in the page itself, so that it is one file. Those of a large page stand in files beside it,
which the browser loads when a sample of theirs is opened: a page of hundreds of megabytes would have to be read as a
whole first. A page that was opened from disk may not fetch, but it may load scripts, so these files are scripts.
"""

from __future__ import annotations

import base64
import hashlib
import json
import shutil
import zlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryFile
from types import TracebackType
from typing import Any, Literal, get_args

from herobench.data.errors import InputError, Problem

dumped = json.JSONEncoder(ensure_ascii=True, check_circular=False, allow_nan=False, separators=(",", ":")).encode
"""Returns a value as JSON in ASCII. To look for circles, which end in a RecursionError, takes a quarter of the time."""


def as_json(value: Any) -> str:
    """Return a value as JSON that can stand in a script element."""
    text = dumped(value)
    for letter in "<>&":  # `str.translate` takes fifty times as long
        text = text.replace(letter, f"\\u{ord(letter):04x}")
    return text


def packed(value: Any) -> str:
    """Return a value as JSON, deflated and in base64, for the browser's DecompressionStream("deflate")."""
    return deflated(dumped(value))


def deflated(text: str) -> str:
    """Return the text of a JSON value likewise."""
    return base64.b64encode(zlib.compress(text.encode("ascii"), 6)).decode("ascii")


def element(name: str, text: str) -> str:
    """Return the element that holds a packed value under a name."""
    return f'<script type="application/octet-stream" id="{name}">{text}</script>\n'


def source_hash(text: str) -> str:
    """Return the name by which a Content-Security-Policy allows one inline script or style, and no other."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode('utf-8')).digest()).decode('ascii')}'"


Kind = Literal["sample", "given", "pieces"]

MOST_IN_A_PAGE = 32 << 20
"""The most bytes of blocks that stand in the page itself."""
_BYTES_A_FILE = 1 << 20
_FILE = "blocks-{:04d}.js"


def block_folder(page: Path) -> Path:
    """Return the folder beside a page for the files of its blocks."""
    return page.with_name(f"{page.stem}_files")


class Blocks:
    """Blocks in a temporary file, one a line, in the order in which they were added."""

    def __init__(self, folder: Path) -> None:
        """Make the temporary file in a folder, on whose disk there has to be room for the page anyway."""
        self._file = TemporaryFile("w+", encoding="ascii", newline="\n", dir=folder)  # noqa: SIM115 - __exit__ closes it
        self._size = 0
        self.count: Counter[str] = Counter()
        """The blocks of each kind so far."""

    def __enter__(self) -> Blocks:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    @property
    def size(self) -> int:
        """The number of bytes of all blocks."""
        return self._size

    def add(self, kind: Kind, number: int, text: str) -> None:
        """Add a packed block; the numbers of each kind rise."""
        self._size += len(text)
        self.count[kind] += 1
        self._file.write(f"{kind} {number} {text}\n")

    def elements(self) -> Iterator[str]:
        """Yield the element of each block, for a page that holds them."""
        for kind, number, text in self._all():
            yield element(f"{kind}{number}", text)

    def write_files(self, folder: Path) -> dict[str, Any]:
        """Write the blocks into files of a new folder. Return for the index which file begins with which block."""
        folder.mkdir()
        starts: dict[str, list[int]] = {kind: [] for kind in get_args(Kind)}
        count = dict.fromkeys(starts, 0)
        for number, blocks in enumerate(self._by_file()):
            for kind, first in count.items():
                starts[kind].append(first)
            for kind, _, _ in blocks:
                count[kind] += 1
            held = {f"{kind}{at}": text for kind, at, text in blocks}
            text = f"herobenchBlocks({number}, {json.dumps(held, separators=(',', ':'))});\n"
            (folder / _FILE.format(number)).write_text(text, "ascii")
        return starts

    def _by_file(self) -> Iterator[list[tuple[str, str, str]]]:
        blocks: list[tuple[str, str, str]] = []
        size = 0
        for block in self._all():
            if blocks and size + len(block[2]) > _BYTES_A_FILE:
                yield blocks
                blocks, size = [], 0
            blocks.append(block)
            size += len(block[2])
        if blocks:
            yield blocks

    def _all(self) -> Iterator[tuple[str, str, str]]:
        self._file.seek(0)
        for line in self._file:
            kind, number, text = line.rstrip("\n").split(" ")
            yield kind, number, text


def refuse_foreign(folder: Path) -> None:
    """Raise InputError if the folder for the blocks has anything else in it, because it will be replaced."""
    if not folder.exists() and not folder.is_symlink():
        return
    ours = folder.is_dir() and not folder.is_symlink()
    if not ours or not all(path.is_file() and path.match("blocks-*.js") for path in folder.iterdir()):
        expected = "a folder with nothing but the files of a page, which a new page replaces"
        raise InputError([Problem(str(folder), "", expected, advice="name another file for the page")])


def remove(folder: Path) -> None:
    """Remove a folder of files that is not wanted any more."""
    shutil.rmtree(folder, ignore_errors=True)
