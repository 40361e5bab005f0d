"""Reads answers files: JSONL, one line for each reply of a model to a task.

`herobench score` reads them here; the suite makes an `Answer` of each reply that it gets.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from herobench.data.errors import Problem
from herobench.data.rows import only_first, read_lines, refusal_of
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.play.plan import extract_code


@dataclass(frozen=True, slots=True)
class FileAnswer:
    """One answer with its plan; None if the answer has no plan."""

    task_id: str
    epoch: int
    plan: str | None
    model: str | None
    tokens: int | None

    @classmethod
    def from_row(cls, row: Mapping[str, Any], rules: Rules) -> FileAnswer:
        """Build from a row that the schema accepts. The rules say what counts as a plan."""
        tokens = row.get("tokens")
        return cls(
            task_id=row["task_id"],
            epoch=int(row.get("epoch", 0)),
            plan=_plan(row, rules),
            model=row.get("model"),
            tokens=None if tokens is None else int(tokens),
        )


def _plan(row: Mapping[str, Any], rules: Rules) -> str | None:
    """Return the plan of a row. A sample of a run is an answer too: its last reply holds the plan."""
    stop: str | None = None
    if "replies" in row:
        last = row["replies"][-1] if row["replies"] else {}
        row, stop = {"answer": last.get("text"), "plan": last.get("answer")}, last.get("stop")
    plan: str | None = row.get("code", row.get("plan"))
    text: str | None = row.get("answer")
    return extract_code(text, rules.cut_thoughts, stop) if plan is None and text is not None else plan


def read_answers(
    path: str | os.PathLike[str], tasks: Mapping[str, Task], rules: Rules
) -> Iterator[FileAnswer | Problem]:
    """Yield the answers of a file in order, and between them the problems with it."""
    seen: dict[tuple[str, int], str] = {}
    for line in read_lines(path, "answer"):
        if line.problems:
            yield from line.problems
            continue
        answer = FileAnswer.from_row(line.row, rules)
        key = (answer.task_id, answer.epoch)
        if problem := refusal_of(line, tasks):
            yield problem
        elif key in seen:
            yield Problem(line.place, "$.task_id", only_first(seen[key]), answer.task_id)
        else:
            seen[key] = line.place
            yield answer
