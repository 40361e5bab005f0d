"""Scores answers files of the treasure suite: an answer is the word that a model says after its look."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from herobench.data.columns import FLAG, TEXT, Column
from herobench.data.rows import AnswerCheck, RowLine
from herobench.work.rows import Row, RowWork


@dataclass(frozen=True)
class TreasureAnswers(RowWork):
    """Compares words with the treasures of some tasks."""

    treasures: dict[str, str]

    @property
    def row_check(self) -> AnswerCheck:
        return AnswerCheck(frozenset(self.treasures))

    @property
    def columns(self) -> Sequence[Column]:
        return (Column("task_id", TEXT, "The task."), Column("found", FLAG, "Whether it is the word."))

    def options(self) -> dict[str, Any]:
        return {"rules": "strict"}

    @contextmanager
    def open(self, threads: int) -> Iterator[Callable[[RowLine], Row]]:
        yield lambda line: {
            "task_id": line.row["task_id"],
            "found": line.row["answer"] == self.treasures[line.row["task_id"]],
        }
