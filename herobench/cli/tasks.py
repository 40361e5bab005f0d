"""Look at tasks: list the tasks of a file, show one, its prompt, or the figures of all."""

# The docstring above is the help text of the command.

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from herobench.cli.audit import print_parts
from herobench.cli.options import (
    SettingsOption,
    SuiteCommand,
    SuiteOption,
    TaskWorldOption,
    read_settings,
    report,
)
from herobench.cli.progress import progress
from herobench.cli.say import say_json, say_text, write
from herobench.cli.table import plain_console, print_facts, print_table
from herobench.data.errors import Problem, UsageError
from herobench.data.files import file_sha256, is_standard_input
from herobench.suite.checked import close_suite, open_suite, read_tasks, suite_class, suite_errors
from herobench.suite.contract import DEFAULT_SUITE, ListedTask, ShownTask, Suite, SuiteSetting, TaskBrowser, TaskInfo
from herobench.suite.recorded import RecordedAttempt
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.worlds.content import load_rules
from herobench.task_gen.rpg.tasks.spec import DEFAULT_DATASET

if TYPE_CHECKING:
    from herobench.analysis.reading.contract import GroupNames
    from herobench.cli.screen import Screen
app = typer.Typer(no_args_is_help=True)


def _tasks_option(default: str) -> Any:
    """Return the option for the source of the tasks, whose default depends on the command."""
    about = "A tasks file, or a shipped set such as noise or base-v2."
    return typer.Option("--tasks", metavar="FILE|SET", help=f"{about} \\[default: {default}]")


ListedTasks = Annotated[Path | None, _tasks_option("horizon; with --difficulty base")]
TasksOfOne = Annotated[Path | None, _tasks_option("horizon if the id begins with campaign, or base")]
TasksToSum = Annotated[Path | None, _tasks_option("horizon")]
IdArgument = Annotated[str, typer.Argument(metavar="ID", help="The id of a task, or how it alone begins.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]

_NEAR = 3


@app.command("list", cls=SuiteCommand)
def list_(
    tasks: ListedTasks = None,
    difficulty: Annotated[str | None, typer.Option(help="Only these brackets, such as 9, 1-9 or 3,5-7.")] = None,
    kind: Annotated[Literal["kill", "craft"] | None, typer.Option(help="Only tasks of this kind.")] = None,
    as_json: JsonOption = False,
    suite: SuiteOption = DEFAULT_SUITE,
    settings: SettingsOption = None,
) -> None:
    """List tasks, a line a task."""
    filters = {name: text for name, text in (("difficulty", difficulty), ("kind", kind)) if text is not None}
    with _browser(suite, tasks, read_settings(settings or ())) as browser:
        for name in filters:
            if name not in browser.filters:
                raise UsageError(f"--{name} is for the suite {DEFAULT_SUITE} only: leave it out with --suite {suite}.")
        found = browser.listed(filters)
        if as_json:
            say_json([task.summary for task in found])
        else:
            cells = (task.cells for task in found)
            print_table(plain_console(), browser.columns, browser.figures, cells, wrapped=browser.wrapped)
        _end(browser.problems)


@app.command(cls=SuiteCommand)
def show(
    task_id: IdArgument,
    tasks: TasksOfOne = None,
    as_json: JsonOption = False,
    suite: SuiteOption = DEFAULT_SUITE,
    settings: SettingsOption = None,
) -> None:
    """Show everything about a task; as JSON, its row."""
    with _browser(suite, tasks, read_settings(settings or ())) as browser:
        found = browser.shown(_found(task_id, browser.ids(task_id)))
        if as_json or not found.facts:
            say_json(found.row, indent=None if found.facts else 2)
        else:
            print_facts(plain_console(), found.facts, whole=["task"])
            if found.text:
                say_text(f"\n{found.text}")
        _end(browser.problems)


@app.command(cls=SuiteCommand)
def prompt(
    task_id: IdArgument,
    tasks: TasksOfOne = None,
    suite: SuiteOption = DEFAULT_SUITE,
    settings: SettingsOption = None,
) -> None:
    """Print what a model is told of a task."""
    with _browser(suite, tasks, read_settings(settings or ())) as browser:
        write(f"{browser.opening(_found(task_id, browser.ids(task_id)))}\n")
        _end(browser.problems)


@app.command()
def stats(tasks: TasksToSum = None, as_json: JsonOption = False, world_name: TaskWorldOption = None) -> None:
    """Print the datasheet of a file: what its tasks are like, in figures."""
    from herobench.prompts.rpg.render import prompt_digest, render_prompt
    from herobench.task_gen.rpg.datasets import load_task_world
    from herobench.task_gen.rpg.datasheet import datasheet
    from herobench.task_gen.rpg.task_browser import good_tasks

    tasks = tasks or Path(DEFAULT_DATASET)
    if is_standard_input(tasks):
        raise UsageError("A datasheet reads its file twice, for the tasks and for the digest: give a file, not -.")
    world, rules = load_task_world(world_name, tasks), load_rules()
    known, problems = good_tasks(tasks, world)
    with progress("looked at", len(known)) as step:

        def told(task: Task) -> str:
            step()
            return render_prompt(world, task, rules)

        sheet = datasheet(world, rules, known.values(), told)
    sheet |= {"sha256": _sha256(tasks), "prompts": prompt_digest(known.values())}
    if as_json:
        say_json(sheet)
    else:
        _print_sheet(plain_console(), sheet)
    _end(problems)


# -- the tasks of a suite ---------------------------------------------------------------------------------------------


@contextmanager
def _browser(name: str, tasks: Path | None, settings: Mapping[str, str]) -> Iterator[TaskBrowser]:
    """Open what shows the tasks of a file, of a dataset by its name, or of the suite's default dataset."""
    is_file = tasks is not None and tasks.exists()
    dataset = str(tasks) if tasks is not None and not is_file else None
    setting = SuiteSetting(dataset, tasks if is_file else None, settings)
    with suite_errors(name, "browser"):
        own = suite_class(name).browser(setting)
    with closing(own or OpenedTasks(name, setting)) as browser:
        yield browser


class OpenedTasks(TaskBrowser):
    """Shows the tasks of a suite without a browser of its own: ids with their groups, rows, and how attempts open."""

    def __init__(self, name: str, setting: SuiteSetting) -> None:
        self._suite: Suite = open_suite(name, setting)
        self._tasks = {task.id: task for task in read_tasks(self._suite)}
        self._names = self._group_names()
        self.columns = ("id", self._names.title)

    def _group_names(self) -> GroupNames:
        from herobench.analysis.reading.checked import load_reading

        return load_reading(self._suite.name).group_names({task.group for task in self._tasks.values() if task.group})

    def listed(self, filters: Mapping[str, str]) -> Sequence[ListedTask]:
        """Return all tasks."""
        return [self._listed(task) for task in self._tasks.values()]

    def _listed(self, task: TaskInfo) -> ListedTask:
        return ListedTask({"id": task.id, "group": task.group}, (task.id, self._names.short(task.group or "")))

    def ids(self, wanted: str) -> Sequence[str]:
        """Return all ids."""
        return list(self._tasks)

    def shown(self, task_id: str) -> ShownTask:
        """Return the row of a task."""
        return ShownTask(self._tasks[task_id].row)

    def opening(self, task_id: str) -> str:
        """Return the messages that open a task's conversation, and the tools on offer."""
        attempt = RecordedAttempt(self._suite, task_id, 0)
        told = [f"[{message.role}]\n{message.text}" for message in attempt.messages]
        return "\n".join([*told, *(f"[tool {tool.name}]\n{tool.description}" for tool in attempt.tools)])

    def close(self) -> None:
        """Close the suite."""
        close_suite(self._suite)


def _sha256(tasks: Path) -> str:
    from herobench.task_gen.rpg.datasets import tasks_at

    with tasks_at(tasks) as path:
        return file_sha256(path)


def _end(problems: Sequence[Problem]) -> None:
    if report(problems):
        raise typer.Exit(1)


def _found(text: str, ids: Sequence[str]) -> str:
    """Return an id, or the one id that begins with a text.

    `9/1` finds 9/1_Lich_kill and not 9/11_Owl_craft: a match up to the whole number comes before any other.
    """
    for fitting in ([text], [i for i in ids if i.startswith(f"{text}_")], [i for i in ids if i.startswith(text)]):
        known = [task_id for task_id in fitting if task_id in ids]
        if len(known) == 1:
            return known[0]
        if known:
            more = f", and {len(known) - _NEAR} more" if len(known) > _NEAR else ""
            raise UsageError(f"{len(known)} tasks begin with {text!r}: {', '.join(known[:_NEAR])}{more}.")
    # A cutoff of 0, because even a poor match shows what ids look like.
    near = get_close_matches(text, ids, _NEAR, cutoff=0) or ["none, for there are no tasks"]
    raise UsageError(f"There is no task {text!r}: the nearest are {', '.join(near)}.")


# -- all of them ------------------------------------------------------------------------------------------------------

_COUNTS = {
    "kinds": "kind",
    "brackets": "bracket",
    "difficulties": "difficulty",
    "knowledge": "told",
    "leveling": "leveling",
    "stochastic": "drops by chance",
    "defeat": "defeat",
    "budget": "budget",
    "noise_items": "noise items",
    "exchange": "exchange sells",
    "tracks": "track",
    "closed_places": "closed places",
    "solvable": "solvable",
    "missing_gear": "missing gear",
    "hero_levels": "hero's level",
    "targets": "target",
}


def _print_sheet(console: Screen, sheet: Mapping[str, Any]) -> None:
    """Print a datasheet for people."""
    from herobench.task_gen.rpg.audit_report import wins_tables

    oracle = sheet["oracle"]
    console.print(f"{sheet['tasks']} tasks in {sheet['world']['code']}, {sheet['equal']} equal to an earlier one")
    console.print(f"sha256 {sheet['sha256']}", soft_wrap=True)
    counts = (
        (label, "  ".join(f"{value}: {n}" for value, n in sheet[name].items()))
        for name, label in _COUNTS.items()
        if name in sheet
    )
    print_table(console, ["by", "value: tasks"], [], rows=counts, wrapped=["value: tasks"])
    spreads = {"characters of the prompt": sheet["prompt_characters"], "actions of the oracle": oracle["actions"]}
    rows = [(label, *(f"{number:.0f}" for number in spread.values())) for label, spread in spreads.items() if spread]
    print_table(console, ["length"], ["min", "median", "mean", "max"], rows=rows)
    if oracle["certified"]:
        shares = f"{100 * oracle['optimal_share']:.1f} % proven optimal, all together"
        console.print(f"oracle: {shares} {oracle['actions_per_lower_bound']:.3f} times the lower bound")
    print_parts(wins_tables(sheet["audit"]))
