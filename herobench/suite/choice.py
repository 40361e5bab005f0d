"""The choice of tasks: its options, which runs and other tools share, and the selection that they make."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from difflib import get_close_matches
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path
from random import Random
from typing import Annotated

from herobench.data.errors import LONGEST_MISSPELT, UsageError, quoted
from herobench.data.options import Option, parse_numbers, parse_span
from herobench.suite.contract import TaskInfo
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
    lost = [group for group in groups if group not in {task.group for task in chosen.values()}]
    if not lost:
        return None
    return f"--limit leaves out {len(lost)} of {len(groups)} groups, such as {lost[-1]}: --shuffle 1 draws from all."


def _group_words(tasks: Iterable[TaskInfo]) -> str:
    groups = list(dict.fromkeys(task.group for task in tasks if task.group))
    more = f" and {len(groups) - _MOST_GROUPS} more" if len(groups) > _MOST_GROUPS else ""
    return f"{', '.join(groups[:_MOST_GROUPS])}{more}"
