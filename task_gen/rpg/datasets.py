"""Named datasets: task sets of the classic world with fixed options and seeds, so that everyone has the same tasks.

A name such as `base` means its version, such as `base-v2`, which the generator reproduces byte for byte. A change of
the bytes is a new version.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import as_file
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from herobench.data.documents import content_folder
from herobench.data.errors import UsageError
from herobench.suites.rpg.game.task import STEPS, Task
from herobench.suites.rpg.game.world import PLAIN, Names, World
from herobench.suites.rpg.worlds.content import load_world
from herobench.suites.rpg.worlds.renamed import renamed_row
from herobench.suites.rpg.worlds.task_file import load_tasks
from herobench.task_gen.rpg.refusals import TaskFault
from herobench.task_gen.rpg.tasks.spec import DEFAULT_DATASET, NOISE, Spec

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


_EACH_STEP = 2
"""The number of tasks of each difficulty in the base dataset."""
_PAPER_STEPS = range(3, 98)
"""The difficulties of the paper's own set. The paper also names 2, which no task has."""


@dataclass(frozen=True, slots=True)
class Dataset:
    """A named set of tasks: its version, its options and its size."""

    version: str
    spec: Spec
    count: int

    def with_seed(self, seed: int | None) -> Dataset:
        """Return the same kind of set with another seed; None keeps the seed."""
        return self if seed is None else replace(self, spec=replace(self.spec, seed=seed))

    def numbers(self) -> Sequence[int]:
        """Return the numbers of its tasks, ordered by bracket."""
        # Brackets take turns by number, so the remainder is the bracket: the file lists one bracket after the other.
        turns = len(self.spec.brackets)
        return list(range(self.count)) if self.spec.steps else sorted(range(self.count), key=lambda i: i % turns)


_BASE = Spec(seed=1, craft_share=0.2)
_HARDEST = replace(_BASE, brackets=(9,))
DATASETS: Mapping[str, Dataset] = MappingProxyType(
    {
        "base": Dataset("base-v2", _BASE, 9 * STEPS * _EACH_STEP),
        "leveling": Dataset("leveling-v1", replace(_HARDEST, leveling=True), STEPS * _EACH_STEP),
        "noise": Dataset("noise-v2", replace(_HARDEST, noise=NOISE), STEPS * _EACH_STEP),
        "decoys": Dataset("decoys-v2", replace(_HARDEST, knowledge="decoys"), STEPS * _EACH_STEP),
        "paper": Dataset("paper-v2", replace(_BASE, steps=tuple(_PAPER_STEPS)), 844),
    }
)
SHIPPED = ("base", "leveling", "noise", "decoys")


def dataset(name: str) -> Dataset:
    """Return a dataset by its name or by its version."""
    by_name = {**DATASETS, **{each.version: each for each in DATASETS.values()}}
    if name not in by_name:
        raise UsageError(TaskFault.NO_DATASET, name=name, datasets=", ".join(DATASETS))
    return by_name[name]


def is_shipped(name: str) -> bool:
    """Return whether a name is a shipped dataset or one of its versions."""
    return name in _versions()


def dataset_version(name: str = DEFAULT_DATASET) -> str:
    """Return the version that the name of a shipped dataset means."""
    versions = _versions()
    if name not in versions:
        raise UsageError(TaskFault.NOT_SHIPPED, name=name, datasets=", ".join(SHIPPED))
    return versions[name]


def dataset_path(name: str = DEFAULT_DATASET) -> Traversable:
    """Return the file of a shipped dataset."""
    return content_folder().joinpath("datasets", f"{dataset_version(name)}.jsonl")


def datasheet_path(name: str = DEFAULT_DATASET) -> Traversable:
    """Return the datasheet of a shipped dataset."""
    return content_folder().joinpath("datasets", f"{dataset_version(name)}.datasheet.json")


def tasks_at(name: Path) -> AbstractContextManager[Path]:
    """Return the tasks file at a path. A shipped dataset's name means its file, whatever has that name in a folder."""
    return as_file(dataset_path(str(name))) if is_shipped(str(name)) else nullcontext(name)


@cache
def shipped_tasks(name: str = DEFAULT_DATASET) -> Mapping[str, Task]:
    """Return the tasks of a shipped dataset by id. They are kept for the next call."""
    with as_file(dataset_path(name)) as path:
        return _trusted_tasks(name) or MappingProxyType(load_tasks(path, load_world()))


def load_tasks_at(name: Path, world: World, names: Names = PLAIN) -> Mapping[str, Task]:
    """Return the tasks at a path or of a shipped dataset, by id. Raise InputError with all problems of the file."""
    if is_shipped(str(name)) and not name.exists() and world.digest == load_world().digest:
        tasks = _trusted_tasks(str(name))
        if tasks is not None:
            return renamed_tasks(tasks, world, names)
    with tasks_at(name) as path:
        return load_tasks(path, world, names)


def renamed_tasks(tasks: Mapping[str, Task], world: World, names: Names) -> Mapping[str, Task]:
    """Return tasks of a world under the names that a user asks for."""
    if names == PLAIN:
        return tasks
    return {id: Task.from_row(renamed_row(task.as_row(), world, names)) for id, task in tasks.items()}


def _trusted_tasks(name: str) -> Mapping[str, Task] | None:
    """Return the tasks of a shipped dataset whose file is as it was when its rows were checked for the datasheet.

    None for a new dataset, whose first datasheet is missing, or empty while the shell waits to write it.
    """
    data, sheet = dataset_path(name).read_bytes(), datasheet_path(name)
    is_unchanged = sheet.is_file() and hashlib.sha256(data).hexdigest().encode() in sheet.read_bytes()
    if not is_unchanged:
        return None
    tasks = map(Task.from_row, map(json.loads, data.splitlines()))
    return MappingProxyType({task.id: task for task in tasks})


def _versions() -> dict[str, str]:
    """Return the shipped versions, by the dataset's name and by their own."""
    versions = {name: DATASETS[name].version for name in SHIPPED}
    return versions | {version: version for version in versions.values()}
