"""Read and write JSONL files: one row a line, each checked against its schema. Used wherever rows enter or leave.

A bad line must not stop the reading: it is returned with its problems, and the lines behind it are read too.
"""

from __future__ import annotations

import gc
import json
import lzma
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

from herobench.data.documents import MOST_EXACT, data_of, parse, schema_problems
from herobench.data.errors import InputError, Problem
from herobench.data.files import bounded_lines, is_standard_input, open_input, open_lines, replacing, unreadable

_Named = TypeVar("_Named")
MOST_BAD = 10_000
"""The most bad lines of one file. A file with more is no file of rows, and its problems would fill the memory."""


class RowLine(NamedTuple):
    """One line of a file: its row, or the problems with it."""

    place: str
    row: Mapping[str, Any]
    problems: tuple[Problem, ...]


def read_lines(path: str | os.PathLike[str], schema: str) -> Iterator[RowLine]:
    """Yield the lines of a JSONL file in order, without blank ones; `-` is standard input.

    `schema` is the JSON Schema of all rows, by its name or as text.

    Raises InputError if the file cannot be read, a line is too long, or too many lines are bad.
    """
    bad = 0
    for place, raw in unread_lines(path):
        line = row_line(raw, place, schema)
        bad += bool(line.problems)
        if bad > MOST_BAD:
            raise InputError(too_many_bad(place, line.problems))
        yield line


def unread_lines(path: str | os.PathLike[str]) -> Iterator[tuple[str, bytes]]:
    """Yield the lines of a JSONL file, each with its place. See `read_lines`."""
    try:
        with open_input(path) if is_standard_input(path) else open_lines(path) as file:
            for number, raw in enumerate(bounded_lines(file, str(path)), 1):
                if raw.strip():
                    yield f"{path}:{number}", raw
    except OSError as error:
        raise InputError([unreadable(path, error, piped=True)]) from error


def too_many_bad(place: str, problems: Sequence[Problem]) -> list[Problem]:
    """Return the problems of a file at the bad line that is one too many."""
    return [Problem(place, "", f"a JSONL file, but {MOST_BAD:,} lines before this one are no rows"), *problems]


@dataclass(frozen=True, slots=True)
class NamedRows(Generic[_Named]):
    """Reads each row of a kind of file as a thing, such as a task, and tells the thing's name."""

    schema: str
    read: Callable[[Mapping[str, Any], str], _Named]
    """Gets a row and its place, and raises InputError for a wrong one."""
    name: Callable[[_Named], str]

    def in_file(self, path: str | os.PathLike[str]) -> dict[str, _Named]:
        """Return what a JSONL file holds, by name. Raise InputError with all problems of the file.

        A name that is there before is a problem.
        """
        by_name: dict[str, _Named] = {}
        problems: list[Problem] = []
        for line in read_lines(path, self.schema):
            if line.problems:
                problems += line.problems
                continue
            try:
                thing = self.read(line.row, line.place)
            except InputError as error:
                problems += error.problems
                continue
            if self.name(thing) in by_name:
                problems.append(named_twice(line.place, line.row.get("id")))
            by_name[self.name(thing)] = thing
        if problems:
            raise InputError(problems)
        return by_name


def named_twice(place: str, id: object) -> Problem:
    """Return the problem of a row whose name a row before it has."""
    return Problem(place, "$.id", "an id that no row has before it", id)


def row_line(raw: bytes, place: str, schema: str) -> RowLine:
    """Return a line of a JSONL file as a row. Problems name it by its place."""
    try:
        text = raw.decode("utf-8").rstrip()
    except UnicodeDecodeError as error:
        return RowLine(place, {}, (Problem(place, f"byte {error.start}", "UTF-8 text"),))
    row, problems = parse(text, place)
    problems = problems or schema_problems(row, schema if isinstance(schema, str) else schema(row), place)
    return RowLine(place, {} if problems else row, tuple(problems))


def count_lines(path: str | os.PathLike[str]) -> int:
    """Count the lines of a file, to show progress. Return 0 if that is not possible.

    Raises InputError at a line that is too long.
    """
    if is_standard_input(path):
        return 0
    try:
        with open_lines(path) as file:  # it is read twice, so a pipe will not do
            return sum(1 for _ in bounded_lines(file, str(path)))
    except OSError:
        return 0


def exact_count(value: object) -> int | None:
    """Return a whole number from 0 on that every reader of JSON keeps exact, such as a seed; None for another value."""
    return value if type(value) is int and 0 <= value <= MOST_EXACT else None


class SeenAttempts:
    """The attempts of the samples so far, kept as hashes because names would take far more memory."""

    def __init__(self) -> None:
        self._met: set[int] = set()

    def add(self, sample: Mapping[str, Any], place: str) -> None:
        """Note the attempt of a sample. Raise InputError if it was there before, because it would count twice."""
        # two attempts with one hash are as good as impossible at the sizes of runs
        attempt = hash((sample["suite"], sample["task_id"], sample["epoch"]))
        if attempt in self._met:
            identity = {"task_id": sample["task_id"], "epoch": sample["epoch"]}
            raise InputError([Problem(place, "$", "an attempt that is not there before it", identity)])
        self._met.add(attempt)


_line = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode
_own_line = json.JSONEncoder(ensure_ascii=False, allow_nan=False, check_circular=False).encode
"""The same for a row that was made here, which has no circles: to look for them takes a quarter of the time."""


def dump_row(row: Mapping[str, Any], indent: int | None = None) -> str:
    """Return a row as a line of JSON. Half a surrogate pair stays escaped, since UTF-8 cannot encode it."""
    text = _line(row) if indent is None else json.dumps(row, ensure_ascii=False, allow_nan=False, indent=indent)
    return text.encode("utf-8", "backslashreplace").decode("utf-8") + "\n"


def row_bytes(row: Mapping[str, Any]) -> bytes:
    """Return what `dump_row` returns for a row without circles, as it is in a file."""
    return _own_line(row).encode("utf-8", "backslashreplace") + b"\n"


def write_rows(path: str | os.PathLike[str], rows: Iterable[Mapping[str, Any]]) -> int:
    """Write a whole JSONL file, and return how many rows it has. The file appears only when it is complete."""
    return write_lines(path, map(dump_row, rows))


def write_lines(path: str | os.PathLike[str], texts: Iterable[str]) -> int:
    """Write a whole JSONL file of rows that are text already. See `write_rows`."""
    target = Path(path)
    count = 0
    try:
        if target.exists() and not target.is_file():  # the rename below would replace a device by a file
            raise InputError([Problem(str(path), "", "a file, not a folder or a device")])
        with replacing(target) as lines:
            for text in texts:
                lines.write(text)
                count += 1
    except OSError as error:
        raise InputError([Problem(str(path), "", f"a file that can be written ({error.strerror})")]) from error
    return count


def shipped_rows(suite: str, file: str) -> Iterator[dict[str, Any]]:
    """Yield the rows of a set in a package, `herobench.suites.NAME`, which `packed_rows` wrote."""
    content = data_of(suite).joinpath(file).read_bytes()
    return map(json.loads, lzma.decompress(content).decode("utf-8").splitlines())


def packed_rows(rows: Iterable[Mapping[str, Any]]) -> bytes:
    """Return rows as the file of a shipped set."""
    lines = (json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in rows)
    return lzma.compress("".join(f"{line}\n" for line in lines).encode(), preset=9)


@dataclass(frozen=True, slots=True)
class AnswerCheck:
    """Says which rows are answers to some tasks, and which of them are to the same attempt."""

    tasks: frozenset[str]

    @property
    def schema(self) -> str:
        """The schema of answers."""
        return "answer"

    def check(self, line: RowLine) -> str | Sequence[Problem]:
        """Return the task and the epoch of an answer, or why it cannot be scored."""
        task_id, status = line.row["task_id"], line.row.get("status", "ok")
        if status != "ok":
            return [Problem(line.place, "$.status", "an answer, and this attempt got none", status)]
        if task_id not in self.tasks:
            return [Problem(line.place, "$.task_id", "the id of one of the tasks", task_id)]
        return dump_row({task_id: int(line.row.get("epoch", 0))})

    def twice(self, place: str, first: str, key: str) -> Problem:
        """Return the problem of an answer to an attempt that an earlier row answers."""
        return Problem(place, "$.task_id", f"the first answer to this task and epoch, and {first} is", *json.loads(key))


@contextmanager
def seldom_collected(objects: int) -> Iterator[None]:
    """Look for unused cycles only when this many objects were made and not freed; as before afterwards.

    Rows have none. A look goes through all parts of all objects that are new, and at times through all there are: for a
    page of a report that takes a sixth of the time, for a run of short turns a fortieth.
    """
    before = gc.get_threshold()
    gc.set_threshold(objects)
    try:
        yield
    finally:
        if not gc.get_freeze_count():  # what others froze stays so
            # moves what is there to the objects that are old; the next look would go through all of it
            gc.freeze()
            gc.unfreeze()
        gc.set_threshold(*before)
