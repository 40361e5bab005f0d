"""The commands `tasks list`, `show` and `prompt` for suites other than the RPG, through the contract of a suite.

The RPG has commands of its own in `tasks`, which know what a task of it is made of.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from herobench.cli.options import settings_of
from herobench.cli.say import say_json, write
from herobench.data.errors import UsageError

if TYPE_CHECKING:
    from herobench.suite.contract import Suite, TaskInfo


@dataclass(frozen=True, slots=True)
class Opened:
    """The suite that a command looks at: with a tasks file, a dataset by its name, or its default dataset."""

    name: str
    tasks: Path | None
    settings: Sequence[str] | None
    """Settings such as `levels=1-3`."""

    @contextmanager
    def suite(self) -> Iterator[Suite]:
        """Open the suite."""
        from herobench.suite.checked import open_suite
        from herobench.suite.contract import SuiteSetting

        is_file = self.tasks is not None and self.tasks.exists()
        dataset = str(self.tasks) if self.tasks is not None and not is_file else None
        setting = SuiteSetting(dataset, self.tasks if is_file else None, settings_of(self.settings or (), {}))
        with closing(open_suite(self.name, setting)) as suite:
            yield suite


def list_tasks(opened: Opened, *, as_json: bool) -> None:
    """List the tasks of a suite with their groups."""
    from herobench.analysis.reading.checked import reading_of
    from herobench.cli.table import plain_console, print_table

    with opened.suite() as suite:
        found = list(suite.tasks())
    if as_json:
        say_json([_summary(task) for task in found])
    else:
        names = reading_of(opened.name).group_names({task.group for task in found if task.group})
        rows = ((task.id, names.short(task.group or "")) for task in found)
        print_table(plain_console(), ["id", names.title], [], rows)


def show_task(opened: Opened, task_id: str) -> None:
    """Print the row of a task."""
    with opened.suite() as suite:
        say_json(_task(suite, task_id).row)


def print_prompt(opened: Opened, task_id: str) -> None:
    """Print the messages that open a task's conversation, and the tools on offer."""
    from herobench.suite.recorded import RecordedAttempt

    with opened.suite() as suite:
        attempt = RecordedAttempt(suite, _task(suite, task_id).id, 0)
        for message in attempt.messages:
            write(f"[{message.role}]\n{message.text}\n")
        for tool in attempt.tools:
            write(f"[tool {tool.name}]\n{tool.description}\n")


def _task(suite: Suite, task_id: str) -> TaskInfo:
    from difflib import get_close_matches

    tasks = {task.id: task for task in suite.tasks()}
    if task_id not in tasks:
        near = ", ".join(get_close_matches(task_id, tasks, 3, cutoff=0)) or "none, for there are no tasks"
        raise UsageError(f"There is no task {task_id!r}: the nearest are {near}.")
    return tasks[task_id]


def _summary(task: TaskInfo) -> dict[str, Any]:
    return {"id": task.id, "group": task.group}
