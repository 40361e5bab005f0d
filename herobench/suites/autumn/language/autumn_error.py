"""The one exception that an Autumn program can raise, and the mark that natives raise before its place is known."""

from __future__ import annotations

from herobench.data.errors import HeroBenchError


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

    def __reduce__(self) -> tuple[type[AutumnError], tuple[str, int, int, str]]:
        """Pickle the arguments, so that the error survives the way from a worker process."""
        return AutumnError, (self.message, self.line, self.column, self.source)


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
