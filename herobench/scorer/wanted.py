"""The query with which another tool chooses tasks: a suite, and a choice of its tasks, or knobs for new tasks.

The names are those of the command line: `suite`, `dataset`, `tasks`, `difficulty`, `task_id`, `shuffle`, `limit`. With
a `seed`, new tasks are made, by `difficulty`, `length` and `count`. Every other name is a setting of the suite, such as
`rules` or `mode`, or an option of its generator. Values may be texts, as on command lines of other tools.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from herobench.data.errors import UsageError
from herobench.data.options import parse_brackets, parse_span
from herobench.suite.checked import suite_class
from herobench.suite.contract import DEFAULT_SUITE, TaskInfo
from herobench.suite.generating import select_tasks

OWN = ("suite", "dataset", "tasks", "difficulty", "length", "task_id", "shuffle", "limit", "seed", "count", "jobs")
"""The knobs that every suite has."""


@dataclass(frozen=True, slots=True, init=False)
class TaskQuery:
    """A choice of tasks, and the settings with which the suite plays them. Equal queries can share a scorer."""

    suite: str
    dataset: str | None
    tasks: Path | None
    difficulty: str | None
    length: str | None
    task_id: tuple[str, ...]
    shuffle: int | None
    limit: str | None
    seed: int | None
    count: int | None
    jobs: int | None
    others: tuple[tuple[str, str], ...]
    """Settings of the suite or its generator, by their names on the command line."""

    def __init__(self, /, **knobs: Any) -> None:
        """Read knobs; None means that a knob is left out. Raise UsageError for a wrong value."""
        said = {name: value for name, value in knobs.items() if value is not None and value != ""}

        def take(name: str, value: Any) -> None:
            object.__setattr__(self, name, value)

        take("suite", str(said.get("suite", DEFAULT_SUITE)))
        take("tasks", Path(str(said["tasks"])) if "tasks" in said else None)
        take("task_id", _texts(said.get("task_id", ())))
        for name in ("dataset", "difficulty", "length", "limit"):
            take(name, _text(said[name]) if name in said else None)
        for name in ("shuffle", "seed", "count", "jobs"):
            take(name, _whole(name, said[name]) if name in said else None)
        foreign = {name.replace("_", "-"): _text(value) for name, value in said.items() if name not in OWN}
        take("others", tuple(sorted(foreign.items())))
        self._refuse_contradictions()

    def one_turn(self) -> TaskQuery:
        """Return this query with the mode of one turn. Raise UsageError if the suite has no such mode."""
        mode = suite_class(self.suite).one_turn_mode
        if mode is None:
            raise UsageError(f"The suite {self.suite} is played in many turns, and this tool asks for one reply alone.")
        others = dict(self.others)
        if not mode or others.setdefault("mode", mode) == mode:
            return self.but(**others)
        raise UsageError(f"This tool asks for one reply alone: leave out mode={others['mode']} of {self.suite}.")

    def but(self, /, **knobs: Any) -> TaskQuery:
        """Return this query with other knobs."""
        return TaskQuery(**{**self.as_knobs(), **knobs})

    def as_knobs(self) -> dict[str, Any]:
        """Return the given knobs as plain data that makes an equal query."""
        own = {name: getattr(self, name) for name in OWN}
        plain = {name: str(value) if isinstance(value, Path) else value for name, value in own.items()}
        return {**{name: value for name, value in plain.items() if value not in (None, ())}, **dict(self.others)}

    def chosen(self, tasks: Mapping[str, TaskInfo]) -> dict[str, TaskInfo]:
        """Choose tasks of the open suite. Raise UsageError if none is left."""
        groups = None if self.difficulty is None or self.seed is not None else parse_brackets(self.difficulty)
        names = None if groups is None else set(map(str, groups))
        span = None if self.limit is None else parse_span(self.limit)
        return select_tasks(tasks, names, self.task_id, self.shuffle, span)

    def _refuse_contradictions(self) -> None:
        if self.seed is None:
            for name in ("length", "count"):
                if getattr(self, name) is not None:
                    raise UsageError(f"{name} is a knob of tasks that are made anew: give a seed too.")
        elif self.tasks is not None or self.dataset is not None:
            raise UsageError("A seed makes tasks anew: leave out the dataset and the tasks file.")
        if self.tasks is not None and self.dataset is not None:
            raise UsageError("tasks and dataset both say which tasks: leave one out.")


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return ",".join(map(str, value))
    return str(value)


def _texts(value: Any) -> tuple[str, ...]:
    return tuple(map(str, value)) if isinstance(value, list | tuple) else (str(value),)


def _whole(name: str, value: Any) -> int:
    try:
        number = int(str(value))
    except ValueError:
        number = -1
    if number < (0 if name in ("seed", "shuffle") else 1):
        raise UsageError(f"{name} is a whole number, and not {value!r}.")
    return number
