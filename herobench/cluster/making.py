"""The work of `herobench generate` on a cluster: the numbers of tasks become rows of tasks."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from herobench.cluster.parts import FileRange
from herobench.cluster.shard import Shard
from herobench.cluster.tables import Types, task_types
from herobench.suite.generating import Numbered


@dataclass(frozen=True, slots=True)
class Making:
    """Makes tasks by their numbers."""

    tasks: Numbered

    @property
    def table(self) -> Types:
        """The columns of tasks."""
        return task_types(self.tasks.columns)

    def opened(self) -> Making:
        """Return itself: what takes time to open is opened for the first task."""
        return self

    def of(self, shard: Shard, facts: NoFacts) -> Iterator[Mapping[str, Any]]:
        """Yield the rows of the tasks of a shard."""
        assert not isinstance(shard.given, FileRange)
        return map(self.tasks.make, shard.given)

    def close(self) -> None:
        """Do nothing: a generator holds no process."""

    def facts(self) -> NoFacts:
        """Return the facts of no row."""
        return NoFacts()

    def options(self) -> dict[str, Any]:
        """Return all that the tasks depend on, as plain data."""
        return {**self.tasks.identity, "numbers": _told(self.tasks.numbers)}


def _told(numbers: Sequence[int]) -> str:
    """Return numbers as a short text: the first and the last of a range, else a digest."""
    if isinstance(numbers, range) and numbers.step == 1:
        return f"{numbers.start}-{numbers.stop - 1}"
    return hashlib.sha256(",".join(map(str, numbers)).encode()).hexdigest()


def numbered_shards(numbers: Sequence[int], rows: int) -> list[Shard]:
    """Return the shards of numbered tasks, each of at most so many."""
    return [Shard(at // rows, numbers[at : at + rows]) for at in range(0, len(numbers), rows)]


class NoFacts:
    """The summary of `herobench generate` needs nothing but the number of rows."""

    def as_row(self) -> dict[str, Any]:
        """Return no facts."""
        return {}
