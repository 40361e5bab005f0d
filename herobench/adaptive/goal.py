"""Says when a run that chooses its tasks stops: `--until factor=2,tasks=200`, and which it may choose: `longest=1000`.

The command line reads it at every start, so it stands apart from what computes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from math import isfinite
from typing import Literal

from herobench.data.errors import Fault, UsageError

Outside = Literal["below the range", "beyond the range"]
Reason = Literal["factor", "tasks", "cost", "below the range", "beyond the range", "all tasks"]
"""Why no more tasks are asked. Two of them say that the horizon lies outside the lengths that can be asked."""

LEAST_TASKS = 40
"""With fewer tasks no horizon is determined: the interval holds it in less than 93 % of cases."""
ALL = "all"
"""The text for a run that was begun with a goal and is to ask all tasks."""
_LEAST = {"factor": 1.2, "tasks": 1.0, "cost": 0.0, "longest": 0.0}
_EXAMPLE = "such as factor=2, tasks=100 or cost=5, or several with commas"


class GoalFault(Fault):
    """The kinds of errors in what --until wants."""

    BAD_VALUE = "--until {name}= takes {kind}, and not {text!r}."
    NO_LIMIT = "--until longest= says which tasks are asked, and not how many: add a limit {example}."
    NO_SUCH_LIMIT = "--until takes a limit {example}, and not {text!r}."
    TOO_SHORT = "No task is as short as --until longest={longest:g} wants: the shortest has a length of {shortest:g}."
    TWICE = "--until has {name} twice: leave one out."


@dataclass(frozen=True, slots=True)
class Goal:
    """The limits at the first of which a run stops, and the longest task that it may ask."""

    factor: float | None = None
    """The most that the ends of the interval may differ by: that of the horizon, or of a suite's own figure."""
    tasks: int | None = None
    """The number of measured tasks."""
    cost: float | None = None
    longest: float | None = None
    """The length beyond which no task is asked; None for no limit."""

    @classmethod
    def of(cls, text: str) -> Goal:
        """Read a goal such as `factor=2,tasks=200`. Raise UsageError for anything else."""
        limits: dict[str, float | int] = {}
        for part in text.split(","):
            name, equals, value = part.strip().partition("=")
            if not equals or name not in _LEAST:
                raise UsageError(GoalFault.NO_SUCH_LIMIT, example=_EXAMPLE, text=part.strip())
            if name in limits:
                raise UsageError(GoalFault.TWICE, name=name)
            limits[name] = _number(name, value)
        if limits.keys() == {"longest"}:
            raise UsageError(GoalFault.NO_LIMIT, example=_EXAMPLE)
        return cls(limits.get("factor"), _whole(limits.get("tasks")), limits.get("cost"), limits.get("longest"))

    def among(self, lengths: Mapping[str, float]) -> dict[str, float]:
        """Return the lengths of the tasks that may be asked. Raise UsageError if there are tasks, and none may."""
        own = {task: length for task, length in lengths.items() if self.longest is None or length <= self.longest}
        if lengths and not own:
            raise UsageError(GoalFault.TOO_SHORT, longest=self.longest, shortest=min(lengths.values()))
        return own

    def room(self, size: int, measured: int, spent: float | None) -> int:
        """Return how many of the next `size` tasks pass no limit, if they cost as much as those that are measured."""
        if self.tasks is not None:
            size = min(size, self.tasks - measured)
        if self.cost is not None and measured and spent:
            size = max(0, min(size, int((self.cost - spent) / (spent / measured))))
        return size

    def __str__(self) -> str:
        limits = {name: str(value).removesuffix(".0") for name, value in asdict(self).items() if value is not None}
        return ",".join(f"{name}={value}" for name, value in limits.items())


def _number(name: str, text: str) -> float:
    """Return the value of a limit. Raise UsageError when it is out of range."""
    least = _LEAST[name]
    try:
        value = int(text) if name == "tasks" else float(text)
    except ValueError:
        value = float("nan")
    if not isfinite(value) or value < least or value <= 0:
        bound = f"from {least:g}" if least else "above 0"
        kind = "a whole number from 1" if name == "tasks" else f"a number {bound}"
        raise UsageError(GoalFault.BAD_VALUE, name=name, kind=kind, text=text)
    return value


def _whole(value: float | None) -> int | None:
    return None if value is None else int(value)
