"""The work of `herobench generate` on a cluster: the numbers of tasks become rows of tasks."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from herobench.cluster.parts import Part
from herobench.cluster.shard import Shard
from herobench.cluster.tables import TASK_TABLE, Types
from herobench.rpg.rules import Rules
from herobench.rpg.world import World
from herobench.task_gen.generator import generator
from herobench.task_gen.spec import Spec


@dataclass(frozen=True, slots=True)
class Making:
    """Makes the tasks of a spec in one world."""

    world: str
    """The source of the world."""
    rules: Rules
    spec: Spec

    @property
    def table(self) -> Types:
        """The columns of tasks."""
        return TASK_TABLE

    def opened(self) -> MadeRows:
        """Open a generator in this process."""
        return MadeRows(self)

    def facts(self) -> NoFacts:
        """Return the facts of no row."""
        return NoFacts()

    def options(self, numbers: Sequence[int]) -> dict[str, Any]:
        """Return all that the tasks of these numbers depend on, as plain data."""
        world = World.from_source(self.world)
        spec = {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self.spec).items()}
        return {**spec, "rules": self.rules.name, "world": world.digest, "numbers": _told(numbers)}


def _told(numbers: Sequence[int]) -> str:
    """Return numbers as a short text: the first and the last of a range, else a digest."""
    if isinstance(numbers, range) and numbers.step == 1:
        return f"{numbers.start}-{numbers.stop - 1}"
    return hashlib.sha256(",".join(map(str, numbers)).encode()).hexdigest()


def numbered_shards(numbers: Sequence[int], rows: int) -> list[Shard]:
    """Return the shards of numbered tasks, each of at most so many."""
    return [Shard(at // rows, numbers[at : at + rows]) for at in range(0, len(numbers), rows)]


class MadeRows:
    """Makes tasks with a generator of its own."""

    def __init__(self, making: Making) -> None:
        self._generator = generator(World.from_source(making.world), making.rules, making.spec)

    def of(self, shard: Shard) -> Iterator[Mapping[str, Any]]:
        """Yield the rows of the tasks of a shard."""
        assert not isinstance(shard.given, Part)
        return (self.made(number) for number in shard.given)

    def made(self, number: int) -> dict[str, Any]:
        """Return the row of one task. Raise UsageError if there is no such task."""
        return self._generator.task(number).as_row()

    def close(self) -> None:
        """Do nothing: a generator holds no process."""


class NoFacts:
    """The summary of `herobench generate` needs nothing but the number of rows."""

    def add(self, row: Mapping[str, Any]) -> None:
        """Take in a row."""

    def as_row(self) -> dict[str, Any]:
        """Return no facts."""
        return {}
