"""The contract of a suite's validation and audit: what `herobench validate` and `herobench audit` need to know.

A suite whose tasks carry certificates returns `Certificates` by its method `certificates`. They say how to read a row
of a tasks file, and how to prove the certificate of one task. A suite whose proofs take more than a row, such as a
world, returns a `ProofWork` by its method `proof_work` instead. The command spreads proofs over processes.

A suite that knows shallow strategies returns a `TaskFigures` by its method `audit`, and the command prints it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from herobench.data.errors import InputError, Problem, UsageError
from herobench.data.rows import NamedRows, RowLine, dump_row, named_twice, write_rows
from herobench.suite.checked import closing_suite, open_suite, read_tasks, suite_class, suite_errors
from herobench.suite.contract import SuiteSetting
from herobench.work.rows import Row, RowFacts, RowWork


@dataclass(frozen=True, slots=True)
class Certificates:
    """How a suite proves the certificates of its tasks."""

    tasks: NamedRows[Any]
    """Reads the rows of a tasks file as tasks, which may be anything that can be pickled."""
    prove: Callable[[Any], list[str]]
    """Returns a sentence for each claim of a task's certificate that does not hold. It has to be a function of a
    module, since other processes call it."""


class ProofWork(RowWork):
    """Proves the certificates of rows of tasks."""

    def file(self, tasks: Path) -> AbstractContextManager[Path]:
        """Give the tasks file at a path, which may be the name of a shipped dataset."""
        return nullcontext(tasks)

    def gather(self, problems: list[Problem], file: str) -> list[Problem]:
        """Return the problems of a file without any task, or one that stands for all of them."""
        return problems


def proof_work(suite: str, setting: SuiteSetting) -> ProofWork:
    """Return what proves certificates of a suite. Raise UsageError for a suite without proofs."""
    with suite_errors(suite, "certificates"):
        own = suite_class(suite).proof_work(setting)
        if own is not None:
            return own
        if setting.options:
            foreign = min(setting.options)
            raise UsageError(f"Proofs of the suite {suite} take no settings: leave out --{foreign}.")
        certificates = suite_class(suite).certificates()
    if certificates is None:
        raise UsageError(f"The suite {suite} has no certificates to prove again.")
    return SuiteProofs(suite, certificates)


@dataclass(frozen=True)
class SuiteProofs(ProofWork):
    """Proves rows of tasks of a suite by its certificates."""

    suite: str
    certificates: Certificates

    @property
    def row_check(self) -> SuiteProofs:
        """Return itself, which also says which rows are tasks."""
        return self

    @property
    def schema(self) -> str:
        """The schema of the suite's tasks."""
        return self.certificates.tasks.schema

    @contextmanager
    def file(self, tasks: Path) -> Iterator[Path]:
        """Give the tasks file at a path. The name of a set that the suite ships gives a file of its rows."""
        dataset = suite_class(self.suite).shipped_dataset(str(tasks))
        if dataset is None:
            yield tasks
            return
        with TemporaryDirectory() as folder, closing_suite(open_suite(self.suite, SuiteSetting(dataset))) as suite:
            file = Path(folder) / f"{dataset}.jsonl"
            write_rows(file, (task.row for task in read_tasks(suite)))
            yield file

    def check(self, line: RowLine) -> str | Sequence[Problem]:
        """Return the name and the id of a task, or what is wrong with it."""
        tasks = self.certificates.tasks
        with suite_errors(self.suite, "certificates"):
            try:
                return dump_row({tasks.name(tasks.read(line.row, line.place)): line.row.get("id")})
            except InputError as error:
                return error.problems

    def twice(self, place: str, first: str, key: str) -> Problem:
        """Return the problem of a task whose id the task at another place has."""
        (id,) = json.loads(key).values()
        return named_twice(place, id)

    @contextmanager
    def open(self, threads: int) -> Iterator[Callable[[RowLine], Row]]:
        """Give what proves a row."""
        tasks, prove = self.certificates.tasks, self.certificates.prove

        def prove_row(line: RowLine) -> Row:
            with suite_errors(self.suite, "certificates"):
                task = tasks.read(line.row, "the task")
                return {"task_id": tasks.name(task), "faults": prove(task)}

        yield prove_row


class ProofFacts(RowFacts):
    """Gathers the tasks with faults."""

    def __init__(self) -> None:
        self.faults: dict[str, Sequence[str]] = {}
        """The faults of the tasks that have some, by id and in order."""

    def add(self, proof: Row) -> None:
        """Take in a proof."""
        if proof["faults"]:
            self.faults[proof["task_id"]] = proof["faults"]

    def as_row(self) -> Mapping[str, Any]:
        """Return the faults by task."""
        return self.faults

    def merge(self, facts: Mapping[str, Any]) -> None:
        """Add the faults of other tasks."""
        self.faults.update(facts)


# -- the audit --------------------------------------------------------------------------------------------------------

Watch = Callable[[int], AbstractContextManager[Callable[[], None]]]
"""Shows progress: it is told the number of tasks, and gives what to call after each of them."""


class WinsTable(NamedTuple):
    """A table of figures: columns of names, then of figures. A header may have several lines."""

    names: Sequence[str]
    figures: Sequence[str]
    rows: Sequence[Sequence[str]]
    wrapped: Sequence[str] = ()
    """The columns whose cells may go on in the next line."""


@dataclass(frozen=True, slots=True)
class TaskFigures:
    """Figures of tasks: what shallow strategies win of them, or what they are like."""

    parts: Sequence[WinsTable | str]
    """Tables and sentences, which are fitted to the terminal."""
    row: Mapping[str, Any] | None = None
    """The figures as plain data, for --json."""
