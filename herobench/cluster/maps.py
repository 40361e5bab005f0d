"""Callables for Ray Data's `map_batches`: an actor that owns a suite or its sandbox, and one that owns a generator.

An exception in such a callable ends the whole dataset, or hangs it. So neither raises: an error of a row becomes a row
with the column `error`. A pool of actors as large as the cluster hangs too, because no CPU is left to read the data:
`map_options` returns a pool that leaves one CPU free, and refuses a larger one. It also checks the options before any
actor is started.

A suite may define its own scored rows. For other suites, answers are played as attempts, and the rows are results of
`herobench.scorer`.
"""

from __future__ import annotations

import atexit
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from typing import Any

from herobench.cluster.row_files import Types, arrow_table, column_types, task_types
from herobench.cluster.store import local_copy
from herobench.data.columns import AMOUNT, COUNT, FLAG, TEXT, Column
from herobench.data.documents import schema_problems
from herobench.data.errors import InputError, UsageError
from herobench.data.rows import AnswerCheck, RowLine
from herobench.models.recording import replies_in
from herobench.scorer import Scorer, TaskQuery
from herobench.suite.checked import answer_work
from herobench.suite.contract import DEFAULT_SUITE, SuiteSetting
from herobench.suite.generating import tasks_by_options
from herobench.work.rows import Row, RowWork

CPUS = 0.5
"""The CPUs of an actor, as Ray counts them."""
_ROWS = 256
"""The rows of a batch: a few seconds of work, which are repeated if an actor is lost."""


class Score:
    """Scores batches of answers to the tasks of a suite. Each actor has a suite of its own, or a sandbox.

    A batch has the columns of an answers file: `task_id`, one of `code`, `answer` and `replies`, and perhaps `epoch`,
    `model` and `tokens`. The result has a row for each answer, in order. Its columns are those of the suite's scored
    rows without the events (or of a result), and `error`, the reason why an answer could not be scored.
    """

    def __init__(self, tasks: str | None = None, suite: str = DEFAULT_SUITE, **settings: str | None) -> None:
        self._work = scoring_work(suite, tasks, settings)
        self._table: Types = {**column_types(self._work.columns), "error": "text"}
        self._check = self._work.given
        self._made: Callable[[RowLine], Row] | None = None
        self._held = ExitStack()

    def close(self) -> None:
        """End the sandbox. It also ends when the actor is killed, since its worker then reads the end of its input."""
        self._made = None
        self._held.close()

    def __call__(self, batch: Any) -> Any:
        """Return a table with a scored row for each answer of a table."""
        return arrow_table((self._scored(number, row) for number, row in enumerate(batch.to_pylist())), self._table)

    def _scored(self, number: int, columns: Mapping[str, Any]) -> Mapping[str, Any]:
        row = _without_nulls(columns)
        try:
            if self._made is None:
                self._made = self._held.enter_context(self._work.open(1))
                atexit.register(self.close)
            line = RowLine(f"row {number} of a batch", row, ())
            wrong = schema_problems(row, "answer", line.place) or self._check.check(line)
            return self._made(line) if isinstance(wrong, str) else {**_named(row), "error": str(wrong[0])}
        except Exception as error:
            return {**_named(row), "error": _told(error)}


def _named(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the columns that identify an answer, without values of wrong types."""
    kinds = {"task_id": str, "epoch": int, "model": str, "tokens": int}
    return {name: row[name] for name, kind in kinds.items() if isinstance(row.get(name), kind)}


def _without_nulls(row: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if value is not None}


class Generate:
    """Makes the tasks of a suite whose numbers are in the column `id` of a batch, as `ray.data.range` makes it.

    The options are those of the suite's generator. For the RPG they are `world`, `rules` and those of a spec: `seed`,
    `brackets`, `kind`, `knowledge` and so on. The result has the columns `index`, `id` (for the RPG `kind`, `target`
    and `difficulty` too), `task` (the task as JSON), and `error`.
    """

    def __init__(self, suite: str = DEFAULT_SUITE, **options: Any) -> None:
        self._tasks = tasks_by_options(suite, options)
        types = task_types(self._tasks.columns)
        self._table: Types = {"index": "integer", **types, "task": "json", "error": "text"}

    def __call__(self, batch: Any) -> Any:
        """Return a table with a task for each number of a table."""
        return arrow_table(map(self._made, batch.column("id").to_pylist()), self._table)

    def _made(self, number: int) -> Mapping[str, Any]:
        try:
            row = self._tasks.make(number)
            return {**row, "task": row, "index": number}
        except Exception as error:
            return {"index": number, "error": _told(error)}


def _told(error: Exception) -> str:
    return str(error) or type(error).__name__


def map_options(kind: type[Score | Generate], workers: int | None = None, **options: Any) -> dict[str, Any]:
    """Return the keywords for `map_batches` with one of the classes: its options, and a pool that cannot hang.

    `workers` is the number of actors; by default one less than the CPUs. Raise UsageError for wrong options, and for a
    pool that leaves no CPU to read the data.
    """
    kind(**options)
    import ray.data

    cpus = float(ray.cluster_resources().get("CPU", 0)) if ray.is_initialized() else float(os.cpu_count() or 1)
    wanted = workers or max(1, int(cpus) - 1)
    if wanted * CPUS >= cpus:
        raise UsageError(
            f"{wanted} workers of {CPUS} CPUs each take all of the {cpus:g} CPUs of the cluster. None is left to "
            "read the data, and the dataset would hang: ask for fewer workers."
        )
    return {
        "fn_constructor_kwargs": options,
        "batch_format": "pyarrow",
        "batch_size": _ROWS,
        "compute": ray.data.ActorPoolStrategy(size=wanted),
        "num_cpus": CPUS,
    }


# -- answers to other suites ------------------------------------------------------------------------------------------

_RESULT = (
    Column("task_id", TEXT, "The task."),
    Column("epoch", COUNT, "The number of the attempt at this task, from 0."),
    Column("model", TEXT, "The model, if the answer names it."),
    Column("tokens", COUNT, "The tokens of the answer, if it tells them."),
    Column("reward", AMOUNT, "The score as a fraction."),
    Column("won", FLAG, "Whether the attempt solved the task."),
    Column("score", AMOUNT, "The score in percent of an ideal attempt."),
    Column("progress", AMOUNT, "The score of what was reached before the attempt ended."),
    Column("failure", TEXT, "The suite's class of the loss."),
    Column("unfinished", TEXT, "Why the suite ended the attempt early."),
    Column("details", {"type": "object"}, "The suite's own columns."),
)


def scoring_work(suite: str, tasks: str | None, settings: Mapping[str, str | None]) -> RowWork:
    """Return the work of scoring answers to the tasks of a file or a dataset. Raise UsageError or InputError."""
    given = {name: value for name, value in settings.items() if value is not None}
    with local_copy(tasks or "") as path:
        is_file = tasks is not None and path.is_file()
        own = answer_work(suite, SuiteSetting(None if is_file else tasks, path if is_file else None, given))
    if own is not None:
        if own.problems:
            raise InputError(own.problems)
        return own
    work = SuiteAnswers(suite, tasks, given)
    with work.scorer() as scorer:
        return replace(work, known=frozenset(scorer.tasks))


@dataclass(frozen=True)
class SuiteAnswers(RowWork):
    """Scores answers to a suite that defines no scored rows: plays each as an attempt."""

    suite: str
    tasks: str | None
    """A file, a URL or the name of a dataset; None for the default dataset."""
    settings: Mapping[str, str]
    known: frozenset[str] = frozenset()
    """The ids of the tasks."""

    def scorer(self) -> Scorer:
        """Open the suite."""
        with local_copy(self.tasks or "") as path:
            named = {"tasks": path} if path.is_file() else {"dataset": self.tasks}
            return Scorer(TaskQuery(**self.settings, **named, suite=self.suite, jobs=1))

    @property
    def given(self) -> AnswerCheck:
        """The check of answers: those to known tasks can be scored."""
        return AnswerCheck(self.known)

    @property
    def columns(self) -> Sequence[Column]:
        """The columns of results."""
        return _RESULT

    @contextmanager
    def open(self, threads: int) -> Iterator[Callable[[RowLine], Row]]:
        """Open the suite in this process."""
        with self.scorer() as scorer:

            def scored(line: RowLine) -> Row:
                row = line.row
                result = scorer.score(row["task_id"], replies_in(row), int(row.get("epoch", 0)))
                return {"model": row.get("model"), "tokens": row.get("tokens"), **result.as_row()}

            yield scored
