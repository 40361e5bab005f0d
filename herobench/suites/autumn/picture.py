"""Grids as pictures, for models that see: PNG with a palette, written with the standard library.

Cells are squares with a dark line between them. Hidden cells are striped.
"""

from __future__ import annotations

import zlib
from base64 import b64encode
from collections.abc import Sequence
from struct import pack

from herobench.suites.autumn.language.colours import HEX
from herobench.suites.autumn.phase import HIDDEN, Grid

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
        drawn = [_pixels(row, cell, numbers, odd) for odd in (False, True)]
        rows += [drawn[y // 3 % 2] for y in range(cell)]
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
    """Return the red, green and blue of a colour as digits. A name that is no colour gets one of its own."""
    return HEX.get(name) or f"{zlib.crc32(name.encode('utf-8', 'backslashreplace')) & 0xFFFFFF:06x}"


def _chunk(kind: bytes, data: bytes) -> bytes:
    return pack(">I", len(data)) + kind + data + pack(">I", zlib.crc32(kind + data))
