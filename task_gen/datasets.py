"""Datasets: sets of tasks with a name, made from fixed options and seeds, so that everyone has the same.

A dataset's name, such as `base`, stands for its newest version, such as `base-v2`. The newest versions are what the
generator makes of their options, byte for byte. A change of what it makes is a new version with a new number. Older
versions stay in the package as they were and can be read by the name of the version; this generator need not make them
again. `base-v2`, `noise-v2` and `decoys-v2` have the tasks of the first versions with shorter plans and better bounds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from importlib.resources import as_file
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from herobench.documents import shipped
from herobench.errors import UsageError
from herobench.task_gen.difficulty import STEPS
from herobench.task_gen.spec import NOISE, Spec

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

DEFAULT_DATASET = "base"
_EACH_STEP = 2
"""How many tasks of each difficulty the base dataset has."""
_PAPER_STEPS = range(3, 98)
"""The difficulties of the paper's own set; it speaks of 2 as well, which no task has."""


@dataclass(frozen=True, slots=True)
class Dataset:
    """A set of tasks with a name."""

    version: str
    spec: Spec
    count: int

    def with_seed(self, seed: int | None) -> Dataset:
        """The same kind of set, made from another seed."""
        return self if seed is None else replace(self, spec=replace(self.spec, seed=seed))

    def numbers(self) -> Sequence[int]:
        """The numbers of its tasks, bracket by bracket."""
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
OLDER = ("base-v1", "noise-v1", "decoys-v1")
"""The older versions that are shipped."""


def dataset(name: str) -> Dataset:
    """A dataset by its name, or by that of its newest version."""
    newest = {each.version: each for each in DATASETS.values()}
    if name in OLDER:
        made = ", ".join(DATASETS)
        raise UsageError(f"The dataset {name!r} is an older version, to be read and not made: give one of {made}.")
    if name not in DATASETS and name not in newest:
        raise UsageError(f"There is no dataset {name!r}: give one of {', '.join(DATASETS)}.")
    return newest[name] if name in newest else DATASETS[name]


def is_shipped(name: str) -> bool:
    """Whether a name is that of a shipped dataset or of one of its versions."""
    return name in _versions()


def version_of(name: str = DEFAULT_DATASET) -> str:
    """The version of a shipped dataset that a name stands for."""
    versions = _versions()
    if name not in versions:
        names = ", ".join(SHIPPED)
        raise UsageError(
            f"The dataset {name!r} is not shipped: give one of {names}, an older version ({', '.join(OLDER)}), or "
            "generate it."
        )
    return versions[name]


def dataset_path(name: str = DEFAULT_DATASET) -> Traversable:
    """The file of a shipped dataset."""
    return shipped().joinpath("datasets", f"{version_of(name)}.jsonl")


def datasheet_path(name: str = DEFAULT_DATASET) -> Traversable:
    """The datasheet of a shipped dataset."""
    return shipped().joinpath("datasets", f"{version_of(name)}.datasheet.json")


def tasks_at(name: Path) -> AbstractContextManager[Path]:
    """The tasks file of a path, or of a shipped dataset's name where there is no such file."""
    return as_file(dataset_path(str(name))) if is_shipped(str(name)) and not name.exists() else nullcontext(name)


def _versions() -> dict[str, str]:
    """The versions that are shipped, each under its own name, and the newest ones also under the dataset's."""
    newest = {name: DATASETS[name].version for name in SHIPPED}
    return newest | {version: version for version in (*newest.values(), *OLDER)}
