"""The work of `herobench score` on a cluster: rows of answers become scored rows."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from herobench.analysis.checked_reading import reading_of
from herobench.analysis.suites.rpg.flat_rows import SUITE, sample_of_scored
from herobench.analysis.summary import Tally
from herobench.analysis.terms import Terms
from herobench.cluster.parts import Part, rows_of
from herobench.cluster.shard import Shard, Written
from herobench.cluster.tables import SCORED_TABLE, Types
from herobench.errors import Problem
from herobench.rows import RowLine, dump_row
from herobench.rpg.answer_file import Answer, only_first, refusal_of
from herobench.rpg.batch import score_answer
from herobench.rpg.rules import Rules
from herobench.rpg.scoring import SCORER
from herobench.rpg.task import Task
from herobench.rpg.world import World
from herobench.sandbox import Sandbox

SCHEMA = "answer"


@dataclass(frozen=True, slots=True)
class AnswerCheck:
    """Says which rows of answers can be scored, and which answers are to the same attempt."""

    tasks: frozenset[str]

    def __call__(self, line: RowLine) -> str | Sequence[Problem]:
        """Return the task and the epoch of an answer, or what is wrong with it."""
        problem = refusal_of(line, self.tasks)
        return [problem] if problem else dump_row({line.row["task_id"]: int(line.row.get("epoch", 0))})


def answered_twice(place: str, first: str) -> Problem:
    """Return the problem of an answer to an attempt that an earlier row answers."""
    return Problem(place, "$.task_id", only_first(first))


@dataclass(frozen=True, slots=True)
class Scoring:
    """Scores answers to the tasks of one world under one edition of the rules."""

    world: str
    """The source of the world."""
    rules: Rules
    tasks: Mapping[str, str]
    """The rows of the tasks by id, as JSON: each worker holds them all, and as text they take a fifth of the memory."""

    @classmethod
    def of(cls, world: World, rules: Rules, tasks: Mapping[str, Task]) -> Scoring:
        """Return the work of scoring answers to these tasks."""
        return cls(world.source, rules, {id: dump_row(task.as_row()) for id, task in tasks.items()})

    @property
    def table(self) -> Types:
        """The columns of scored rows."""
        return SCORED_TABLE

    def options(self) -> dict[str, Any]:
        """Return all that scored rows depend on beside the answers, as plain data."""
        tasks = hashlib.sha256("".join(self.tasks.values()).encode()).hexdigest()
        world = World.from_source(self.world).digest
        return {"tasks": tasks, "rules": self.rules.name, "world": world, "scorer": SCORER}

    def opened(self) -> ScoredRows:
        """Open a sandbox in this process."""
        return ScoredRows(self)

    def facts(self) -> ScoreFacts:
        """Return the facts of no row yet."""
        return ScoreFacts()


class ScoredRows:
    """Scores answers in a sandbox of its own."""

    def __init__(self, scoring: Scoring) -> None:
        self.rules = scoring.rules
        self.known = frozenset(scoring.tasks)
        self._rows = scoring.tasks
        self._sandbox = Sandbox(World.from_source(scoring.world), scoring.rules)
        self._task = lru_cache(maxsize=1024)(self._read)

    def _read(self, task_id: str) -> Task:
        return Task.from_row(json.loads(self._rows[task_id]))

    def of(self, shard: Shard) -> Iterator[Mapping[str, Any]]:
        """Yield the scored rows of the answers in a shard that can be scored."""
        assert isinstance(shard.given, Part)
        for number, line in rows_of(shard.given, SCHEMA):
            if number not in shard.without and not line.problems and not refusal_of(line, self.known):
                yield self.scored(line.row)

    def scored(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """Return the scored row of an answer to a known task."""
        answer = Answer.from_row(row, self.rules)
        return score_answer(self._sandbox, self._task(answer.task_id), answer)

    def close(self) -> None:
        """End the sandbox."""
        self._sandbox.close()


class ScoreFacts:
    """Adds up scored rows by group, and notes the terms of their tasks, for the summary of `herobench score`."""

    def __init__(self) -> None:
        self.tally, self.terms = Tally(), Terms()
        self._reading = reading_of(SUITE)

    def add(self, row: Mapping[str, Any]) -> None:
        """Take in a scored row."""
        sample = sample_of_scored({**row, "events": None})
        if self._reading.counts(sample):
            self.tally.add(sample)
            self.terms.add(sample, self._reading)

    def as_row(self) -> dict[str, Any]:
        """Return the facts as plain data."""
        return {"tally": self.tally.as_row(), "terms": self.terms.as_row()}

    @classmethod
    def of(cls, written: Iterable[Written]) -> ScoreFacts:
        """Return the facts of all shards together."""
        whole = cls()
        for one in written:
            whole.tally.merge(one.facts["tally"])
            whole.terms.merge(one.facts["terms"], whole._reading)
        return whole
