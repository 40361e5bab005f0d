"""Scores rows of answers files one by one, behind the contract of work on rows: on clusters and in pipelines.

`bulk` scores a whole file on one machine. The rows are the same.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from herobench.data.columns import Column
from herobench.data.rows import AnswerCheck, dump_row
from herobench.sandbox import Sandbox
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.scoring import SCORER
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.play.columns import SCORED
from herobench.suites.rpg.play.execution import score_answer
from herobench.suites.rpg.play.plan import FileAnswer
from herobench.work.rows import Row

_KEPT = 1024
"""The number of tasks that a process keeps at hand."""


@dataclass(frozen=True, slots=True)
class AnswerWork:
    """Scores answers to the tasks of one world under one edition of the rules."""

    world: str
    """The source of the world."""
    rules: Rules
    tasks: Mapping[str, str]
    """The rows of the tasks by id, as JSON. A process holds them all, and texts take a fifth of the memory."""

    @classmethod
    def of(cls, world: World, rules: Rules, tasks: Mapping[str, Task]) -> AnswerWork:
        """Return the work of scoring answers to these tasks."""
        return cls(world.source, rules, {id: dump_row(task.as_row()) for id, task in tasks.items()})

    @property
    def given(self) -> AnswerCheck:
        """Say which answers can be scored."""
        return AnswerCheck(frozenset(self.tasks))

    @property
    def columns(self) -> Sequence[Column]:
        """The columns of scored rows."""
        return SCORED

    def options(self) -> dict[str, Any]:
        """Return all that scored rows depend on beside the answers."""
        tasks = hashlib.sha256("".join(self.tasks.values()).encode()).hexdigest()
        world = World.from_source(self.world).digest
        return {"tasks": tasks, "rules": self.rules.name, "world": world, "scorer": SCORER}

    def opened(self) -> ScoredAnswers:
        """Open a sandbox in this process."""
        return ScoredAnswers(self)


class ScoredAnswers:
    """Scores answers in a sandbox of its own."""

    def __init__(self, work: AnswerWork) -> None:
        self._rules = work.rules
        self._rows = work.tasks
        self._sandbox = Sandbox(World.from_source(work.world), work.rules)
        self._task = lru_cache(_KEPT)(self._read)

    def _read(self, task_id: str) -> Task:
        return Task.from_row(json.loads(self._rows[task_id]))

    def made(self, row: Row) -> dict[str, Any]:
        """Return the scored row of an answer."""
        answer = FileAnswer.from_row(row, self._rules)
        return score_answer(self._sandbox, self._task(answer.task_id), answer)

    def close(self) -> None:
        """End the sandbox."""
        self._sandbox.close()
