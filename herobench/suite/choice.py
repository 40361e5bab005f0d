"""The choice of a suite and of its tasks: its options, which runs and other tools share, and how both are chosen.

Some suites may be meant without their names: `herobench.defaults` in the entry points lists them in order. The first of
them is meant that knows all options that are given and has the tasks that are named. A suite has a dataset that it
ships, and a file whose first row has one of its `task_fields`. If none knows all options, the tasks alone decide. A
dataset that no listed suite ships is looked for among those of all installed suites. If nothing decides, the first
suite that knows all options is meant, or else the first of all, and says what is wrong.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from difflib import get_close_matches
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path
from random import Random
from typing import Annotated

from herobench.data.errors import LONGEST_MISSPELT, HeroBenchError, UsageError, quoted
from herobench.data.files import is_standard_input
from herobench.data.options import Option, options_in, parse_numbers, parse_span
from herobench.suite.checked import declared_options, first_row, suite_class
from herobench.suite.contract import TaskInfo
from herobench.suite.generating import load_generator
from herobench.suite.plugins import SUITES, default_suite, default_suites, names
from herobench.suite.refusals import SuiteFault

StrPath = str | os.PathLike[str]
what = partial(Option, panel="What is asked")


def read_groups(text: str) -> tuple[str, ...]:
    """Return the names of groups in a list of numbers. Raise ValueError for any other text."""
    return tuple(map(str, parse_numbers(text)))


SuiteName = Annotated[
    str | None, what("The benchmark suite; `herobench suites` lists them, the usual one first.", "suite")
]
TasksFile = Annotated[StrPath | None, what("A tasks file, in place of a shipped set.", "tasks", kind=Path)]
DatasetName = Annotated[
    str | None,
    what("A shipped set of the suite, or a version such as base-v2; `herobench suites` lists them.", "dataset"),
]
Groups = Annotated[
    Sequence[str] | None,
    what(
        "Only tasks of these brackets, such as 9, 1-9 or 3,5-7, of the set that has them.",
        "difficulty",
        read=read_groups,
    ),
]
TaskIds = Annotated[
    Sequence[str] | None, what("Only tasks whose id matches, such as '9/*'.", "task-id", metavar="GLOB", kind=list[str])
]
ShuffleSeed = Annotated[int | None, what("Shuffle the tasks by this seed.", "shuffle", metavar="SEED")]
Limit = Annotated[
    int | slice | None,
    what("Only the first N of them, or a part such as 5-15.", "limit", metavar="N", read=parse_span),
]
_NEAR, _MOST_GROUPS = 3, 12


def select_tasks(
    tasks: Mapping[str, TaskInfo],
    groups: Collection[str] | None = None,
    patterns: Sequence[str] = (),
    shuffle: int | None = None,
    span: slice | None = None,
) -> dict[str, TaskInfo]:
    """Select the tasks of some groups whose ids match a pattern, shuffle them by a seed, and return a span of them.

    A group may be named by its first word: the group `8 regions` by `8`. Raise UsageError, with the nearest ids, when
    there are none.
    """
    for pattern in patterns:
        if not any(fnmatchcase(task_id, pattern) for task_id in tasks):
            # without the signs of a pattern, which ids seldom have
            near = get_close_matches(re.sub(r"[*?\[\]]", "", pattern[:LONGEST_MISSPELT]), tasks, _NEAR, cutoff=0)
            raise UsageError(SuiteFault.NO_TASK_FITS, pattern=quoted(pattern), near=", ".join(near) or "none")
    ids = [
        task_id
        for task_id, task in tasks.items()
        if (groups is None or task.group in groups or (task.group or "").partition(" ")[0] in groups)
        and (not patterns or any(fnmatchcase(task_id, pattern) for pattern in patterns))
    ]
    if shuffle is not None:
        Random(shuffle).shuffle(ids)  # noqa: S311 - reproducible chance
    part = ids[span] if span else ids
    if not part:
        why = f": the limit leaves out the {len(ids)} that fit" if ids else ""
        if groups is not None and not ids:
            why = f": the groups are {_group_words(tasks.values())}"
        raise UsageError(SuiteFault.NONE_CHOSEN, count=len(tasks), why=why)
    return {task_id: tasks[task_id] for task_id in part}


def note_of_limit(tasks: Mapping[str, TaskInfo], chosen: Mapping[str, TaskInfo]) -> str | None:
    """Return a sentence if a limit leaves out whole groups of the tasks that fit; None if it does not."""
    groups = dict.fromkeys(task.group for task in tasks.values())
    missing_groups = [group for group in groups if group not in {task.group for task in chosen.values()}]
    if not missing_groups:
        return None
    count = f"{len(missing_groups)} of {len(groups)}"
    return f"--limit leaves out {count} groups, such as {missing_groups[-1]}: --shuffle 1 draws from all."


def _group_words(tasks: Iterable[TaskInfo]) -> str:
    groups = list(dict.fromkeys(task.group for task in tasks if task.group))
    more = f" and {len(groups) - _MOST_GROUPS} more" if len(groups) > _MOST_GROUPS else ""
    return f"{', '.join(groups[:_MOST_GROUPS])}{more}"


# -- the suite that is meant ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Clues:
    """The tasks and options that a user gave. They tell which suite the user means."""

    tasks: StrPath | None = None
    """A dataset, a tasks file, or a folder of them."""
    options: Collection[str] = ()
    """The names of settings of the suite, and of options of its generator, as on the command line."""
    groups: bool = False
    """True if groups of tasks are chosen. Without a dataset, suites with brackets of difficulty are meant."""
    generates: bool = False
    """True if tasks are made anew, so that the options of generators are known too. They take long to load."""
    mode: str | None = None
    """The mode that is named, which the suite must have."""

    def are_known(self, suite: str) -> bool:
        """Return whether a suite knows all options, and the mode."""
        kind, settings = suite_class(suite), declared_options(suite)
        if self.groups and self.tasks is None and not kind.has_brackets:
            return False
        if self.mode is not None and kind.modes and self.mode not in kind.modes:
            return False
        if settings is None:
            return True
        unknown = set(self.options) - {*settings, *(["mode"] if kind.modes else ())}
        if unknown and self.generates and (generator := load_generator(suite)):
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
    return not first_row(tasks).keys().isdisjoint(kind.task_fields)


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
