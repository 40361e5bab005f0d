"""Scores rows of answers files to the tasks of any suite, for whoever works on rows in bulk.

A suite may define scored rows of its own. For other suites, answers are played as attempts, and the rows are results.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

from herobench.data.columns import AMOUNT, COUNT, FLAG, TEXT, Column
from herobench.data.errors import InputError
from herobench.data.rows import AnswerCheck, RowLine
from herobench.models.recording import replies_in
from herobench.scorer.query import TaskQuery
from herobench.scorer.scorer import Scorer
from herobench.suite.checked import answer_work
from herobench.suite.contract import SuiteSetting
from herobench.work.rows import Row, RowWork

_RESULT = (
    Column("task_id", TEXT, "The task."),
    Column("epoch", COUNT, "The number of the attempt at this task, from 0."),
    Column("model", TEXT, "The model, if the answer names it."),
    Column("tokens", COUNT, "The tokens of the answer, if it tells them."),
    Column("reward", AMOUNT, "The score as a fraction."),
    Column("won", FLAG, "Whether the attempt solved the task."),
    Column("given_turns", COUNT, "The turns of the oracle that were played first: none."),
    Column("score", AMOUNT, "The score in percent of an ideal attempt."),
    Column("progress", AMOUNT, "The score of what was reached before the attempt ended."),
    Column("failure", TEXT, "The suite's class of the loss."),
    Column("unfinished", TEXT, "Why the suite ended the attempt early."),
    Column("details", {"type": "object"}, "The suite's own columns."),
)


def scoring_work(suite: str, tasks: str | None, settings: Mapping[str, str]) -> RowWork:
    """Return the work of scoring answers to the tasks of a file or a dataset. Raise UsageError or InputError."""
    path = Path(tasks) if tasks is not None and Path(tasks).is_file() else None
    dataset = tasks if path is None else None
    own = answer_work(suite, SuiteSetting(dataset, path, settings))
    if own is not None:
        if own.problems:
            raise InputError(own.problems)
        return own
    query = TaskQuery(**settings, dataset=dataset, tasks=path, suite=suite, jobs=1)
    with Scorer(query) as scorer:
        return AttemptScoring(query, AnswerCheck(frozenset(scorer.tasks)))


@dataclass(frozen=True)
class AttemptScoring(RowWork):
    """Scores answers to a suite that defines no scored rows: plays each as an attempt."""

    query: TaskQuery
    row_check: AnswerCheck = field(default=AnswerCheck(frozenset()))
    """The check of answers: those to known tasks can be scored."""
    columns: ClassVar[Sequence[Column]] = _RESULT

    @contextmanager
    def open(self, threads: int) -> Iterator[Callable[[RowLine], Row]]:
        """Open the suite in this process."""
        with Scorer(self.query) as scorer:

            def score_line(line: RowLine) -> Row:
                row = line.row
                result = scorer.score(row["task_id"], replies_in(row), int(row.get("epoch", 0)))
                return {"model": row.get("model"), "tokens": row.get("tokens"), **result.as_row()}

            yield score_line
