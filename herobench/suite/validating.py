"""The contract of a suite's validation: what `herobench validate --suite NAME` needs to know of it.

A suite whose tasks carry certificates returns `Certificates` by its method `certificates`. They say how to read a row
of a tasks file, and how to prove the certificate of one task. The command spreads the proofs over processes or
machines.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from herobench.data.columns import TEXT, Column
from herobench.data.errors import InputError, Problem, UsageError
from herobench.data.rows import NamedRows, RowLine, RowSchema, named_twice
from herobench.suite.checked import suite_class, suite_errors
from herobench.work.engine import Each, Local
from herobench.work.rows import Row, RowFacts, RowWork

PROOF = (
    Column("task_id", TEXT, "The task."),
    Column("faults", {"type": "array", "items": TEXT}, "A sentence for each claim that does not hold."),
)
"""The columns of the row that a proof gives."""


@dataclass(frozen=True, slots=True)
class Certificates:
    """How a suite proves the certificates of its tasks."""

    tasks: NamedRows[Any]
    """Reads the rows of a tasks file as tasks, which may be anything that can be pickled."""
    prove: Callable[[Any], list[str]]
    """Returns a sentence for each claim of a task's certificate that does not hold. It has to be a function of a
    module, since other processes call it."""


def problems_in(suite: str, tasks: Path, jobs: int = 1) -> Generator[tuple[str, list[str]]]:
    """Yield the id of each task of a file, and what is wrong with it, in order. Up to `jobs` processes prove.

    Raise UsageError for a suite without proofs. Close the generator if you do not use it up.
    """
    with suite_errors(f"The suite {suite} failed in certificates"):
        known = certificates_of(suite)
        found = known.tasks.in_file(tasks)
        with closing(Local(jobs).results(Each(known.prove), found.values())) as proofs:
            yield from zip(found, proofs, strict=True)


def certificates_of(suite: str) -> Certificates:
    """Return how a suite proves certificates. Raise UsageError for a suite without proofs."""
    with suite_errors(f"The suite {suite} failed in certificates"):
        made = suite_class(suite).certificates()
    if made is None:
        raise UsageError(f"The suite {suite} has no certificates to prove again.")
    return made


@dataclass(frozen=True)
class SuiteProofs(RowWork):
    """Proves rows of tasks of a suite."""

    suite: str
    certificates: Certificates

    @property
    def given(self) -> SuiteProofs:
        """Return itself, which also says which rows are tasks."""
        return self

    @property
    def schema(self) -> RowSchema:
        """The schema of the suite's tasks."""
        return self.certificates.tasks.schema

    @property
    def columns(self) -> Sequence[Column]:
        """The columns of proofs."""
        return PROOF

    def check(self, line: RowLine) -> str | Sequence[Problem]:
        """Return the id of a task, or what is wrong with it."""
        tasks = self.certificates.tasks
        with suite_errors(f"The suite {self.suite} failed in certificates"):
            try:
                return tasks.name(tasks.read(line.row, line.place))
            except InputError as error:
                return error.problems

    def twice(self, place: str, first: str, key: str | None = None) -> Problem:
        """Return the problem of a task whose id the task at another place has."""
        return named_twice(place, f"that of {first}")

    def options(self) -> dict[str, Any]:
        """Return the suite. All else that faults depend on is in the tasks."""
        return {"suite": self.suite}

    @contextmanager
    def open(self, threads: int) -> Iterator[Callable[[RowLine], Row]]:
        """Give what proves a row."""
        tasks, prove = self.certificates.tasks, self.certificates.prove

        def proven(line: RowLine) -> Row:
            with suite_errors(f"The suite {self.suite} failed in certificates"):
                task = tasks.read(line.row, "the task")
                return {"task_id": tasks.name(task), "faults": prove(task)}

        yield proven


class ProofFacts(RowFacts):
    """Counts the tasks with faults."""

    def __init__(self) -> None:
        self.wrong = 0

    def add(self, given: Row, made: Row) -> None:
        """Take in a proof."""
        self.wrong += bool(made["faults"])

    def as_row(self) -> Mapping[str, Any]:
        """Return the facts as plain data."""
        return {"wrong": self.wrong}
