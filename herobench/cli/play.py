"""The command `play`: a person plays what a model plays."""

from __future__ import annotations

import os
import shlex
import sys
import webbrowser
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated

import typer

from herobench.cli.commands import with_suite_options
from herobench.cli.options import SuiteOption
from herobench.cli.say import say
from herobench.data.errors import UsageError
from herobench.data.options import Option
from herobench.page.server import ConversationPage, Page, PageServer, Seat
from herobench.runs.config import DEFAULT_AGENT
from herobench.runs.folder import RunFolder
from herobench.runs.options import RunRequest
from herobench.runs.runner import INTERRUPTED
from herobench.runs.session import RunCallbacks, RunResult, begin, resume
from herobench.runs.standing import News
from herobench.suite import plugins
from herobench.suite.checked import run_tables, suite_class
from herobench.suite.contract import TaskInfo
from herobench.suite.players import is_of_people

HUMAN = "human"
"""The name of a person who gives none."""


def _sit_down(
    page: Page,
    output: Path | None,
    request: Callable[[Seat, bool], RunRequest],
    *,
    port: int,
    browse: bool | None,
) -> None:
    """Serve a page, and let a person play the run there, from where an earlier session ended.

    `request` makes the run, and is told whether it is a new one.
    """
    run = output if output is not None and RunFolder(output).begun else None
    if run:
        config = RunFolder(run).read_manifest()["config"]
        mode = page.options.get("mode")
        if not is_of_people(config) or mode not in (None, config["identity"].get("mode")):
            raise UsageError(f"{run} is the run of {config['model']}, and not of a person at the page.")
    seat = Seat(page)
    run_request = request(seat, run is None)
    with PageServer(seat, port) as server:
        callbacks = RunCallbacks(
            tell=_Follower(seat),
            watch=lambda standing: _open(seat, server.url, standing.before, standing.total, browse=browse),
            argv=sys.argv,
            check=lambda chosen: _check(page, chosen),
        )
        ending = resume(run_request, run, callbacks) if run else begin(run_request, output, callbacks)
    _tell(ending)


def _check(page: Page, tasks: Mapping[str, TaskInfo]) -> None:
    """Raise UsageError when the page cannot show one of the tasks."""
    for task in tasks.values():
        page.check(task.row)


def _open(seat: Seat, url: str, before: int, total: int, *, browse: bool | None) -> None:
    """Tell the address of the page, and open it."""
    seat.expect(before, total)
    if before < total:
        say(f"Play here, and leave with Ctrl-C: {url}", err=True)
        if _has_display() if browse is None else browse:
            webbrowser.open(url)


def _has_display() -> bool:
    """Return whether a window can be opened: browsers for terminals would take this one over."""
    return sys.platform == "darwin" or any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))


class _Follower:
    """Follows the news of a run for the person in a seat."""

    def __init__(self, seat: Seat) -> None:
        self._seat = seat

    def __call__(self, news: News) -> None:
        """Send the person away when the run is being stopped, and tell each task that is done."""
        match news["event"]:
            case "begin":
                self._run = RunFolder(Path(news["run"]))
            case "stopping":
                self._seat.leave()
            case "sample":
                attempt = news["task_id"], news["epoch"]
                samples = self._run.read_samples()
                self._seat.finish(next(row for row in samples if (row["task_id"], row["epoch"]) == attempt))
                say(f"{news['task_id']}: {'not measured' if news['score'] is None else 'done'}", err=True)


def _tell(ending: RunResult) -> None:
    """Print how the session ended."""
    from herobench.cli.run_view import print_ending

    print_ending(ending)
    if ending.standing.owed:
        say(f"To continue: herobench play -o {shlex.quote(str(ending.path))}", err=True)
    if ending.reason == "interrupted":
        raise typer.Exit(INTERRUPTED)
    if ending.standing.owed:
        raise typer.Exit(1)


def _page(suite: str) -> Page:
    """Return the page of a suite, or the one for any suite."""
    page: Page = (
        plugins.build(plugins.PAGES, suite, kind=Page) if suite in plugins.names(plugins.PAGES) else ConversationPage()
    )
    return page


_TOOLS = "tools"


def _choose_agent(suite: str, page: Page) -> str:
    """Return the agent of a person, who has tools where the suite offers some and has no mode of its page."""
    modes = suite_class(suite).modes
    has_tools = (_TOOLS in modes or not modes) and "mode" not in page.options
    return _TOOLS if has_tools else DEFAULT_AGENT


@with_suite_options(run_tables)
def play(
    settings: Mapping[str, str],
    suite: SuiteOption = "",
    tasks: Annotated[Path | None, Option("A tasks file.", "tasks", metavar="FILE", shown="the suite's own set")] = None,
    dataset: Annotated[str | None, Option("A shipped set; `herobench suites` lists them.")] = None,
    task_id: Annotated[
        list[str] | None, Option("Only this task; may be repeated, and have * in it.", metavar="ID")
    ] = None,
    limit: Annotated[int | None, Option("At most this many tasks.", least=1)] = None,
    name: Annotated[str | None, Option("The name under which the run is compared with models.", shown="human")] = None,
    output: Annotated[
        Path | None, Option("The run's folder, new or to be continued.", short="-o", metavar="RUN")
    ] = None,
    port: Annotated[int, Option("The port; 0 for any that is free.", least=0, most=65_535)] = 0,
    browse: Annotated[bool | None, Option("Open the browser.", shown="where there is a display")] = None,
) -> None:
    """Open a page in the browser at which a person plays tasks as a model does: the same words, the same tools.

    The sessions are kept as a run, like those of models; the seconds of a sample are the person's.

    The page is served on this machine only. To continue a session that was cut short, name its folder: -o RUN.
    """
    page = _page(suite)

    def request(seat: Seat, new: bool) -> RunRequest:
        return RunRequest(
            model=name or (HUMAN if new else None),
            suite=suite if new else None,
            tasks=tasks,
            dataset=dataset,
            task_ids=tuple(task_id or ()),
            limit=limit,
            agent=_choose_agent(suite, page) if new else None,
            options={**page.options, **settings} if new else settings,
            conduct={"connections": 1, "retries": 0},
            person=seat,
        )

    _sit_down(page, output, request, port=port, browse=browse)
