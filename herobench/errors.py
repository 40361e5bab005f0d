"""What can go wrong on our side, in the content, or outside.

A plan that fails is data (an `Episode`), never an exception. These are for the rest, by the boundary crossed:

    HeroBenchError
    ├── InputError      a file or a row we were given is wrong: it lists every problem with file, path and value
    ├── UsageError      what was asked for does not exist or does not fit
    ├── StoreError      a run's folder cannot be written
    ├── ModelError      a model gives no reply (models/model_error.py)
    ├── SandboxError    plans cannot be run at all: workers do not start
    └── SuiteError      a suite raised an exception where its contract allows none
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum


class _Found(Enum):
    """Where nothing was found. A member is itself also in another process, which an object() is not."""

    ABSENT = "absent"


_ABSENT = _Found.ABSENT


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with what we read: where it is, what was expected there, what was found, and what would help."""

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
        """The problem as plain data."""
        found = {} if self.found is _ABSENT else {"found": self.found}
        return {"file": self.file, "path": self.path, "expected": self.expected, **found, "advice": self.advice}


def abbreviated(value: object, width: int = 80) -> str:
    """`value` as JSON on one short line."""
    try:
        text = json.dumps(value, ensure_ascii=True, default=repr)
    except (TypeError, ValueError, RecursionError):
        text = f"a {type(value).__name__}"
    return text if len(text) <= width else text[: width - 3] + "..."


class HeroBenchError(Exception):
    """The root: whoever catches it catches all that this package raises on purpose."""

    @property
    def lines(self) -> tuple[str, ...]:
        """What it says, line by line; a line break in a line is part of a name in it."""
        return (str(self),)


class InputError(HeroBenchError):
    """Raised when a file or a row we were given is wrong."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(self.lines))

    @property
    def lines(self) -> tuple[str, ...]:
        """A line for each problem."""
        return tuple(map(str, self.problems))

    def __reduce__(self) -> tuple[type[InputError], tuple[tuple[Problem, ...]]]:
        """How it comes from one process to another: with its problems, and not with the text they make."""
        return InputError, (self.problems,)


class UsageError(HeroBenchError):
    """Raised when what was asked for does not exist or does not fit; `details` are lines of their own below that."""

    def __init__(self, message: str, details: Iterable[str] = ()) -> None:
        self.details = tuple(details)
        super().__init__("\n".join([message, *self.details]))
        self._message = message

    @property
    def lines(self) -> tuple[str, ...]:
        """What it says, and the details."""
        return (self._message, *self.details)

    def __reduce__(self) -> tuple[type[UsageError], tuple[str, tuple[str, ...]]]:
        """How it comes from one process to another."""
        return UsageError, (self._message, self.details)


class StoreError(HeroBenchError):
    """Raised when a run's folder cannot be written. What was written before is whole."""

    def __init__(self, folder: object, error: OSError) -> None:
        where = error.filename or folder
        super().__init__(f"Cannot write {where}: {error.strerror or error}. What was written before is whole.")


class SandboxError(HeroBenchError):
    """Raised when the sandbox itself cannot work, whatever the plan."""


class SuiteError(HeroBenchError):
    """Raised when a suite fails where its contract allows no exception: the run cannot go on."""
