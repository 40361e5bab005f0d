"""The work of `herobench validate` on a cluster: rows of tasks become rows of faults."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from herobench.cluster.manifest import Manifest
from herobench.cluster.parts import Part, rows_of
from herobench.cluster.shard import Shard
from herobench.cluster.tables import PROOF_TABLE, Types
from herobench.errors import Problem
from herobench.rows import RowLine
from herobench.rpg.rules import Rules
from herobench.rpg.scoring import SCORER
from herobench.rpg.task import Task
from herobench.rpg.task_file import id_twice, task_problems
from herobench.rpg.world import World
from herobench.sandbox import Sandbox
from herobench.task_gen.validation import faults

SCHEMA = "task"
_world = lru_cache(maxsize=2)(World.from_source)


@dataclass(frozen=True, slots=True)
class TaskCheck:
    """Says which rows of tasks belong to a world, and which have the same id."""

    world: str
    """The source of the world."""

    def __call__(self, line: RowLine) -> str | Sequence[Problem]:
        """Return the id of a task, or what is wrong with it."""
        return list(task_problems(line.row, _world(self.world), line.place)) or str(line.row["id"])


def named_twice(place: str, first: str) -> Problem:
    """Return the problem of a task whose id the task at another place has."""
    return id_twice(place, f"that of {first}")


@dataclass(frozen=True, slots=True)
class Proving:
    """Proves the certificates of tasks of one world."""

    world: str
    """The source of the world."""
    rules: Rules

    @property
    def table(self) -> Types:
        """The columns of faults."""
        return PROOF_TABLE

    def options(self) -> dict[str, Any]:
        """Return all that the faults depend on beside the tasks, as plain data."""
        return {"rules": self.rules.name, "world": _world(self.world).digest, "scorer": SCORER}

    def opened(self) -> ProvenRows:
        """Open a sandbox in this process."""
        return ProvenRows(self)

    def facts(self) -> ProofFacts:
        """Return the facts of no row yet."""
        return ProofFacts()


class ProvenRows:
    """Proves certificates in a sandbox of its own."""

    def __init__(self, proving: Proving) -> None:
        self._check = TaskCheck(proving.world)
        self._sandbox = Sandbox(_world(proving.world), proving.rules)

    def of(self, shard: Shard) -> Iterator[Mapping[str, Any]]:
        """Yield the id of each task of a shard that could be read, and its faults."""
        assert isinstance(shard.given, Part)
        for number, line in rows_of(shard.given, SCHEMA):
            if number not in shard.without and not line.problems and isinstance(self._check(line), str):
                task = Task.from_row(line.row)
                found = faults(self._sandbox.world, self._sandbox.rules, task, self._sandbox.execute)
                yield {"task_id": task.id, "faults": found}

    def close(self) -> None:
        """End the sandbox."""
        self._sandbox.close()


class ProofFacts:
    """Counts the tasks with faults, which the summary of `herobench validate` tells."""

    def __init__(self) -> None:
        self._wrong = 0

    def add(self, row: Mapping[str, Any]) -> None:
        """Take in a row."""
        self._wrong += bool(row["faults"])

    def as_row(self) -> dict[str, Any]:
        """Return the facts as plain data."""
        return {"wrong": self._wrong}


def faults_in(manifest: Manifest) -> dict[str, list[str]]:
    """Return the faults of the tasks that have some, by id and in order."""
    rows = manifest.rows(lambda written: written.facts["wrong"] > 0)
    return {row["task_id"]: row["faults"] for row in rows if row["faults"]}
