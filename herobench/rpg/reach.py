"""The reach of a hero: all that any plan of a task can lead to, at most. It proves that a task is impossible.

`task_gen/unsolvable` computes it when a task is made, and checks it when a task is validated. Nothing here judges it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from herobench.rpg.world import Code


@dataclass(frozen=True)
class Reach:
    """An upper bound on what a hero can reach: his levels, what he can have, and whom he can beat."""

    level: int
    skills: Mapping[str, int]
    items: frozenset[Code]
    beaten: frozenset[Code]

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> Reach:
        """Build from the `impossible` of a task row."""
        return cls(
            level=int(row["level"]),
            skills=MappingProxyType({skill: int(level) for skill, level in row["skills"].items()}),
            items=frozenset(row["items"]),
            beaten=frozenset(row["beaten"]),
        )

    def as_row(self) -> dict[str, Any]:
        """Return the `impossible` of a task row."""
        return {
            "level": self.level,
            "skills": dict(self.skills),
            "items": sorted(self.items),
            "beaten": sorted(self.beaten),
        }
