"""Show what simple players win and score: baselines that read the prompt, and trivial scripts that make nothing."""

# The docstring above is the help text of the command.

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from herobench.cli.options import WorldOption, report
from herobench.cli.say import say_json

if TYPE_CHECKING:
    from herobench.cli.screen import Screen

Row = Mapping[str, Any]
_SIDE_BY_SIDE = 2
"""The number of task groups that a table shows side by side."""


def audit(
    tasks: Annotated[Path, typer.Argument(metavar="TASKS.jsonl", help="A tasks file, or the name of a shipped set.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON: a row a group and baseline.")] = False,
    world_name: WorldOption = "classic",
    rules: Annotated[str, typer.Option(help="The edition of the rules.")] = "standard",
) -> None:
    """Audit a file."""
    from herobench.cli.progress import progress
    from herobench.cli.table import plain_console
    from herobench.rpg.content import load_rules, load_world
    from herobench.rpg.task_file import read_tasks
    from herobench.task_gen.datasets import tasks_at
    from herobench.task_gen.shortcut_audit import ShortcutAudit

    edition, world = load_rules(rules), load_world(world_name)
    with tasks_at(tasks) as path:
        known, problems = read_tasks(path, world)
    found = ShortcutAudit()
    with progress("audited", len(known)) as step:
        for task in known.values():
            found.add(world, edition, task)
            step()
    wrong = report(problems)
    rows = list(found.rows())
    if as_json:
        say_json(rows)
    else:
        print_audit(plain_console(), rows)
    if wrong:
        raise typer.Exit(1)


def print_audit(console: Screen, rows: Iterable[Row]) -> None:
    """Print tables of how many tasks each player solves and what it scores, by group of tasks."""
    from herobench.cli.table import print_table

    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(_header(row), []).append(row)
    # A terminal has room for few groups side by side, so wide audits become several tables.
    headers = list(groups)
    for first in range(0, len(headers), _SIDE_BY_SIDE):
        beside = headers[first : first + _SIDE_BY_SIDE]
        cells = zip(*(groups[header] for header in beside), strict=True)
        print_table(console, ["solved by"], beside, map(_line, cells))


def _header(row: Row) -> str:
    told = f"{row['knowledge']}, noise" if row["noise"] else row["knowledge"]
    return f"{row['kind']}\n{told}\nof {row['tasks']}, score"


def _line(rows: Sequence[Row]) -> list[str]:
    return [rows[0]["baseline"], *map(_figures, rows)]


def _figures(row: Row) -> str:
    """Return the tasks that were solved, their share, and the mean score of all."""
    return f"{row['solved']}  {100 * row['solved'] / row['tasks']:5.1f} %  {row['score']:5.1f}"
