"""Scores rows of answers files: `herobench score` on one machine or many, and pipelines."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from herobench.data.columns import Column
from herobench.data.rows import AnswerCheck, RowLine, dump_row
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.scoring import SCORER
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.play.columns import SCORED
from herobench.suites.rpg.play.execution import FileAnswer, score_answer
from herobench.suites.rpg.sandbox import Sandbox
from herobench.work.rows import Row, RowWork

_KEPT = 1024
"""The number of tasks that a process keeps at hand."""


@dataclass(frozen=True)
class AnswerWork(RowWork):
    """Scores answers to the tasks of one world under one edition of the rules, in a sandbox."""

    world: World
    rules: Rules
    tasks: Mapping[str, str]
    """The rows of the tasks by id, as JSON. A process holds them all, and texts take a fifth of the memory."""
    worth = 100
    batch = 8
    has_threads = True

    @classmethod
    def of(cls, world: World, rules: Rules, tasks: Mapping[str, Task]) -> AnswerWork:
        """Return the work of scoring answers to these tasks."""
        return cls(world, rules, {id: dump_row(task.as_row()) for id, task in tasks.items()})

    @property
    def row_check(self) -> AnswerCheck:
        """Say which answers can be scored."""
        return AnswerCheck(frozenset(self.tasks))

    @property
    def columns(self) -> Sequence[Column]:
        """The columns of scored rows."""
        return SCORED

    def options(self) -> dict[str, Any]:
        """Return everything but the answers that scored rows depend on."""
        tasks = hashlib.sha256("".join(self.tasks.values()).encode()).hexdigest()
        return {"tasks": tasks, "rules": self.rules.name, "world": self.world.digest, "scorer": SCORER}

    @contextmanager
    def open(self, threads: int) -> Iterator[Callable[[RowLine], Row]]:
        """Open a sandbox in this process."""

        @lru_cache(_KEPT)
        def task(task_id: str) -> Task:
            return Task.from_row(json.loads(self.tasks[task_id]))

        with Sandbox(self.world, self.rules, workers=threads) as sandbox:
            sandbox.warm_up()

            def score_line(line: RowLine) -> Row:
                answer = FileAnswer.from_row(line.row, self.rules)
                return score_answer(sandbox, task(answer.task_id), answer)

            yield score_line
