"""Work that makes one row of each row of a file, such as a score of each answer: its contract, and work on one file.

A made row must be a pure function of the work and the row that was given, because another worker may make it again.
`herobench.cluster` spreads the same work over machines.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from herobench.data.columns import Column
from herobench.data.errors import InputError, Problem
from herobench.data.rows import MOST_BAD, RowLine, dump_row, row_line, too_many_bad
from herobench.work.engine import Engine, Work

Row = Mapping[str, Any]


class RowCheck(Protocol):
    """Says which rows of files are good. It can be pickled."""

    @property
    def schema(self) -> str:
        """The schema of the rows."""
        ...

    def check(self, line: RowLine) -> str | Sequence[Problem]:
        """Return the key of a row that its schema accepts, which no row may have twice; or what is wrong with it."""
        ...

    def twice(self, place: str, first: str, key: str) -> Problem:
        """Return the problem of a row whose key an earlier row has. `first` is the place of that one."""
        ...


class RowWork(Work[RowLine, Row]):
    """Work on the rows of files. The function that it opens gets lines that the check accepts."""

    @property
    @abstractmethod
    def row_check(self) -> RowCheck:
        """Say which rows can be given. It is sent to other processes alone, before the work is."""

    @property
    def columns(self) -> Sequence[Column]:
        """The columns of the rows that are made, for tables."""
        return ()

    def options(self) -> dict[str, Any]:
        """Return the settings that the made rows depend on, as plain data."""
        return {}


class RowFacts:
    """What the summary of a command needs to know of rows. Workers add rows up, and the command merges their facts."""

    def add(self, row: Row) -> None:
        """Take in a row that was made."""

    def as_row(self) -> Mapping[str, Any]:
        """Return the facts as plain data."""
        return {}

    def merge(self, facts: Mapping[str, Any]) -> None:
        """Add the facts of other rows, as `as_row` gives them."""


Facts = TypeVar("Facts", bound=RowFacts)
FactsOf = Callable[[], RowFacts]
"""Returns the facts of no row yet: a class or a `partial` of one, so that it can be pickled."""

# -- one file, on this machine ----------------------------------------------------------------------------------------


class MadeLine(NamedTuple):
    """The result of a line: a row as text, with its facts; or the problems of the line."""

    place: str
    line: str
    facts: Mapping[str, Any]
    key: str
    problems: Sequence[Problem] = ()
    is_row: bool = True
    """False if the schema refuses it."""


class LineWork(Work[tuple[str, bytes], MadeLine]):
    """Parses, checks and works on unread lines, given with their places. The parent only writes the results."""

    def __init__(self, rows: RowWork, facts: FactsOf) -> None:
        self.worth, self.batch, self.has_threads = rows.worth, rows.batch, rows.has_threads
        self._rows, self._facts = rows, facts

    @contextmanager
    def open(self, threads: int) -> Iterator[Callable[[tuple[str, bytes]], MadeLine]]:
        """Open the work on rows."""
        check = self._rows.row_check
        with self._rows.open(threads) as make:

            def make_line(raw_line: tuple[str, bytes]) -> MadeLine:
                place, raw = raw_line
                line = row_line(raw, place, check.schema)
                key = line.problems or check.check(line)
                if not isinstance(key, str):
                    return MadeLine(place, "", {}, "", key, not line.problems)
                row, facts = make(line), self._facts()
                facts.add(row)
                return MadeLine(place, dump_row(row), facts.as_row(), key)

            yield make_line


@dataclass(frozen=True)
class CheckOnly(RowWork):
    """Makes nothing of rows, for those who need to know only which of them are wrong."""

    check: RowCheck
    worth = 1000
    batch = 100

    @property
    def row_check(self) -> RowCheck:
        """Return the check."""
        return self.check

    def open(self, threads: int) -> AbstractContextManager[Callable[[RowLine], Row]]:
        """Return the function that makes an empty row."""
        return nullcontext(lambda line: {})


def with_problems(outputs: Iterable[MadeLine], check: RowCheck) -> Iterator[tuple[MadeLine, Sequence[Problem]]]:
    """Yield the results of lines with what is wrong with each, also that an earlier one has its key.

    Raise InputError for a file with too many lines that are no rows.
    """
    # hashes, because the keys themselves would take far more memory
    first: dict[int, str] = {}
    refusals = 0
    for one in outputs:
        problems = one.problems
        if not problems and (before := first.setdefault(hash(one.key), one.place)) is not one.place:
            problems = (check.twice(one.place, before, one.key),)
        refusals += not one.is_row
        if refusals > MOST_BAD:
            raise InputError(too_many_bad(one.place, problems))
        yield one, problems


class FileOfRows(Generic[Facts]):
    """Works on the lines of one file. It tells afterwards what is wrong with some of them."""

    def __init__(self, work: RowWork, facts: Callable[[], Facts], engine: Engine) -> None:
        self.facts = facts()
        """The facts of the rows that were made."""
        self.good = 0
        """The number of rows that were made."""
        self.bad = 0
        """The number of other lines."""
        self.problems: list[Problem] = []
        self._work, self._engine = LineWork(work, facts), engine
        self._check = work.row_check

    def make_lines(self, lines: Iterable[tuple[str, bytes]]) -> Generator[str]:
        """Yield the made rows as lines, in order. Close the generator when you do not use it up.

        Raise InputError for a file with too many lines that are no rows.
        """
        with closing(self._engine.results(self._work, lines)) as outputs:
            for one, problems in with_problems(outputs, self._check):
                self.bad += bool(problems)
                self.problems += problems
                if not problems:
                    self.good += 1
                    self.facts.merge(one.facts)
                    yield one.line
