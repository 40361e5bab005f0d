"""Chooses the suite that is meant where none is named. Commands, runs, scorers and jobs on clusters share this rule.

Some suites may be meant without their names: `herobench.defaults` in the entry points lists them in order. The first of
them is meant that knows all options that are given and has the tasks that are named. A suite has a dataset that it
ships, and a file whose first row has one of its `task_fields`. If none knows all options, the tasks alone decide. A
dataset that no listed suite ships is looked for among those of all installed suites. If nothing decides, the first
suite that knows all options is meant, or else the first of all, and says what is wrong.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from herobench.data.documents import json_object
from herobench.data.errors import HeroBenchError, UsageError
from herobench.data.files import is_standard_input
from herobench.data.options import options_in
from herobench.data.rows import unread_lines
from herobench.suite.checked import declared_options, suite_class
from herobench.suite.generating import load_generator
from herobench.suite.plugins import SUITES, default_suite, default_suites, names
from herobench.suite.refusals import SuiteFault

StrPath = str | os.PathLike[str]
_FIRST_LINES = 10
"""The lines of a file among which its first row is looked for: some may be broken."""


@dataclass(frozen=True, slots=True)
class Clues:
    """The tasks and options that a user gave. They tell which suite the user means."""

    tasks: StrPath | None = None
    """A dataset, a tasks file, or a folder of them."""
    options: Collection[str] = ()
    """The names of settings of the suite, and of options of its generator, as on the command line."""
    groups: bool = False
    """True if groups of tasks are chosen. Without a dataset, suites with a `grouped_dataset` are meant."""
    made: bool = False
    """True if tasks are made anew, so that the options of generators are known too. They take long to load."""

    def are_known(self, suite: str) -> bool:
        """Return whether a suite knows all options."""
        kind, settings = suite_class(suite), declared_options(suite)
        if self.groups and self.tasks is None and kind.grouped_dataset is None:
            return False
        if settings is None:
            return True
        unknown = set(self.options) - {*settings, *(["mode"] if kind.modes else ())}
        if unknown and self.made and (generator := load_generator(suite)):
            unknown -= {field.name for field in options_in(generator.options)}
        return not unknown


def implied_suite(clues: Clues) -> str:
    """Return the suite that is meant where none is named."""
    if clues.tasks is None and not clues.options and not clues.groups:  # no suite has to be loaded
        return default_suite()
    return first_fitting(lambda suite: clues)


def first_fitting(read_clues: Callable[[str], Clues]) -> str:
    """Return the suite that is meant. `read_clues` returns the clues as a suite with its options reads them."""
    tasks, knowing = None, list[str]()
    for suite in default_suites():
        clues = read_clues(suite)
        tasks = clues.tasks
        if clues.are_known(suite):
            if tasks is None or has_tasks(suite, tasks):
                return suite
            knowing.append(suite)
    if tasks is not None and is_standard_input(tasks) and len(knowing) > 1:
        raise UsageError(SuiteFault.OF_INPUT, suites=" or ".join(f"--suite {suite}" for suite in knowing))
    named_suite = None if tasks is None else _any_suite_with(tasks)
    return named_suite or next(iter(knowing), default_suite())


def has_tasks(name: str, tasks: StrPath) -> bool:
    """Return whether a suite ships a dataset of this name, or the file of this name has rows of its tasks."""
    kind = suite_class(name)
    if kind.shipped_dataset(os.fspath(tasks)) is not None:
        return True
    if is_standard_input(tasks):  # it can be read only once
        return False
    return not _first_row(tasks).keys().isdisjoint(kind.task_fields)


def _any_suite_with(tasks: StrPath) -> str | None:
    """Return the one suite of all that has tasks; of several the first default one. None if there is none."""
    usual, suites = default_suites(), []
    for name in dict.fromkeys([*usual, *names(SUITES)]):
        with suppress(HeroBenchError):  # a broken plugin ships nothing
            if has_tasks(name, tasks):
                suites.append(name)
    if len(suites) > 1 and suites[0] not in usual:
        dataset = os.fspath(tasks)
        raise UsageError(SuiteFault.OF_SEVERAL, suites=" and ".join(suites), name=dataset, first=suites[0])
    return suites[0] if suites else None


def _first_row(tasks: StrPath) -> Mapping[str, Any]:
    """Return the first row of a file, or of the first file in a folder. It is empty if none is near the beginning.

    Whoever reads the file tells what is wrong with it.
    """
    with suppress(HeroBenchError, OSError, ValueError):
        file = next(iter(sorted(Path(tasks).glob("*.jsonl"))), Path(tasks))
        rows = (json_object(line) for _, line in islice(unread_lines(file), _FIRST_LINES))
        return next((row for row in rows if row), {})
    return {}
