"""The one exception that PDDL text can raise."""


class PddlError(ValueError):
    """Raised when a text is not PDDL of the fragment that this package reads.

    `message` says what was expected; `line` and `column` count from 1.
    """

    def __init__(self, message: str, line: int, column: int) -> None:
        super().__init__(message, line, column)
        self.message = message
        self.line = line
        self.column = column

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}: {self.message}"
