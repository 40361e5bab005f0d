"""The contract of what shows tasks to people, for `herobench tasks`: a suite may return it by its method `browser`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from herobench.suite.validating import TaskFigures, Watch


@dataclass(frozen=True, slots=True)
class ListedTask:
    """A line of a list of tasks."""

    summary: Mapping[str, Any]
    """The main fields, for programs."""
    cells: Sequence[str]
    """The texts of its columns, for people."""


@dataclass(frozen=True, slots=True)
class ShownTask:
    """Everything about a task."""

    row: Mapping[str, Any]
    facts: Mapping[str, str] = field(default_factory=dict)
    """The facts that people read, by their labels. If there are none, they are shown the row."""
    text: str = ""
    """A text to show below the facts, such as the certified plan."""


class TaskBrowser(ABC):
    """Shows the tasks of a file or a dataset."""

    columns: Sequence[str]
    """The names of the columns of a list, and which of them hold figures or long texts."""
    figures: Sequence[str] = ()
    wrapped: Sequence[str] = ()

    @abstractmethod
    def listed(self, filters: Any) -> Sequence[ListedTask]:
        """Return the tasks that `list_options` of the suite choose, in their order."""

    @abstractmethod
    def ids(self, text: str) -> Sequence[str]:
        """Return the ids of the tasks among which a user looks for one by its id, or by the beginning of its id."""

    @abstractmethod
    def shown(self, task_id: str) -> ShownTask:
        """Return everything about a task."""

    @abstractmethod
    def opening(self, task_id: str) -> str:
        """Return what a model is told first."""

    def summary(self, watch: Watch) -> TaskFigures | None:
        """Return the figures of all tasks; None if the suite has none."""
        return None

    def close(self) -> None:
        """Release what is open."""
        return
