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

    def __init__(self, kind: str, name: str, count: int, most: int) -> None:
        super().__init__(kind, name, count, most)
        self.kind, self.name, self.count, self.most = kind, name, count, most

    def __str__(self) -> str:
        return f"at most {self.most:,} groundings of the {self.kind} {self.name}, whose types allow {self.count:,}"
