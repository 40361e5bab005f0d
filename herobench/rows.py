"""JSONL at the border: one row a line, each held against its schema, each problem named with its line.

A torn or wrong line never stops the reading: it is reported, and the good lines go on.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from herobench.documents import parse, schema_problems
from herobench.errors import InputError, Problem
from herobench.input_file import bounded_lines, is_standard_input, open_regular, opened, unreadable

_MOST_BAD = 10_000
"""How many bad lines are reported one by one: a file with more is none of rows, and its problems would fill memory."""


class Line(NamedTuple):
    """One line of a file: its row, or what is wrong with it."""

    place: str
    row: Mapping[str, Any]
    problems: tuple[Problem, ...]


def read_lines(path: str | os.PathLike[str], schema: str) -> Iterator[Line]:
    """Yield the lines of a JSONL file in order, without blank ones; `-` is standard input.

    Raises InputError where there is no such file, and where it is no file of rows: a line is too long, or too many are
    bad.
    """
    bad = 0
    try:
        with opened(path) as file:
            for number, raw in enumerate(bounded_lines(file, str(path)), 1):
                if not raw.strip():
                    continue
                line = _line(raw, f"{path}:{number}", schema)
                bad += bool(line.problems)
                if bad > _MOST_BAD:
                    expected = f"a file of rows, and {_MOST_BAD:,} lines before this one are none"
                    raise InputError([Problem(line.place, "", expected), *line.problems])
                yield line
    except OSError as error:
        raise InputError([unreadable(path, error, piped=True)]) from error


def _line(raw: bytes, place: str, schema: str) -> Line:
    try:
        text = raw.decode("utf-8").rstrip()
    except UnicodeDecodeError as error:
        return Line(place, {}, (Problem(place, f"byte {error.start}", "UTF-8 text"),))
    row, problems = parse(text, place)
    problems = problems or schema_problems(row, schema, place)
    return Line(place, {} if problems else row, tuple(problems))


def count_lines(path: str | os.PathLike[str]) -> int:
    """Count the lines of a file, to show progress; 0 where that cannot be known.

    Raises InputError at a line that is too long to be read.
    """
    if is_standard_input(path):
        return 0
    try:
        with open_regular(path) as file:
            return sum(1 for _ in bounded_lines(file, str(path)))
    except OSError:
        return 0


def dump_row(row: Mapping[str, Any], indent: int | None = None) -> str:
    """Return a row as its line. Half a surrogate pair, which no encoding has but JSON can say, stays escaped."""
    text = json.dumps(row, ensure_ascii=False, allow_nan=False, indent=indent)
    return text.encode("utf-8", "backslashreplace").decode("utf-8") + "\n"


def write_rows(path: str | os.PathLike[str], rows: Iterable[Mapping[str, Any]]) -> int:
    """Write a whole JSONL file, which appears only when it is complete; how many rows it has comes back."""
    target = Path(path)
    part = target.parent / f"{target.name}.part{os.getpid()}"
    count = 0
    try:
        if target.exists() and not target.is_file():
            raise InputError([Problem(str(path), "", "a file, not a folder or a device")])
        with part.open("w", encoding="utf-8", newline="\n") as lines:
            for row in rows:
                lines.write(dump_row(row))
                count += 1
        part.replace(target)
    except OSError as error:
        raise InputError([Problem(str(path), "", f"a file that can be written ({error.strerror})")]) from error
    finally:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
    return count
