"""The first skill that fails along a chain, in which each skill builds on those before it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from herobench.analysis.diagnosis.evidence import TaskEvidence


@dataclass(frozen=True, slots=True)
class Failing:
    """One link of a chain: of how many tasks it is the first that fails. Tasks with several plans count in shares."""

    skill: str | None
    """The skill; None for tasks in which no skill of the chain fails."""
    lost: float
    """Lost plans among these tasks."""
    won: float


@dataclass(frozen=True, slots=True)
class Chain:
    """A chain over the tasks that were asked of all its skills."""

    links: tuple[Failing, ...]
    """The skills in their order, then None."""
    tasks: int

    @property
    def lost(self) -> float:
        """All lost plans of these tasks."""
        return sum(link.lost for link in self.links)

    @property
    def won(self) -> float:
        """All won plans of these tasks."""
        return sum(link.won for link in self.links)


def chain_of(tasks: Sequence[TaskEvidence], skills: Sequence[str]) -> Chain:
    """Count for each skill of a chain the tasks in which it is the first with a wrong answer."""
    told = [task for task in tasks if all(skill in task.answers for skill in skills)]
    first = [next((skill for skill in skills if (task.share(skill) or 0.0) < 1), None) for task in told]
    links = []
    for skill in (*skills, None):
        own = [task.success for task, failing in zip(told, first, strict=True) if failing == skill]
        links.append(Failing(skill, len(own) - sum(own), sum(own)))
    return Chain(tuple(links), len(told))
