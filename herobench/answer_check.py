"""Says which rows of answers files can be scored. It is the same for every suite."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass

from herobench.errors import Problem
from herobench.rows import RowLine, dump_row


def refusal_of(line: RowLine, tasks: Container[str]) -> Problem | None:
    """Return why a row that the schema accepts cannot be scored; None if it can."""
    if line.row.get("status", "ok") != "ok":
        return Problem(line.place, "$.status", "an answer, and this attempt got none", line.row["status"])
    if line.row["task_id"] not in tasks:
        return Problem(line.place, "$.task_id", "the id of one of the tasks", line.row["task_id"])
    return None


def only_first(earlier: str) -> str:
    """Return what was expected of a second answer to a task and epoch; `earlier` is the place of the first one."""
    return f"the first answer to this task and epoch, and {earlier} is"


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
        problem = refusal_of(line, self.tasks)
        return [problem] if problem else dump_row({line.row["task_id"]: int(line.row.get("epoch", 0))})

    def twice(self, place: str, first: str) -> Problem:
        """Return the problem of an answer to an attempt that an earlier row answers."""
        return Problem(place, "$.task_id", only_first(first))
