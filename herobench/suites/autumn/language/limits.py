"""How much a program may do before it fails with an error. Work is counted and not timed, so a limit is the same
everywhere."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a world. Each is far above what the public programs need."""

    steps: int = 100_000
    """Actions in one world."""
    grid: int = 200
    """The largest GRID_SIZE."""
    items: int = 50_000
    """Elements of one list."""
    cells: int = 50_000
    """Cells that are drawn in one frame."""
    values: int = 300_000
    """List elements and fields that all variables hold together."""
    work: int = 2_000_000
    """Units of work in one step: calls, list elements and cells that are looked at."""
    depth: int = 150
    """Calls within calls."""
    seconds: float | None = None
    """Processor time of one step. It is not limited when left out, because it differs between machines."""


LONGEST_STRING = 100
"""Characters of a String: a frame tells the name of a colour once for each cell."""
LONGEST_SOURCE = 200_000
"""Characters of a program."""
DEEPEST_SOURCE = 120
"""How deep parentheses may nest."""
DEEPEST_VALUE = 60
"""How deep lists may nest where they are drawn or compared."""
