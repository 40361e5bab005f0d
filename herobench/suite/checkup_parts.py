"""The contract between a suite and the checkup: the parts of a checkup that a suite declares, as data.

A suite declares its parts by an entry point in the group `herobench.checkup` under its own name, whose value is a
sequence of `Part`. Each row of a part is an ordinary run. The checkup asks the parts of all installed suites, in the
order of their first priorities.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Literal

from herobench.data.errors import UsageError
from herobench.suite.plugins import CHECKUP, load, names
from herobench.suite.refusals import SuiteFault

Card = Literal["horizon", "atoms", "groups"]
_NAME = re.compile(r"[a-z0-9]+(_[a-z0-9]+)*")
_RESERVED = ("chance", "tasks", "reports")
"""The other folders of a checkup."""
_NONE: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class MeanUsage:
    """The mean usage of an attempt: calls of the model, and tokens of prompts and of answers without thoughts."""

    calls: float
    prompt: float
    answer: float


@dataclass(frozen=True, slots=True)
class Row:
    """One run of a part: which tasks it asks, and what they take.

    The tasks come from a shipped set, as many of each group; with a seed, they are private twins. With `draws`, the
    suite's generator makes them.
    """

    steps: Sequence[tuple[int, int]]
    """Pairs of a priority and a number of tasks: a budget buys the steps of all suites by priority, the least first. A
    later step makes the run larger."""
    lane: str = ""
    """The setting `lane` of the suite, which is the name of the run within its part; empty for a part of one run."""
    options: Mapping[str, str] = field(default_factory=lambda: _NONE)
    """The other settings of the suite."""
    dataset: str | None = None
    """The shipped set that is asked without a seed; None if tasks are drawn then too."""
    draws: Sequence[Mapping[str, str]] = ()
    """The options of the generator for each kind of task. It makes as many of each kind."""
    fewer_draws: bool = False
    """True if a smaller step leaves out the last draws; False if it makes fewer tasks by each."""
    by_loser: MeanUsage = MeanUsage(1, 0, 0)
    """The mean usage of an attempt by a model that loses all."""
    by_winner: MeanUsage = MeanUsage(1, 0, 0)
    """The mean usage of an attempt by a model that wins all."""
    longest: tuple[int, int] | None = None
    """The tokens of the largest prompt and of the longest answer, if the model's context may be too short for them."""

    @property
    def settings(self) -> dict[str, str]:
        """All settings of the suite."""
        return {**self.options, **({"lane": self.lane} if self.lane else {})}

    @property
    def most(self) -> int:
        """The tasks of the last step."""
        return self.steps[-1][1]


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a checkup: its rows, and its card on the page."""

    name: str
    """Its folder."""
    title: str
    measures: str
    """A few words on the ability that the part measures."""
    rows: Sequence[Row]
    card: Card = "groups"
    """How the page shows it: as the headline with its horizon, as radars, or group by group."""
    heading: str = ""
    """The heading above radars."""
    figures: Sequence[str] = ()
    """The path, in the reading's `tables`, of figures with intervals that the card lists."""
    chance: str | None = None
    """The player that marks chance on the page: it is asked the same tasks. None for no mark."""
    suite: str = ""
    """The suite, set when the part is loaded: the name of the entry point."""

    @property
    def runs(self) -> dict[str, Row]:
        """The rows by the folders of their runs, within that of the checkup."""
        return {f"{self.name}/{row.lane}" if row.lane else self.name: row for row in self.rows}

    @property
    def chance_run(self) -> str | None:
        """The folder of the run that marks chance."""
        return f"chance/{self.name}" if self.chance else None


def load_parts() -> list[Part]:
    """Return the parts of all installed suites in their order. Raise UsageError for a wrong declaration."""
    parts = [replace(part, suite=suite) for suite in names(CHECKUP) for part in _load_own(suite)]
    suites: dict[str, str] = {}
    for part in parts:
        if part.name in suites:
            raise UsageError(SuiteFault.PART_TWICE, first=suites[part.name], suite=part.suite, part=part.name)
        suites[part.name] = part.suite
    return sorted(parts, key=lambda part: min(priority for row in part.rows for priority, _ in row.steps))


def order_steps(parts: Sequence[Part]) -> list[tuple[str, int]]:
    """Return the runs and their tasks in the order in which a budget buys them."""
    runs = {run: row for part in parts for run, row in part.runs.items()}
    steps = [(priority, run, tasks) for run, row in runs.items() for priority, tasks in row.steps]
    return [(run, tasks) for _, run, tasks in sorted(steps, key=lambda step: step[0])]


def _load_own(suite: str) -> Sequence[Part]:
    parts = load(CHECKUP, suite)
    where = f"The parts of a checkup of the suite {suite}"
    if not isinstance(parts, Sequence) or not all(isinstance(part, Part) for part in parts):
        raise UsageError(SuiteFault.NO_PARTS, where=where, module=Part.__module__)
    for part in parts:
        if fault := _fault(part):
            raise UsageError(SuiteFault.BAD_PART, where=where, part=part.name, fault=fault)
    return parts


def _fault(part: Part) -> str | None:
    """Return what is wrong with a part; None if it is sound."""
    if not _NAME.fullmatch(part.name) or part.name in _RESERVED:
        return "expected a name of small letters, digits and underscores that is no other folder of a checkup"
    if not part.rows or len(part.runs) < len(part.rows):
        return "expected one or more rows, each with a lane of its own if there are several"
    for row in part.rows:
        priorities, sizes = zip(*row.steps, strict=True) if row.steps else ((), ())
        if not sizes or any([*column] != sorted({*column}) for column in (priorities, sizes)):
            return "expected one or more steps, which grow in priority and in tasks"
        if not (row.dataset or row.draws):
            return "expected a dataset or draws"
    return None
