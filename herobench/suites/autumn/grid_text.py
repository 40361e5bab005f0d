"""Grids as text: JSON with colour names, as published, or one character for each cell."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from herobench.suites.autumn.phase import HIDDEN, Grid

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


class Letters:
    """The characters of colours in one episode. The most frequent colour of the first frame is a dot."""

    def __init__(self, first: Grid) -> None:
        cells = Counter(color for row in first for color in row)
        self._known = {HIDDEN: MASKED, max(sorted(cells), key=cells.__getitem__): "."}

    def drawn(self, grid: Grid) -> str:
        """Return a grid as lines of characters."""
        return "\n".join("".join(map(self._letter, row)) for row in grid)

    def legend(self) -> Iterator[str]:
        """Yield each character that was used so far, with its colour."""
        for color, letter in self._known.items():
            if color != HIDDEN:
                yield f"{letter} {color}"

    def _letter(self, color: str) -> str:
        letter = self._known.get(color)
        if letter is None:
            number = len(self._known) - 2
            more = number - len(_LETTERS)
            letter = self._known[color] = _LETTERS[number] if more < 0 else chr(_MORE + more)
        return letter
