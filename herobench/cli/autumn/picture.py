"""Draws a grid on the terminal: in colours where there are, else with a letter for each colour."""

from __future__ import annotations

import string
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.text import Text

_LETTERS = string.ascii_lowercase + string.ascii_uppercase


def letters(grid: Sequence[Sequence[str]], background: str, known: dict[str, str]) -> dict[str, str]:
    """Return a letter for each colour of a grid. Colours keep the letters that they had; the background has a dot."""
    known.setdefault(background, ".")
    for color in sorted({color for row in grid for color in row} - known.keys()):
        known[color] = _LETTERS[(len(known) - 1) % len(_LETTERS)]
    return known


def rows(grid: Sequence[Sequence[str]], signs: dict[str, str], *, colored: bool) -> list[Text]:
    """Return a grid as lines, with the numbers of columns and rows."""
    from rich.text import Text

    from herobench.suites.autumn.language.colours import HEX

    width = len(str(len(grid) - 1))
    # Numbers of two digits would run together, so a wide grid names every second column.
    named = [f"{column % 100:2}" if column % width == 0 else "  " for column in range(len(grid))]
    lines = [Text(" " * width + "".join(named).rstrip())]
    for number, row in enumerate(grid):
        line = Text(f"{number:{width}}")
        for color in row:
            known = colored and color in HEX
            line.append("  " if known else f" {signs[color]}", f"on #{HEX[color]}" if known else "")
        lines.append(line)
    return lines


def legend(grid: Sequence[Sequence[str]], signs: dict[str, str]) -> str:
    """Return what the letters of a grid stand for."""
    seen = {color for row in grid for color in row}
    return ", ".join(f"{sign} {color}" for color, sign in signs.items() if color in seen)
