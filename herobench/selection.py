"""Selects the tasks of a dataset that a run asks."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from fnmatch import fnmatchcase
from random import Random
from typing import Generic, TypeVar

from herobench.errors import LONGEST_MISSPELT, UsageError, quoted

_NEAR = 3
_Task = TypeVar("_Task")


@dataclass(frozen=True, slots=True)
class Selection(Generic[_Task]):
    """Selects the wanted tasks whose ids match a pattern, shuffles them by a seed, and takes a span of them."""

    wanted: Callable[[_Task], bool]
    patterns: Sequence[str] = ()
    shuffle: int | None = None
    span: slice | None = None

    def of(self, tasks: Mapping[str, _Task]) -> dict[str, _Task]:
        """Return the selected tasks. Raise UsageError, with the nearest ids, when there are none."""
        for pattern in self.patterns:
            if not any(fnmatchcase(task_id, pattern) for task_id in tasks):
                # without the signs of a pattern, which ids seldom have
                near = get_close_matches(re.sub(r"[*?\[\]]", "", pattern[:LONGEST_MISSPELT]), tasks, _NEAR, cutoff=0)
                raise UsageError(f"No task fits {quoted(pattern)}: the nearest are {', '.join(near) or 'none'}.")
        chosen = [task_id for task_id, task in tasks.items() if self.wanted(task) and self._fits(task_id)]
        if self.shuffle is not None:
            Random(self.shuffle).shuffle(chosen)  # noqa: S311 - reproducible chance
        part = chosen[self.span] if self.span else chosen
        if not part:
            left_out = f": the limit leaves out the {len(chosen)} that fit" if chosen else ""
            raise UsageError(f"None of the {len(tasks)} tasks is in what was chosen{left_out}.")
        return {task_id: tasks[task_id] for task_id in part}

    def _fits(self, task_id: str) -> bool:
        return not self.patterns or any(fnmatchcase(task_id, pattern) for pattern in self.patterns)
