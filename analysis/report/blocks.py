"""The blocks of a page: what each sample and each task has, kept until the index is known, then put where it belongs.

What many blocks share is stored once: lines of long texts, rows of long lists, values of objects. The prompts of a run
have most of their words in common, plans repeat themselves, and samples have the same columns. A block has numbers in
place of these pieces, and the page puts them together again (`page/pieces.js`). A list of numbers is written as the
first one and the differences, which compress better.

Blocks of a small page stand in the page itself, so that it is one file. Those of a large page stand in files beside it,
which the browser loads when a sample of theirs is opened: a page of hundreds of megabytes would have to be read as a
whole first. A page that was opened from disk may not fetch, but it may load scripts, so these files are scripts.
"""

from __future__ import annotations

import base64
import json
import marshal
import shutil
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import count, repeat
from operator import sub
from pathlib import Path
from tempfile import TemporaryFile
from types import TracebackType
from typing import Any, Literal, get_args

from herobench.data.errors import InputError, Problem

dumped = json.JSONEncoder(ensure_ascii=True, check_circular=False, allow_nan=False, separators=(",", ":")).encode
"""Returns a value as JSON in ASCII. To look for circles, which end in a RecursionError, takes a quarter of the time."""


def pack(value: Any) -> str:
    """Return a value as JSON, deflated and in base64, for the browser's DecompressionStream("deflate")."""
    return deflate(dumped(value))


def deflate(text: str) -> str:
    """Return the text of a JSON value likewise."""
    return base64.b64encode(zlib.compress(text.encode("ascii"), 6)).decode("ascii")


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
            yield f'<script type="application/octet-stream" id="{kind}{number}">{text}</script>\n'

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
            contents = {f"{kind}{at}": text for kind, at, text in blocks}
            text = f"herobenchBlocks({number}, {json.dumps(contents, separators=(',', ':'))});\n"
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
        requirement = "a folder with nothing but the files of a page, which a new page replaces"
        raise InputError([Problem(str(folder), "", requirement, advice="name another file for the page")])


def remove(folder: Path) -> None:
    """Remove a folder of files that is not wanted any more."""
    shutil.rmtree(folder, ignore_errors=True)


# -- pieces -----------------------------------------------------------------------------------------------------------

NAME = "~pieces"
"""The property of a block that says which of its parts are made of pieces: for each its path, its kind and its numbers.
Parts stand behind the parts within them."""
_LONG_TEXT = 4_000
"""Characters from which a text is stored by its lines."""
_LONG_LIST = 32
"""Entries from which a list is stored by its rows."""
_MANY_NAMES = 7
"""Names from which an object is stored by its values."""
_EXACT = 1 << 31
"""The page calculates exactly with whole numbers below it."""
_AT_ONCE = 100
"""The pieces that are turned into JSON at once: one at a time takes longer."""
_WITHOUT_REFERENCES = 2
"""The version of `marshal` in which equal values have equal bytes, whatever objects they share."""
_PLAIN = frozenset({int, float, bool, type(None)})
"""Types of values that are always short."""
_A_BLOCK = 1 << 19
"""Characters of the pieces in a block of their own."""

_Place = list[str | int]


class Pieces:
    """The pieces of a page, in families of those that are alike, because these compress well together."""

    def __init__(self, blocks: Blocks) -> None:
        self._blocks = blocks
        self._families: dict[str, _Family] = {}

    def pack(self, row: dict[str, Any]) -> str:
        """Return a block, packed, whose large parts are made of pieces."""
        block = _Block(self.family)
        short = {name: block.short(part, [name]) for name, part in row.items()}
        for family in self._families.values():
            family.end_block()
        return pack({**short, NAME: block.parts} if block.parts else row)

    def family(self, name: str) -> _Family:
        """Return a family by its name."""
        if name not in self._families:
            self._families[name] = _Family(self._blocks)
        return self._families[name]

    def end(self) -> dict[str, list[list[int]]]:
        """Write what is not written yet. Return for the index where the pieces of each family are."""
        for family in self._families.values():
            family.write()
        return {name: family.places for name, family in self._families.items()}


class _Family:
    """Pieces that are alike. They are written in blocks as they come; only their hashes stay in memory."""

    def __init__(self, blocks: Blocks) -> None:
        self.places: list[list[int]] = []
        """For each block of them its number, and the number of its first piece."""
        self._blocks = blocks
        self._numbers: defaultdict[int, int] = defaultdict(count().__next__)
        """The numbers of the pieces by their hashes, in the order in which they came."""
        self._new: list[Any] = []
        """The pieces of the block that is packed now."""
        self._held: list[str] = []
        """Pieces of blocks before it that are not written yet, as JSON without brackets, some in each text."""
        self._count = 0
        """The number of these."""
        self._written = 0
        self._size = 0

    def numbers(self, pieces: Sequence[Any]) -> list[int]:
        """Return the numbers of some pieces."""
        return self._intern(pieces)

    def of_rows(self, rows: Sequence[dict[str, Any]]) -> list[int]:
        """Return the numbers of rows whose whole numbers, which stand beside them, are 0. The pieces name these.

        A family has either rows or other pieces: a row may equal one of these."""
        return self._intern(rows, _with_names)

    def _intern(self, values: Sequence[Any], make_piece: Callable[[Any], Any] | None = None) -> list[int]:
        # two pieces with one hash are as good as impossible, and their texts would take far more memory
        interned = len(self._numbers)
        interned_numbers = [*map(self._numbers.__getitem__, _hashes(values))]
        if len(self._numbers) > interned:
            for number, value in zip(interned_numbers, values, strict=True):
                if number == interned:
                    self._new.append(make_piece(value) if make_piece else value)
                    interned += 1
        return interned_numbers

    def end_block(self) -> None:
        """Turn the pieces that the last block brought into JSON. Raise TypeError or ValueError if that fails."""
        new, self._new = self._new, []
        for start in range(0, len(new), _AT_ONCE):
            some = new[start : start + _AT_ONCE]
            self._held.append(dumped(some)[1:-1])
            self._count += len(some)
            self._size += len(self._held[-1])
            if self._size >= _A_BLOCK:
                self.write()

    def write(self) -> None:
        """Write the pieces that are not in a block yet."""
        if self._held:
            number = self._blocks.count["pieces"]
            self.places.append([number, self._written])
            self._blocks.add("pieces", number, deflate(f"[{','.join(self._held)}]"))
            self._written += self._count
            self._held, self._count, self._size = [], 0, 0


class _Block:
    """Replaces the large parts of one block by pieces."""

    def __init__(self, family: Callable[[str], _Family]) -> None:
        self.parts: list[list[Any]] = []
        self._family = family
        self._texts: list[tuple[str, _Place]] = []
        """The long texts of the block, with their paths."""

    def short(self, value: Any, path: _Place) -> Any:
        """Return a value without its large parts. Null stands in their place."""
        shortened: list[Any] | None = None
        if isinstance(value, str):
            shortened = self._text(value, path) if len(value) >= _LONG_TEXT else None
        elif isinstance(value, dict):
            value = {
                name: part if type(part) in _PLAIN else self.short(part, [*path, name]) for name, part in value.items()
            }
            if len(value) >= _MANY_NAMES:
                shortened = self._of("object", path, [list(value), *value.values()])
        elif isinstance(value, list | tuple):
            shortened = self._list(value, path) if len(value) >= _LONG_LIST else None
            if shortened is None:
                value = [
                    part if type(part) in _PLAIN else self.short(part, [*path, number])
                    for number, part in enumerate(value)
                ]
        if shortened is None:
            return value
        self.parts.append([path, *shortened])
        return None

    def _text(self, text: str, path: _Place) -> list[Any]:
        for other, place in self._texts:
            # a plan stands in the reply that it was taken from
            if (start := other.find(text)) >= 0:
                begin = _length(other[:start])
                return ["slice", [begin, begin + _length(text)], place]
        self._texts.append((text, path))
        return self._of("lines", ["lines"], text.split("\n"))

    def _list(self, rows: Sequence[Any], path: _Place) -> list[Any] | None:
        """Return what a long list is made of; None for one of values of other kinds."""
        kinds = set(map(type, rows))
        if kinds == {dict}:
            return self._rows(rows, path)
        if kinds <= {list, tuple}:
            return self._of("list", path, rows)
        return ["numbers", _steps(list(rows))] if all(map(_is_whole, rows)) else None

    def _rows(self, rows: Sequence[dict[str, Any]], path: _Place) -> list[Any]:
        """Split a list of objects into pieces and numbers: objects that differ only in whole numbers, such as the line
        of an event, share one piece."""
        pieces: list[dict[str, Any]] = []
        columns: defaultdict[str, list[int]] = defaultdict(list)
        for row in rows:
            piece = row
            for key, value in row.items():
                if type(value) is int and -_EXACT < value < _EXACT:
                    if piece is row:
                        piece = row.copy()
                    columns[key].append(value)
                    piece[key] = 0  # it is not shown, but it keeps the place of the name
            pieces.append(piece)
        name = f"{_last_name(path)} rows"
        numbers = self._family(name).of_rows(pieces)
        return ["rows", _steps(numbers), name, {key: _steps(values) for key, values in columns.items()}]

    def _of(self, kind: str, path: _Place, pieces: Sequence[Any]) -> list[Any]:
        name = _last_name(path)
        return [kind, _steps(self._family(name).numbers(pieces)), name]


def _last_name(path: _Place) -> str:
    """Return the last name in a path, under which values are alike."""
    return next(str(name) for name in reversed(path) if isinstance(name, str))


def _hashes(values: Sequence[Any]) -> list[int]:
    """Return for each value a number that only equal values of equal types have in common."""
    kinds = set(map(type, values))
    if kinds == {str}:
        return [*map(hash, values)]
    try:  # twice as fast as `repr`
        if str not in kinds:
            return [*map(hash, map(marshal.dumps, values, repeat(_WITHOUT_REFERENCES)))]
        return [hash(value if type(value) is str else marshal.dumps(value, _WITHOUT_REFERENCES)) for value in values]
    except ValueError:  # one is of a type that is derived from a plain one, such as a named tuple
        return [hash(value if type(value) is str else repr((value,))) for value in values]


def content_hash(value: Any) -> int:
    """Return a number that only equal values of equal types have in common."""
    return _hashes([value])[0]


def _with_names(row: dict[str, Any]) -> list[Any]:
    return [row, [key for key, value in row.items() if _is_whole(value)]]


def _is_whole(value: Any) -> bool:
    return type(value) is int and -_EXACT < value < _EXACT


def _length(text: str) -> int:
    """Return the length of a text as the page counts it."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _steps(numbers: list[int]) -> list[int]:
    """Return the first number, and the steps to each other."""
    return [*numbers[:1], *map(sub, numbers[1:], numbers)]
