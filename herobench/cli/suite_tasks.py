"""The commands `tasks list`, `show` and `prompt` for suites other than the RPG, through the contract of a suite.

The RPG has commands of its own in `tasks`, which know what a task of it is made of.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from herobench.cli.say import say_json, write
from herobench.errors import UsageError

if TYPE_CHECKING:
    from herobench.suite import Suite, TaskInfo


def list_tasks(suite_name: str, tasks: Path | None, *, as_json: bool) -> None:
    """List the tasks of a suite with their groups."""
    from herobench.cli.table import plain_console, print_table

    with _opened(suite_name, tasks) as suite:
        found = list(suite.tasks())
    if as_json:
        say_json([_summary(task) for task in found])
    else:
        print_table(plain_console(), ["id", "group"], [], ((task.id, task.group or "") for task in found))


def show_task(suite_name: str, tasks: Path | None, task_id: str) -> None:
    """Print the row of a task."""
    with _opened(suite_name, tasks) as suite:
        say_json(_task(suite, task_id).row)


def print_prompt(suite_name: str, tasks: Path | None, task_id: str) -> None:
    """Print the messages that open a task's conversation, and the tools on offer."""
    from herobench.runs.recorded import RecordedAttempt

    with _opened(suite_name, tasks) as suite:
        attempt = RecordedAttempt(suite, _task(suite, task_id).id, 0)
        for message in attempt.messages:
            write(f"[{message.role}]\n{message.text}\n")
        for tool in attempt.tools:
            write(f"[tool {tool.name}]\n{tool.description}\n")


@contextmanager
def _opened(name: str, tasks: Path | None) -> Iterator[Suite]:
    """Open a suite on a tasks file, on a dataset by its name, or on its default dataset."""
    from herobench.checked_suite import open_suite
    from herobench.suite import SuiteSetting

    is_file = tasks is not None and tasks.exists()
    dataset = str(tasks) if tasks is not None and not is_file else None
    with closing(open_suite(name, SuiteSetting(dataset, tasks if is_file else None))) as suite:
        yield suite


def _task(suite: Suite, task_id: str) -> TaskInfo:
    from difflib import get_close_matches

    tasks = {task.id: task for task in suite.tasks()}
    if task_id not in tasks:
        near = ", ".join(get_close_matches(task_id, tasks, 3, cutoff=0)) or "none, for there are no tasks"
        raise UsageError(f"There is no task {task_id!r}: the nearest are {near}.")
    return tasks[task_id]


def _summary(task: TaskInfo) -> dict[str, Any]:
    return {"id": task.id, "group": task.group}
