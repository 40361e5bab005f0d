"""Work that scores answers to the tasks of any suite, one by one.

A suite may have scored rows of its own. The answers of others are played into attempts, and the rows are results, as
`herobench.scorer` has them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from herobench.cluster.store import local_copy
from herobench.data.columns import AMOUNT, COUNT, FLAG, TEXT, Column
from herobench.data.rows import AnswerCheck
from herobench.models.recording import replies_in
from herobench.scorer import Scorer, TaskQuery
from herobench.suite.checked import suite_class, suite_errors
from herobench.suite.contract import SuiteSetting
from herobench.work.rows import Row, RowWork

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


def answers_of(suite: str, tasks: str | None, settings: Mapping[str, str | None]) -> RowWork:
    """Return the work of scoring answers to the tasks of a file or a dataset. Raise UsageError or InputError."""
    given = {name: value for name, value in settings.items() if value is not None}
    with local_copy(tasks or "") as path, suite_errors(f"The suite {suite} failed in answer_work"):
        is_file = tasks is not None and path.is_file()
        own = suite_class(suite).answer_work(SuiteSetting(None if is_file else tasks, path if is_file else None, given))
    if own is not None:
        return own
    work = SuiteAnswers(suite, tasks, given)
    with work.scorer() as scorer:
        return replace(work, known=frozenset(scorer.tasks))


@dataclass(frozen=True, slots=True)
class SuiteAnswers:
    """Scores answers behind the contract of a suite."""

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
        """Say which answers can be scored."""
        return AnswerCheck(self.known)

    @property
    def columns(self) -> Sequence[Column]:
        """The columns of results."""
        return _RESULT

    def opened(self) -> ScoredReplies:
        """Open the suite in this process."""
        return ScoredReplies(self.scorer())


@dataclass(frozen=True, slots=True)
class ScoredReplies:
    """Scores answers with a suite of its own."""

    scorer: Scorer

    def made(self, row: Row) -> dict[str, Any]:
        """Return the result of an answer."""
        result = self.scorer.score(row["task_id"], replies_in(row), int(row.get("epoch", 0)))
        return {"model": row.get("model"), "tokens": row.get("tokens"), **result.as_row()}

    def close(self) -> None:
        """End the suite."""
        self.scorer.close()
