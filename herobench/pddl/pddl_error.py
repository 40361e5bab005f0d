"""What PDDL text can raise: that it cannot be read, or that it has too many groundings."""


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


class TooLarge(ValueError):
    """Raised when a task has more groundings than this package looks at: a domain that is read is not always usable."""

    def __init__(self, most: int, what: str, allowed: int | None = None) -> None:
        """Say how many groundings of what there may be, and if it is known how many their types allow."""
        super().__init__(most, what, allowed)
        self.most, self.what, self.allowed = most, what, allowed

    def __str__(self) -> str:
        told = f"at most {self.most:,} {self.what}"
        return told if self.allowed is None else f"{told}, whose types allow {_counted(self.allowed)}"


_COUNTED = 10**15
"""Numbers beyond it are not written out. Python refuses to write those of more than 4,300 digits."""


def _counted(number: int) -> str:
    return f"{number:,}" if number <= _COUNTED else f"more than {_COUNTED:,}"
