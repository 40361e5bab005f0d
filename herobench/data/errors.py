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
from itertools import islice
from typing import Any


class _Found(Enum):
    """The marker for "nothing was found". An Enum member stays itself when it is pickled; an object() does not."""

    ABSENT = "absent"


_ABSENT = _Found.ABSENT
LONGEST_MISSPELT = 200
"""The most characters of a name for which similar ones are looked for: that takes long for megabytes."""
_LONGEST_LINE = 1_000
"""The most characters of a line that is told to somebody."""
_LONGEST_QUOTED = 100
"""The most characters of a name that a message quotes."""
_MOST_DETAILS = 100
"""The most lines below the first one of a UsageError."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One fault of a file: the place, what was expected, what was found, and advice."""

    file: str
    path: str
    expected: str
    found: object = _ABSENT
    advice: str = ""

    def __str__(self) -> str:
        where = f"{self.file}: {self.path}" if self.path else self.file
        found_words = "" if self.found is _ABSENT else f", found {abbreviate(self.found)}"
        return f"{where}: expected {self.expected}{found_words}{f'; {self.advice}' if self.advice else ''}"

    def as_row(self) -> dict[str, object]:
        """Return the problem as plain data."""
        texts = {"file": self.file, "path": self.path, "expected": self.expected, "advice": self.advice}
        row: dict[str, object] = {name: short_line(text) for name, text in texts.items()}
        if self.found is not _ABSENT:
            row["found"] = self.found if len(_as_json(self.found)) <= _LONGEST_LINE else abbreviate(self.found)
        return row


def short_line(line: str, most: int = _LONGEST_LINE) -> str:
    """Return a line without the middle of a very long one: a client or a file may name a thing by megabytes."""
    if len(line) <= most:
        return line
    begin, end = line[: most * 3 // 5], line[-(most // 5) :]
    return f"{begin} [{len(line) - len(begin) - len(end):,} characters] {end}"


def quoted(name: object) -> str:
    """Return a name in quotation marks, without the middle of a very long one."""
    return repr(short_line(str(name), _LONGEST_QUOTED))


def abbreviate(value: object, width: int = 80) -> str:
    """Return a value as JSON on one line, cut to a width."""
    text = _as_json(value)
    return text if len(text) <= width else text[: width - 3] + "..."


def _as_json(value: object) -> str:
    # In ASCII, so that a problem shows strange characters and cannot move the cursor of a terminal.
    try:
        return json.dumps(value, ensure_ascii=True, default=repr)
    except (TypeError, ValueError, RecursionError):
        return f"a {type(value).__name__}"


class Fault(Enum):
    """The base of the kinds of errors of a room. The value of a kind is its sentence, with names for the facts:

    `NO_TASK = "There is no task {task_id}."` is raised as `UsageError(RunFault.NO_TASK, task_id=quoted(task_id))`.
    Programs and tests ask an error for its `fault`. People read the sentence."""


class HeroBenchError(Exception):
    """The base of every exception that this package raises on purpose."""

    def __init__(self, *lines: str, fault: Fault | None = None) -> None:
        self.lines = tuple(short_line(str(line)) for line in lines)
        """The lines of the message. A line break within one of them is part of a name that it quotes."""
        self.fault = fault
        """The kind of the error, or None if it has only a sentence."""
        super().__init__("\n".join(self.lines))

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the text and the attributes, so that the exception survives the way from a worker process."""
        return Exception.__new__, (type(self), *self.args), self.__dict__


class InputError(HeroBenchError):
    """Raised when a file or a row that we read is wrong."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__(*map(str, self.problems))


class UsageError(HeroBenchError):
    """Raised when the caller asks for something that does not exist or does not fit.

    `details` are further lines below the message, which is the sentence of a `Fault` with its facts, or a text."""

    def __init__(self, message: Fault | str, /, details: Iterable[str] = (), **facts: object) -> None:
        fault = message if isinstance(message, Fault) else None
        sentence = str(message.value).format_map(facts) if isinstance(message, Fault) else message
        super().__init__(sentence, *islice(details, _MOST_DETAILS), fault=fault)


class StoreError(HeroBenchError):
    """Raised when a folder or file cannot be written. Everything written before is complete."""

    def __init__(self, folder: object, error: OSError) -> None:
        where = error.filename or folder
        super().__init__(f"Cannot write {where}: {error.strerror or error}. Everything written before is intact.")


class SandboxError(HeroBenchError):
    """Raised when the sandbox cannot run any plan."""


class SuiteError(HeroBenchError):
    """Raised when a suite fails where its contract allows no exception: the run cannot continue."""
