"""The tasks that a run asked: those of a dataset, or private twins of them that were made for the run alone."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

_MOST_NAMED = 5
"""The runs with the same tasks that a sentence names."""


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


def task_notes(tasks: Mapping[str, Collection[str]]) -> list[str]:
    """Return a sentence if runs that are ranked together have different tasks; `tasks` has the task ids of each run."""
    runs: dict[frozenset[str], list[str]] = {}
    for name, ids in tasks.items():
        if ids:
            runs.setdefault(frozenset(ids), []).append(name)
    if len(runs) < 2:
        return []
    # what most runs have comes first
    told = [f"{_counted(len(ids))} in {_named(runs[ids])}" for ids in sorted(runs, key=lambda ids: -len(runs[ids]))]
    shared = len(frozenset.intersection(*runs))
    return [
        f"These runs have different tasks, so their figures do not compare: {'; '.join(told)}. "
        f"{_counted(shared) if shared else 'No task'} {'is' if shared < 2 else 'are'} in all of them. "
        "herobench compare pairs two runs over the tasks that both have."
    ]


def _counted(tasks: int) -> str:
    return f"{tasks} task{'s' * (tasks != 1)}"


def _named(runs: list[str]) -> str:
    more = f" and {len(runs) - _MOST_NAMED} more" if len(runs) > _MOST_NAMED else ""
    return f"{', '.join(runs[:_MOST_NAMED])}{more}"
