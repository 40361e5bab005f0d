"""The tasks of a file that needs no check. Each is read when it is asked for, because most uses ask for a few."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping

from herobench.rpg.task import Task

_HEAD = re.compile(rb'\{"schema": \d+, "id": ("(?:[^"\\]|\\.)*"),')
"""The beginning of a row as this program writes it, with the id."""


class TrustedTasks(Mapping[str, Task]):
    """Tasks by id, in their file's order. The file must be as this program wrote it, and have been checked."""

    def __init__(self, data: bytes) -> None:
        """Take the bytes of a tasks file."""
        self._tasks: dict[str, Task | bytes] = {_id(line): line for line in data.splitlines()}

    def __getitem__(self, task_id: str) -> Task:
        """Return a task. Read its line at the first time."""
        task = self._tasks[task_id]
        if isinstance(task, bytes):
            task = self._tasks[task_id] = Task.from_row(json.loads(task))
        return task

    def __iter__(self) -> Iterator[str]:
        """Return the ids of the tasks, in order."""
        return iter(self._tasks)

    def __len__(self) -> int:
        """Return the number of tasks."""
        return len(self._tasks)


def _id(line: bytes) -> str:
    head = _HEAD.match(line)
    return str(json.loads(head[1])) if head else str(json.loads(line)["id"])
