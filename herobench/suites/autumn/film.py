"""What happened in a phase, as an episode's events keep it: the first frame, and for each action what it changed.

A frame is a text, row by row: the character with code 48 + n stands for colour n of the palette. The changes of an
action are pairs of a cell's number and a text: the cells from there on show this text now. Where the grid gets another
size, a turn has the size and all cells. So a report can replay an episode without running its program.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from herobench.suites.autumn.phase import Grid, Refusal

_LONGEST = 100
"""The most characters that are kept of an action that is none."""


class _Palette(dict[str, str]):
    """The character of each colour; a new colour gets the next one."""

    def __missing__(self, color: str) -> str:
        character = self[color] = chr(48 + len(self))
        return character


class Film:
    """The phases of one episode."""

    def __init__(self) -> None:
        self._palette = _Palette()
        self.phases: list[dict[str, Any]] = []
        """The interaction, and the test once it has begun."""
        self._frame = ""

    def begin(self, grid: Grid) -> None:
        """Begin a phase with its first frame."""
        self._frame = self._drawn(grid)
        self.phases.append({"size": len(grid), "first": self._frame, "turns": []})

    def add(self, action: str, refusal: Refusal | None, grid: Grid) -> None:
        """Add an action, and the frame after it."""
        turn: dict[str, Any] = {"action": action[:_LONGEST]}
        if refusal:
            turn["refused"] = refusal
        frame = self._drawn(grid)
        if len(frame) != len(self._frame):
            turn |= {"size": len(grid), "changes": [0, frame]}
        elif frame != self._frame:
            turn["changes"] = list(_changes(self._frame, frame))
        self._frame = frame
        self.phases[-1]["turns"].append(turn)

    def as_row(self) -> dict[str, Any]:
        """Return all of it as plain data."""
        return {"schema": 1, "colors": list(self._palette), "phases": self.phases}

    def _drawn(self, grid: Grid) -> str:
        code = self._palette.__getitem__
        return "".join(["".join(map(code, row)) for row in grid])


def _changes(before: str, after: str) -> Iterator[int | str]:
    """Yield the number of the first cell of each run that changed, and what the run shows now."""
    start = None
    for number, (one, other) in enumerate(zip(before, after, strict=True)):
        if one == other:
            if start is not None:
                yield start
                yield after[start:number]
                start = None
        elif start is None:
            start = number
    if start is not None:
        yield start
        yield after[start:]
