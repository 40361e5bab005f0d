"""The contract of work that makes one row of each row of a file, such as a score of each answer.

`herobench.cluster` spreads such work over machines, and knows no more of it than this. A made row must be a pure
function of the work and the row that was given, because another machine may make it again.

A suite whose answers files have scored rows of their own returns, by its method `answer_work`, the `RowWork` that
scores such files by the tasks of a `SuiteSetting`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from herobench.data.columns import Column
from herobench.data.errors import Problem
from herobench.data.rows import RowLine, RowSchema

Row = Mapping[str, Any]


class RowCheck(Protocol):
    """Says which rows of files are good. It can be pickled."""

    @property
    def schema(self) -> RowSchema:
        """The schema of the rows."""
        ...

    def check(self, line: RowLine) -> str | Sequence[Problem]:
        """Return the key of a row that its schema accepts, which no row may have twice; or what is wrong with it."""
        ...

    def twice(self, place: str, first: str) -> Problem:
        """Return the problem of a row whose key an earlier row has. `first` is the place of that one."""
        ...


class RowMaker(Protocol):
    """Makes rows in one process, with what that takes, such as a sandbox."""

    def made(self, row: Row) -> Row:
        """Return what is made of a row that the check accepts."""
        ...

    def close(self) -> None:
        """Release processes."""
        ...


class RowWork(Protocol):
    """Work on the rows of files. It can be pickled."""

    @property
    def given(self) -> RowCheck:
        """Say which rows can be given. It is sent to other processes alone, before the work is."""
        ...

    @property
    def columns(self) -> Sequence[Column]:
        """The columns of the rows that are made."""
        ...

    def opened(self) -> RowMaker:
        """Return what makes rows, opened in this process."""
        ...
