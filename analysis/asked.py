"""The tasks that a run asked: those of a dataset, or private twins of them that were made for the run alone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Asked:
    """A dataset, with the seed of its twins if they were asked in its place."""

    dataset: str
    fresh: int | None = None
    attempts: int | None = None
    """How many samples a whole run has; None if that is not known."""

    @property
    def name(self) -> str:
        """The dataset's name, such as `base-v2`, or `base-v2 fresh (seed 7)` for twins."""
        return self.dataset if self.fresh is None else f"{self.dataset} fresh (seed {self.fresh})"


def dataset_of(asked: Asked | None) -> str | None:
    """Return the name of a dataset; None for the tasks of a file, which names none."""
    return asked.name if asked else None


def lacking_notes(told: Iterable[tuple[str, Asked | None, int]]) -> list[str]:
    """Return a sentence for each run that has fewer samples than its tasks and epochs give.

    `told` has the name of each run, what it asked, and the number of its samples.
    """
    return [
        f"{name} has {count} of the {asked.attempts} samples of its run: it is not over, or its file was cut."
        for name, asked, count in told
        if asked and asked.attempts is not None and count < asked.attempts
    ]


def fresh_notes(asked: Iterable[Asked | None]) -> list[str]:
    """Return a sentence if twins stand beside other tasks; None is the tasks of a file, which names no dataset."""
    told = list(asked)
    names = dict.fromkeys(each.name if each else "a file" for each in told)
    if len(names) < 2 or not any(each and each.fresh is not None for each in told):
        return []
    return [
        f"Private twins are other tasks than their originals, and each seed makes others: {', '.join(names)}. "
        "Compare two such runs with herobench compare, which pairs each task with its twin."
    ]
