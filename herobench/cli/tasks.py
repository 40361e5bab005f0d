"""Look at tasks: list the tasks of a file, show one, its prompt, or the figures of all."""

# The docstring above is the help text of the command.

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from herobench.cli.audit import show_figures
from herobench.cli.commands import Group, with_suite_options
from herobench.cli.options import SuiteOption
from herobench.cli.say import progress, say_json, say_text, write
from herobench.cli.table import plain_console, print_facts, print_table
from herobench.data.errors import UsageError
from herobench.data.options import Option, options_in, read_options
from herobench.suite.browsing import ListedTask, ShownTask, TaskBrowser
from herobench.suite.checked import (
    close_suite,
    is_tasks_file,
    open_chosen,
    read_tasks,
    refuse_undeclared,
    run_tables,
    suite_class,
    suite_errors,
    telling_foreign,
)
from herobench.suite.contract import Suite, SuiteSetting, TaskInfo
from herobench.suite.recorded import RecordedAttempt

if TYPE_CHECKING:
    from herobench.analysis.reading.contract import GroupNames

app = Group()


TasksOption = Annotated[
    Path | None, Option("A tasks file, or a shipped set.", "tasks", metavar="FILE|SET", shown="the suite's own set")
]
IdArgument = Annotated[str, Option("The id of a task, or how it alone begins.", metavar="ID", is_argument=True)]
JsonOption = Annotated[bool, Option("Print JSON.", "json")]

_NEAR = 3


def _list_tables(suite: str) -> list[type]:
    """Return the tables of the settings of a suite, and of the options that choose from its list."""
    return [*(run_tables(suite) or ()), *filter(None, [suite_class(suite).list_options])]


@app.command("list")
@with_suite_options(_list_tables)
def list_(
    settings: Mapping[str, str],
    tasks: TasksOption = None,
    as_json: JsonOption = False,
    suite: SuiteOption = "",
) -> None:
    """List tasks, a line a task."""
    table = suite_class(suite).list_options
    names = [field.name for field in options_in(table)] if table else []
    filters = read_options(table, settings) if table else None
    with _browser(suite, tasks, {name: text for name, text in settings.items() if name not in names}) as browser:
        tasks_of_list = browser.listed(filters)
        if as_json:
            say_json([task.summary for task in tasks_of_list])
        else:
            cells = (task.cells for task in tasks_of_list)
            print_table(plain_console(), browser.columns, browser.figures, cells, wrapped=browser.wrapped)


@app.command()
@with_suite_options(run_tables)
def show(
    settings: Mapping[str, str],
    task_id: IdArgument,
    tasks: TasksOption = None,
    as_json: JsonOption = False,
    suite: SuiteOption = "",
) -> None:
    """Show everything about a task; as JSON, its row."""
    with _browser(suite, tasks, settings) as browser:
        task = browser.shown(_task_id(task_id, browser.ids(task_id), _set_words(suite, tasks)))
        if as_json or not task.facts:
            say_json(task.row, indent=None if task.facts else 2)
        else:
            print_facts(plain_console(), task.facts, whole=["task"])
            if task.text:
                say_text(f"\n{task.text}")


@app.command()
@with_suite_options(run_tables)
def prompt(
    settings: Mapping[str, str],
    task_id: IdArgument,
    tasks: TasksOption = None,
    suite: SuiteOption = "",
) -> None:
    """Print what a model is told of a task."""
    with _browser(suite, tasks, settings) as browser:
        write(f"{browser.opening(_task_id(task_id, browser.ids(task_id), _set_words(suite, tasks)))}\n")


@app.command()
@with_suite_options(run_tables)
def stats(
    settings: Mapping[str, str], tasks: TasksOption = None, as_json: JsonOption = False, suite: SuiteOption = ""
) -> None:
    """Print the datasheet of a file: what its tasks are like, in figures."""
    with _browser(suite, tasks, settings) as browser:
        figures = browser.summary(partial(progress, "looked at"))
        if figures is None:
            raise UsageError(f"The suite {suite} has no figures of its tasks.")
        show_figures(figures, f"datasheet of the suite {suite}", as_json=as_json)


# -- the tasks of a suite ---------------------------------------------------------------------------------------------


@contextmanager
def _browser(name: str, tasks: Path | None, settings: Mapping[str, str]) -> Iterator[TaskBrowser]:
    """Open what shows the tasks of a file, of a dataset by its name, or of the suite's default dataset."""
    is_file = tasks is not None and is_tasks_file(name, str(tasks))
    dataset = str(tasks) if tasks is not None and not is_file else None
    refuse_undeclared(name, settings)
    setting = SuiteSetting(dataset, tasks if is_file else None, settings)
    with telling_foreign(name, setting.tasks):
        with suite_errors(name, "browser"):
            own = suite_class(name).browser(setting)
        with closing(own or OpenedTasks(name, setting)) as browser:
            yield browser


class OpenedTasks(TaskBrowser):
    """Shows the tasks of a suite without a browser of its own: ids with their groups, rows, and how attempts open."""

    def __init__(self, name: str, setting: SuiteSetting) -> None:
        self._suite: Suite = open_chosen(name, setting)
        self._tasks = {task.id: task for task in read_tasks(self._suite)}
        self._names = self._group_names()
        self.columns = ("id", self._names.title)

    def _group_names(self) -> GroupNames:
        from herobench.analysis.reading.checked import load_reading

        return load_reading(self._suite.name).group_names({task.group for task in self._tasks.values() if task.group})

    def listed(self, filters: None) -> Sequence[ListedTask]:
        """Return all tasks."""
        return [self._task_row(task) for task in self._tasks.values()]

    def _task_row(self, task: TaskInfo) -> ListedTask:
        return ListedTask({"id": task.id, "group": task.group}, (task.id, self._names.short(task.group or "")))

    def ids(self, text: str) -> Sequence[str]:
        """Return all ids."""
        return list(self._tasks)

    def shown(self, task_id: str) -> ShownTask:
        """Return the row of a task."""
        return ShownTask(self._tasks[task_id].row)

    def opening(self, task_id: str) -> str:
        """Return the messages that open a task's conversation, and the tools on offer."""
        attempt = RecordedAttempt(self._suite, task_id, 0)
        texts = [f"[{message.role}]\n{message.text}" for message in attempt.messages]
        return "\n".join([*texts, *(f"[tool {tool.name}]\n{tool.description}" for tool in attempt.tools)])

    def close(self) -> None:
        """Close the suite."""
        close_suite(self._suite)


def _set_words(suite: str, tasks: Path | None) -> tuple[str, str]:
    """Return what is searched, and advice where else to look, for an error."""
    if tasks:
        return str(tasks), ""
    return next(iter(suite_class(suite).datasets), f"the suite {suite}"), " --tasks NAME looks in another set."


def _task_id(text: str, ids: Sequence[str], searched: tuple[str, str]) -> str:
    """Return an id, or the one id that begins with a text. `searched` is what `_set_words` returns.

    `9/1` finds 9/1_Lich_kill and not 9/11_Owl_craft: a match up to the whole number comes before any other.
    """
    for fitting in ([text], [i for i in ids if i.startswith(f"{text}_")], [i for i in ids if i.startswith(text)]):
        matches = [task_id for task_id in fitting if task_id in ids]
        if len(matches) == 1:
            return matches[0]
        if matches:
            more = f", and {len(matches) - _NEAR} more" if len(matches) > _NEAR else ""
            raise UsageError(f"{len(matches)} tasks begin with {text!r}: {', '.join(matches[:_NEAR])}{more}.")
    # A cutoff of 0, because even a poor match shows what ids look like.
    near = get_close_matches(text, ids, _NEAR, cutoff=0) or ["none, for there are no tasks"]
    place, advice = searched
    raise UsageError(f"There is no task {text!r} in {place}: the nearest are {', '.join(near)}.{advice}")
