"""Datasets: sets of tasks with a name, made from fixed options and seeds, so that everyone has the same.

The shipped ones are files of the package, and what the generator makes of their options, byte for byte. What changes
them is a new version with a new number; the old numbers stay what they were.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
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
        "base": Dataset("base-v1", _BASE, 9 * STEPS * _EACH_STEP),
        "leveling": Dataset("leveling-v1", replace(_HARDEST, leveling=True), STEPS * _EACH_STEP),
        "noise": Dataset("noise-v1", replace(_HARDEST, noise=NOISE), STEPS * _EACH_STEP),
        "decoys": Dataset("decoys-v1", replace(_HARDEST, knowledge="decoys"), STEPS * _EACH_STEP),
        "paper": Dataset("paper-v1", replace(_BASE, steps=tuple(_PAPER_STEPS)), 844),
    }
)
SHIPPED = ("base", "leveling", "noise", "decoys")


def dataset(name: str) -> Dataset:
    """A dataset by name."""
    if name not in DATASETS:
        raise UsageError(f"There is no dataset {name!r}: give one of {', '.join(DATASETS)}.")
    return DATASETS[name]


def dataset_path(name: str = DEFAULT_DATASET) -> Traversable:
    """Where a shipped dataset lies."""
    return _shipped(name, "jsonl")


def datasheet_path(name: str = DEFAULT_DATASET) -> Traversable:
    """Where the datasheet of a shipped dataset lies."""
    return _shipped(name, "datasheet.json")


def _shipped(name: str, ending: str) -> Traversable:
    if name not in SHIPPED:
        raise UsageError(f"The dataset {name!r} is not shipped: give one of {', '.join(SHIPPED)}, or generate it.")
    return shipped().joinpath("datasets", f"{DATASETS[name].version}.{ending}")
