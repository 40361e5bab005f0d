"""Show what shortcuts win and score: players that use only what the prompt tells, from doing nothing to a search."""

# The docstring above is the help text of the command.

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from herobench.cli.options import JobsOption, SuiteOption, TaskWorldOption, read_settings, report
from herobench.cli.progress import progress
from herobench.cli.say import say_json
from herobench.cli.table import plain_console, print_table
from herobench.data.errors import UsageError
from herobench.suite.checked import suite_class, suite_errors
from herobench.suite.contract import DEFAULT_SUITE, SuiteSetting

if TYPE_CHECKING:
    from herobench.suite.validating import WinsTable


def audit(
    tasks: Annotated[Path, typer.Argument(metavar="TASKS.jsonl", help="A tasks file, or the name of a shipped set.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON: a row a group and family.")] = False,
    families: Annotated[
        str | None, typer.Option(metavar="A,B", help="The families of players; all when left out.")
    ] = None,
    world_name: TaskWorldOption = None,
    jobs: JobsOption = None,
    suite: SuiteOption = DEFAULT_SUITE,
) -> None:
    """Audit a file."""
    settings = read_settings((), {"families": families, "world": world_name})
    kind = suite_class(suite)
    for name in (*(["json"] if as_json else []), *settings):
        if name not in kind.audit_options:
            raise UsageError(f"--{name} is for the suite {DEFAULT_SUITE} only: leave it out with --suite {suite}.")
    setting = SuiteSetting(tasks=tasks, options=settings, workers=jobs or os.cpu_count() or 1)
    with suite_errors(suite, "audit"):
        found = kind.audit(setting, partial(progress, "audited"))
    if found is None or (as_json and found.row is None):
        raise UsageError(f"The suite {suite} has no audit{' in JSON' if found else ''}.")
    wrong = report(found.problems)
    if as_json:
        say_json(found.row)
    else:
        print_parts(found.parts)
    if wrong:
        raise typer.Exit(1)


def print_parts(parts: Iterable[WinsTable | str]) -> None:
    """Print tables and sentences of an audit, as wide as the terminal."""
    console = plain_console()
    for part in parts:
        if isinstance(part, str):
            console.print(part)
        else:
            print_table(console, *part)
