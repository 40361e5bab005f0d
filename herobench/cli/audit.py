"""Show what shortcuts win and score: players that use only what the prompt tells, from doing nothing to a search."""

# The docstring above is the help text of the command.

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated

from herobench.cli.commands import with_suite_options
from herobench.cli.options import JobsOption, SuiteOption
from herobench.cli.say import progress, say_json
from herobench.cli.table import plain_console, print_table
from herobench.data.errors import UsageError
from herobench.data.options import Option
from herobench.suite.checked import suite_class, suite_errors, telling_foreign
from herobench.suite.contract import SuiteSetting

if TYPE_CHECKING:
    from herobench.suite.validating import TaskFigures


@with_suite_options(lambda suite: [*filter(None, [suite_class(suite).audit_options])], with_set=False)
def audit(
    tasks: Annotated[
        Path, Option("A tasks file, or the name of a shipped set.", metavar="TASKS.jsonl", is_argument=True)
    ],
    as_json: Annotated[bool, Option("Print JSON: a row a group and family.", "json")] = False,
    settings: Mapping[str, str] = MappingProxyType({}),
    jobs: JobsOption = None,
    suite: SuiteOption = "",
) -> None:
    """Audit a file."""
    setting = SuiteSetting(tasks=tasks, options=settings, workers=jobs or os.cpu_count() or 1)
    with suite_errors(suite, "audit"), telling_foreign(suite, tasks):
        figures = suite_class(suite).audit(setting, partial(progress, "audited"))
    if figures is None:
        raise UsageError(f"The suite {suite} has no audit.")
    show_figures(figures, f"audit of the suite {suite}", as_json=as_json)


def show_figures(figures: TaskFigures, what: str, *, as_json: bool) -> None:
    """Print figures of tasks: as JSON, or as tables and sentences that fit the terminal."""
    if as_json and figures.row is None:
        raise UsageError(f"The {what} is no JSON: leave --json out.")
    if as_json:
        say_json(figures.row)
    console = plain_console()
    for part in () if as_json else figures.parts:
        if isinstance(part, str):
            console.print(part, overflow="ignore")  # a digest stays whole
        else:
            print_table(console, *part)
