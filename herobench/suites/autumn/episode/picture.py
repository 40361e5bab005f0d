"""Grids as pictures, for models that see: PNG with a palette, written with the standard library.

Cells are squares with a dark line between them. Hidden cells are striped.
"""

from __future__ import annotations

import json
import zlib
from base64 import b64encode
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from struct import pack

from herobench.suites.autumn.episode.phase import HIDDEN, Grid
from herobench.suites.autumn.language.drawing import HEX

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
_MORE = 0x100
"""Further colours get letters from here on."""
MASKED = "#"


def as_json(grid: Grid, *, ascii: bool = False) -> str:
    """Return a grid as a list of rows of colour names."""
    return f"[{', '.join([_row_as_json(tuple(row), ascii) for row in grid])}]"


@lru_cache(maxsize=4096)
def _row_as_json(row: tuple[str, ...], ascii: bool) -> str:
    """Return a row as a list of colour names. Most rows of a grid look as in the grid before."""
    return json.dumps(row, ensure_ascii=ascii)


class DrawnRows(dict[tuple[str, ...], str]):
    """Rows of grids as text, by the characters of their colours. Most rows look as in the grid before."""

    def __init__(self, characters: dict[str, str]) -> None:
        super().__init__()
        self._characters = characters

    def of(self, grid: Grid) -> list[str]:
        """Return the rows of a grid."""
        return [*map(self.__getitem__, map(tuple, grid))]

    def __missing__(self, row: tuple[str, ...]) -> str:
        text = self[row] = "".join(map(self._characters.__getitem__, row))
        return text


class Letters(dict[str, str]):
    """The characters of colours in one episode. The most frequent colour of the first frame is a dot."""

    def __init__(self, first: Grid) -> None:
        cells = Counter(color for row in first for color in row)
        super().__init__({HIDDEN: MASKED, max(sorted(cells), key=cells.__getitem__): "."})
        self._rows = DrawnRows(self)

    def draw(self, grid: Grid) -> str:
        """Return a grid as lines of characters."""
        return "\n".join(self._rows.of(grid))

    def legend(self) -> Iterator[str]:
        """Yield each character that was used so far, with its colour."""
        for color, letter in self.items():
            if color != HIDDEN:
                yield f"{letter} {color}"

    def __missing__(self, color: str) -> str:
        number = len(self) - 2
        more = number - len(_LETTERS)
        letter = self[color] = _LETTERS[number] if more < 0 else chr(_MORE + more)
        return letter


_SIDE = 384
"""About the width of a picture, in pixels."""
_LEAST = 12
"""The least width of a cell."""
_LINE, _STRIPE = 0, 1
"""The numbers of two colours that are no cell's."""
_OWN = ("202020", "f0f0f0")


def picture(grid: Grid) -> str:
    """Return the picture of a grid as a data URL."""
    return f"data:image/png;base64,{b64encode(png(grid)).decode('ascii')}"


def png(grid: Grid) -> bytes:
    """Return the picture of a grid as the bytes of a PNG file."""
    cell = max(_LEAST, _SIDE // max(len(grid), len(grid[0])))
    width = len(grid[0]) * (cell + 1) + 1
    names = sorted({name for row in grid for name in row} - {HIDDEN})[:254]
    numbers = {name: number for number, name in enumerate(names, len(_OWN))}
    line = bytes(width + 1)
    rows = [line]
    for row in grid:
        # two patterns of pixels: hidden cells alternate between them
        bands = [_pixels(row, cell, numbers, odd) for odd in (False, True)]
        rows += [bands[y // 3 % 2] for y in range(cell)]
        rows.append(line)
    palette = b"".join(bytes.fromhex(digits) for digits in (*_OWN, *map(paint, names)))
    head = pack(">IIBBBBB", width, len(rows), 8, 3, 0, 0, 0)
    chunks = [(b"IHDR", head), (b"PLTE", palette), (b"IDAT", zlib.compress(b"".join(rows))), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, data) for kind, data in chunks)


def _pixels(row: Sequence[str], cell: int, numbers: dict[str, int], odd: bool) -> bytes:
    """Return a line of pixels through a row of cells. A line begins with its filter, which is none."""
    hidden = bytes((_STRIPE if odd else _LINE,)) * cell
    cells = [hidden if name == HIDDEN else bytes((numbers.get(name, _STRIPE),)) * cell for name in row]
    return bytes(2) + bytes(1).join(cells) + bytes(1)


def paint(name: str) -> str:
    """Return the red, green and blue of a colour as digits. A name that is not a colour gets one of its own."""
    return HEX.get(name) or f"{zlib.crc32(name.encode('utf-8', 'backslashreplace')) & 0xFFFFFF:06x}"


def _chunk(kind: bytes, data: bytes) -> bytes:
    return pack(">I", len(data)) + kind + data + pack(">I", zlib.crc32(kind + data))
