"""Which tasks of a file a run is about."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from fnmatch import fnmatchcase
from typing import TypeVar

from herobench.errors import UsageError

_NEAR = 3
_Task = TypeVar("_Task")


def select(
    tasks: Mapping[str, _Task], wanted: Callable[[_Task], bool], patterns: Sequence[str], limit: int | None
) -> dict[str, _Task]:
    """The wanted tasks whose ids fit one of some patterns, as many of them as the limit lets in.

    Raises UsageError where none is left, and says which ids come near.
    """
    for pattern in patterns:
        if not any(fnmatchcase(task_id, pattern) for task_id in tasks):
            near = get_close_matches(pattern, tasks, _NEAR, cutoff=0)
            raise UsageError(f"No task fits {pattern!r}: the nearest are {', '.join(near) or 'none'}.")
    chosen = {
        task_id: task
        for task_id, task in tasks.items()
        if wanted(task) and (not patterns or any(fnmatchcase(task_id, pattern) for pattern in patterns))
    }
    if not chosen:
        raise UsageError("No task is in the chosen brackets and fits the chosen ids." if tasks else "There is no task.")
    return dict(list(chosen.items())[:limit])
