"""The query with which another tool chooses tasks: a suite, and a choice of its tasks, or knobs for new tasks.

The names are those of the command line: `suite`, `dataset`, `tasks`, `difficulty`, `task_id`, `shuffle`, `limit`. With
a `seed`, new tasks are made, by `difficulty`, `length` and `count`. Every other name is a setting of the suite, such as
`rules` or `mode`, or an option of its generator. Values may be texts, as on command lines of other tools.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from herobench.data.errors import UsageError, quoted
from herobench.data.options import DeclaredOption, Option, options_in, parse_span
from herobench.scorer.refusals import ScorerFault
from herobench.suite.checked import suite_class
from herobench.suite.choice import (
    Clues,
    DatasetName,
    ShuffleSeed,
    TaskIds,
    implied_suite,
    read_groups,
    select_tasks,
    what,
)
from herobench.suite.contract import TaskInfo

_made = partial(Option, panel="Tasks made anew")


@dataclass(frozen=True, slots=True, init=False)
class TaskQuery:
    """A choice of tasks, and the settings with which the suite plays them. Equal queries can share a scorer."""

    suite: Annotated[str, what("The benchmark suite; `herobench suites` lists them.")] = ""
    tasks: Annotated[Path | None, what("A tasks file, in place of a shipped set.")] = None
    dataset: DatasetName = None
    difficulty: Annotated[str | None, what("Only tasks of these brackets, such as 9, 1-9 or 3,5-7.")] = None
    task_id: TaskIds = None
    shuffle: ShuffleSeed = None
    limit: Annotated[str | None, what("Only the first N of them, or a part such as 5-15.", metavar="N")] = None
    seed: Annotated[
        int | None, _made("Make tasks anew from this seed, in place of a set. No model gets it.", least=0)
    ] = None
    length: Annotated[str | None, _made("With --seed: how long solutions are, such as 5-9.", metavar="N-M")] = None
    count: Annotated[int | None, _made("With --seed: how many tasks.", shown="100", least=1)] = None
    jobs: Annotated[int | None, Option("Worker processes; all cores when left out.", least=1)] = None
    others: tuple[tuple[str, str], ...] = ()
    """Settings of the suite or its generator, by their names on the command line."""

    def __init__(self, /, **knobs: Any) -> None:
        """Read knobs; None means that a knob is left out. Raise UsageError for a wrong value."""
        values = {name: value for name, value in knobs.items() if value is not None and value != ""}
        for field in FIELDS:
            value = _read(field, values[field.field]) if field.field in values else None
            object.__setattr__(self, field.field, value)
        foreign = {name.replace("_", "-"): _text(value) for name, value in values.items() if name not in OWN}
        object.__setattr__(self, "others", tuple(sorted(foreign.items())))
        self._refuse_contradictions()
        if not self.suite:
            is_grouped, generates = self.difficulty is not None, self.seed is not None
            clues = Clues(self.dataset or self.tasks, foreign, is_grouped, generates, foreign.get("mode"))
            object.__setattr__(self, "suite", implied_suite(clues))

    def one_turn(self) -> TaskQuery:
        """Return this query with the mode of one turn. Raise UsageError if the suite has no such mode."""
        mode = suite_class(self.suite).one_turn_mode
        if mode is None:
            raise UsageError(ScorerFault.MANY_TURNS, suite=self.suite)
        others = dict(self.others)
        if not mode or others.setdefault("mode", mode) == mode:
            return self.but(**others)
        raise UsageError(ScorerFault.MODE_OF_TURNS, mode=others["mode"], suite=self.suite)

    def but(self, /, **knobs: Any) -> TaskQuery:
        """Return this query with other knobs."""
        return TaskQuery(**{**self.as_knobs(), **knobs})

    def as_knobs(self) -> dict[str, Any]:
        """Return the given knobs as plain data that makes an equal query."""
        own = {name: getattr(self, name) for name in OWN}
        plain = {name: str(value) if isinstance(value, Path) else value for name, value in own.items()}
        return {**{name: value for name, value in plain.items() if value not in (None, ())}, **dict(self.others)}

    def select(self, tasks: Mapping[str, TaskInfo]) -> dict[str, TaskInfo]:
        """Choose tasks of the open suite. Raise UsageError if none is left."""
        names = None if self.difficulty is None or self.seed is not None else read_groups(self.difficulty)
        span = None if self.limit is None else parse_span(self.limit)
        return select_tasks(tasks, names, self.task_id or (), self.shuffle, span)

    def _refuse_contradictions(self) -> None:
        if self.seed is None:
            for name in ("length", "count"):
                if getattr(self, name) is not None:
                    raise UsageError(ScorerFault.KNOB_WITHOUT_SEED, name=name)
        elif self.tasks is not None or self.dataset is not None:
            raise UsageError(ScorerFault.SEED_AND_TASKS)
        if self.tasks is not None and self.dataset is not None:
            raise UsageError(ScorerFault.TASKS_AND_DATASET)


FIELDS = tuple(field for field in options_in(TaskQuery) if field.option)
OWN = tuple(field.field for field in FIELDS)
"""The knobs that every suite has."""


def _read(field: DeclaredOption, value: Any) -> Any:
    """Return the value of a knob, which may come as a text of another tool's command line."""
    if field.field == "task_id":
        return tuple(map(str, value)) if isinstance(value, list | tuple) else (str(value),)
    try:
        return field.parse(_text(value))
    except ValueError as error:
        raise UsageError(ScorerFault.BAD_FIELD, field=field.field, value=quoted(value), error=error) from error


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return ",".join(map(str, value))
    return str(value)
