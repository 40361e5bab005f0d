"""The exceptions of this package, by the boundary where something failed. A failed plan is data and no exception.

HeroBenchError
├── InputError      a file or a row is wrong; it lists every problem with file, path and value
├── UsageError      the caller asked for something that does not exist or does not fit
├── StoreError      a folder or file cannot be written
├── ModelError      a model gives no reply (models/model_error.py)
├── SandboxError    no plan can be run, because workers do not start
└── SuiteError      a suite raised an exception where its contract allows none
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum


class _Found(Enum):
    """The marker for "nothing was found". An Enum member stays itself when it is pickled; an object() does not."""

    ABSENT = "absent"


_ABSENT = _Found.ABSENT


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong in a file: where it is, what was expected, what was found, and what to do."""

    file: str
    path: str
    expected: str
    found: object = _ABSENT
    advice: str = ""

    def __str__(self) -> str:
        where = f"{self.file}: {self.path}" if self.path else self.file
        found = "" if self.found is _ABSENT else f", found {abbreviated(self.found)}"
        return f"{where}: expected {self.expected}{found}{f'; {self.advice}' if self.advice else ''}"

    def as_row(self) -> dict[str, object]:
        """Return the problem as plain data."""
        found = {} if self.found is _ABSENT else {"found": self.found}
        return {"file": self.file, "path": self.path, "expected": self.expected, **found, "advice": self.advice}


def abbreviated(value: object, width: int = 80) -> str:
    """Return a value as JSON on one line, cut to a width."""
    # In ASCII, so that a problem shows strange characters and cannot move the cursor of a terminal.
    try:
        text = json.dumps(value, ensure_ascii=True, default=repr)
    except (TypeError, ValueError, RecursionError):
        text = f"a {type(value).__name__}"
    return text if len(text) <= width else text[: width - 3] + "..."


class HeroBenchError(Exception):
    """The base of every exception that this package raises on purpose."""

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines of the message. A line break within one of them is part of a name that it quotes."""
        return (str(self),)


class InputError(HeroBenchError):
    """Raised when a file or a row that we read is wrong."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(self.lines))

    @property
    def lines(self) -> tuple[str, ...]:
        """One line for each problem."""
        return tuple(map(str, self.problems))

    def __reduce__(self) -> tuple[type[InputError], tuple[tuple[Problem, ...]]]:
        """Pickle the problems, so that the exception survives the way from a worker process."""
        return InputError, (self.problems,)


class UsageError(HeroBenchError):
    """Raised when the caller asks for something that does not exist or does not fit.

    `details` are further lines below the message."""

    def __init__(self, message: str, details: Iterable[str] = ()) -> None:
        self.details = tuple(details)
        super().__init__("\n".join([message, *self.details]))
        self._message = message

    @property
    def lines(self) -> tuple[str, ...]:
        """The message and the details."""
        return (self._message, *self.details)

    def __reduce__(self) -> tuple[type[UsageError], tuple[str, tuple[str, ...]]]:
        """Pickle the arguments, so that the exception survives the way from a worker process."""
        return UsageError, (self._message, self.details)


class StoreError(HeroBenchError):
    """Raised when a folder or file cannot be written. Everything written before is complete."""

    def __init__(self, folder: object, error: OSError) -> None:
        where = error.filename or folder
        super().__init__(f"Cannot write {where}: {error.strerror or error}. What was written before is whole.")


class SandboxError(HeroBenchError):
    """Raised when the sandbox cannot run any plan."""


class SuiteError(HeroBenchError):
    """Raised when a suite fails where its contract allows no exception: the run cannot go on."""
