"""The limits of programs, and the errors that a program leads to.

Work is counted and not timed, so a limit is the same everywhere.
"""

from __future__ import annotations

from dataclasses import dataclass

from herobench.data.errors import HeroBenchError


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


LONGEST_STRING = 100
"""Characters of a String: a frame tells the name of a colour once for each cell."""
LONGEST_SOURCE = 200_000
"""Characters of a program."""
DEEPEST_SOURCE = 120
"""How deep parentheses may nest."""
DEEPEST_VALUE = 60
"""How deep lists may nest where they are drawn or compared."""


class AutumnError(HeroBenchError):
    """Raised when a text is not Autumn, or when a program fails while it runs.

    `line` and `column` count from 1 and name the expression. `source` says in which text they count: the program, or
    the condition that was given with it.
    """

    def __init__(self, message: str, line: int, column: int, source: str = "program") -> None:
        self.message = message
        self.line = line
        self.column = column
        self.source = source
        super().__init__(f"{self.place}: {message}")

    @property
    def place(self) -> str:
        """The place in words."""
        where = f"line {self.line}, column {self.column}"
        return where if self.source == "program" else f"{self.source}, {where}"


class Fault(Exception):
    """Raised by a native function. The world adds the place and raises AutumnError.

    `at` is the offset of the place in the source, where the function knows it better than the stack does. `of_caller`
    says that a function is not at fault, but the expression that called it.
    """

    def __init__(self, message: str, at: int | None = None, *, of_caller: bool = False) -> None:
        super().__init__(message)
        self.message = message
        self.at = at
        self.of_caller = of_caller
        self.near: int | None = None
        """The offset of the variable that is at fault, for where nothing else names a place."""
