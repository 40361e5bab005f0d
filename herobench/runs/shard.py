"""A share of a run: one of several machines asks one part of the tasks, and `merge` puts the parts together again."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, zip_longest
from typing import TypeVar

from herobench.errors import UsageError
from herobench.suite import TaskInfo

_WRITTEN = re.compile(r"([0-9]{1,6})/([0-9]{1,6})", re.ASCII)
_Thing = TypeVar("_Thing")


@dataclass(frozen=True, slots=True)
class Share:
    """One part of several, as a user names it: `2/3` is every third task, beginning with the second."""

    part: int
    parts: int

    @classmethod
    def of(cls, text: str) -> Share:
        """Read a share such as 2/3. Raise UsageError for anything else."""
        found = _WRITTEN.fullmatch(text.strip())
        if not found or not 1 <= int(found[1]) <= int(found[2]):
            raise UsageError(f"A shard is a part of several, such as 2/3 for the second of three, and not {text!r}.")
        return cls(int(found[1]), int(found[2]))

    def tasks(self, tasks: Mapping[str, TaskInfo]) -> dict[str, TaskInfo]:
        """Return the tasks of this share. Raise UsageError when there are none."""
        if self.parts > len(tasks):
            raise UsageError(f"{len(tasks)} tasks cannot be shared among {self.parts} shards: make fewer of them.")
        return dict(islice(tasks.items(), self.part - 1, None, self.parts))


@dataclass(frozen=True, slots=True)
class Shard:
    """The share that a run has, and the tasks that it is a share of."""

    part: int
    parts: int
    tasks: str
    """SHA-256 of the tasks of all shards together."""
    identity: Mapping[str, str] = field(default_factory=dict)
    """`Suite.identity()` for the tasks of all shards together."""


def whole(shares: Sequence[Sequence[_Thing]]) -> list[_Thing]:
    """Return what was shared, in its order, from all shares in theirs."""
    missing = object()
    rounds = zip_longest(*shares, fillvalue=missing)
    return [thing for each in rounds for thing in each if thing is not missing]  # type: ignore[misc]
