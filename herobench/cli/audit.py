"""Show what shortcuts win and score: players that use only what the prompt tells, from doing nothing to a search."""

# The docstring above is the help text of the command.

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from herobench.cli.options import JobsOption, SuiteOption, TaskWorldOption, report
from herobench.cli.progress import progress
from herobench.cli.say import say, say_json
from herobench.cli.table import plain_console, print_table
from herobench.data.errors import UsageError
from herobench.suite.contract import DEFAULT_SUITE

if TYPE_CHECKING:
    from herobench.cli.screen import Screen

Row = Mapping[str, Any]
_SIDE_BY_SIDE = 2
"""The number of task groups that a table shows side by side."""
_MOST_TELLING = 4
"""The number of features that are named with their own AUC."""


def audit(
    tasks: Annotated[Path, typer.Argument(metavar="TASKS.jsonl", help="A tasks file, or the name of a shipped set.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON: a row a group and family, and leaks.")] = False,
    families: Annotated[
        str | None, typer.Option(metavar="A,B", help="The families of players; all when left out.")
    ] = None,
    tries: Annotated[int, typer.Option(min=1, help="The most sets that a player tries in fights.")] = 100,
    world_name: TaskWorldOption = None,
    rules: Annotated[str, typer.Option(help="The edition of the rules.")] = "standard",
    jobs: JobsOption = None,
    suite: SuiteOption = DEFAULT_SUITE,
) -> None:
    """Audit a file."""
    workers = jobs or os.cpu_count() or 1
    if suite != DEFAULT_SUITE:
        own = {"json": as_json, "families": families, "world": world_name}
        _audit_suite(suite, tasks, workers, [name for name, given in own.items() if given])
        return
    from herobench.suites.rpg.worlds.content import load_rules
    from herobench.suites.rpg.worlds.task_file import read_tasks
    from herobench.task_gen.rpg.audit import audit as auditing
    from herobench.task_gen.rpg.audit.case import Budget
    from herobench.task_gen.rpg.audit.families import parse_families
    from herobench.task_gen.rpg.datasets import load_task_world, tasks_at

    chosen = parse_families(families)
    edition, world = load_rules(rules), load_task_world(world_name, tasks)
    with tasks_at(tasks) as path:
        known, problems = read_tasks(path, world)
    with progress("audited", len(known)) as step:
        found = auditing.audit(world, edition, list(known.values()), chosen, Budget(tries), workers, step).as_row()
    wrong = report(problems)
    if as_json:
        say_json(found)
    else:
        console = plain_console()
        print_audit(console, found["rows"], _computing(found))
        print_ladder(console, found["ladder"], _computing(found))
        _print_notes(console, found)
    if wrong:
        raise typer.Exit(1)


def _audit_suite(suite: str, tasks: Path, workers: int, foreign: Sequence[str]) -> None:
    """Print what shallow strategies win of tasks of a suite, as a table in Markdown."""
    from herobench.suite.checked import suite_class

    if foreign:
        raise UsageError(f"--{foreign[0]} is for the suite {DEFAULT_SUITE} only: leave it out with --suite {suite}.")
    lines = suite_class(suite).audit(tasks, workers)
    if lines is None:
        raise UsageError(f"The suite {suite} has no audit.")
    for line in lines:
        say(line)


def _computing(found: Row) -> list[str]:
    """Return the families that compute fights."""
    return [name for name, family in found["families"].items() if family["computes"]]


def print_audit(console: Screen, rows: Iterable[Row], computing: Collection[str] = ()) -> None:
    """Print tables of how many tasks each family wins, and of its mean score, by group of tasks.

    Families that compute fights stand in a table of their own.
    """
    rows = list(rows)
    shown = _shown(rows)
    groups: dict[str, dict[str, Row]] = {}
    for row in rows:
        groups.setdefault(_header(row, shown), {})[row["family"]] = row
    # A terminal has room for few groups side by side, so wide audits become several tables.
    headers = list(groups)
    for first in range(0, len(headers), _SIDE_BY_SIDE):
        beside = headers[first : first + _SIDE_BY_SIDE]
        # Groups differ by the families that need a program, so the longest has all of them, in their order.
        families = max((groups[header] for header in beside), key=len)
        cells = {name: [_cell(groups[header].get(name)) for header in beside] for name in families}
        _print_apart(console, "won", beside, cells, computing)


def _print_apart(
    console: Screen, title: str, figures: Sequence[str], cells: Mapping[str, Sequence[str]], computing: Collection[str]
) -> None:
    """Print a table of the families that compute no fight, and one of those that do."""
    for words, computes in ((f"{title} by", False), (f"{title} by\ncomputing", True)):
        lines = [[name, *row] for name, row in cells.items() if (name in computing) == computes]
        if lines:
            print_table(console, [words], figures, lines)


def print_ladder(console: Screen, rows: Iterable[Row], computing: Collection[str] = ()) -> None:
    """Print how many tasks of each length each family wins, and its horizon, by group of campaigns."""
    rows = list(rows)
    shown = _shown(rows)
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(_header({**row, "tasks": sum(rung["tasks"] for rung in row["rungs"])}, shown), []).append(row)
    for header, beside in groups.items():
        console.print(f"Wins by decisions, {', '.join(header.splitlines()[:-1])}:")
        figures = [*(f"{rung['least']}-\nof {rung['tasks']}" for rung in beside[0]["rungs"]), "h50"]
        cells = {row["family"]: [*(str(rung["wins"]) for rung in row["rungs"]), _h50(row)] for row in beside}
        _print_apart(console, "won", figures, cells, computing)


def _h50(row: Row) -> str:
    signs = {"below the range": f"< {row['rungs'][0]['least']}", "not determined": "?"}
    if row["verdict"] == "beyond the range":
        return "all"
    return signs.get(row["verdict"]) or f"{row['h50']:.0f}"


def _shown(rows: Iterable[Row]) -> list[str]:
    """Return which of the defeat, the budget and the track tell groups apart, and `closed` if any task closes places.

    What all tasks share is not shown.
    """
    rows = list(rows)
    apart = [name for name in ("defeat", "budget", "track") if len({row[name] for row in rows}) > 1]
    return [*apart, *(["closed"] if any(row["closed"] for row in rows) else [])]


def _header(row: Row, shown: Iterable[str]) -> str:
    return "\n".join([row["kind"], *_told(row, shown), f"of {row['tasks']}, score"])


def _told(row: Row, shown: Iterable[str]) -> list[str]:
    """Return the words for what a group is told, and asked under."""
    words = {
        "defeat": f"defeats {row['defeat']}",
        "budget": "a budget" if row["budget"] else "no budget",
        "track": f"{row['track']} plans",
        "closed": row["closed"] or "no place closed",
    }
    return [f"{row['knowledge']}, noise" if row["noise"] else row["knowledge"], *(words[name] for name in shown)]


def _cell(row: Row | None) -> str:
    """Return the wins, their share and the mean score; a dash for a family that the track does not allow."""
    if row is None:
        return "-"
    if row["wins"] is None:
        return "not asked"
    return f"{row['wins']}  {100 * row['wins'] / row['tasks']:5.1f} %  {row['score']:5.1f}"


def _print_notes(console: Screen, found: Row) -> None:
    """Print what the families could spend, what weighted sums can win, and how needed items are told from decoys."""
    from herobench.task_gen.rpg.audit.classifier import EXTRA

    budget = found["budget"]
    console.print(
        f"At most {budget['tries']:,} sets tried, {budget['fights']:,} fights for levels, "
        f"{budget['evaluations']:,} sets computed by the simulator."
    )
    if any(row["wins"] is None for row in found["rows"]):
        console.print(f"A family that is not asked needs scikit-learn: pip install 'herobench[{EXTRA}]'.")
    programs = [name for name, family in found["families"].items() if "straight" not in family["tracks"]]
    if programs and any(row["track"] == "straight" for row in found["rows"]):
        console.print(f"No straight plan can do what {', '.join(programs)} does.")
    if hulls := found["hulls"]:
        console.print(
            f"Fights that every winning loadout wins with a piece inside the hull of its slot: "
            f"{hulls['with_piece_inside']:,} of {hulls['fights']:,}; "
            f"slots with such a piece: {hulls['mean_slots']:.2f} on average, {hulls['fewest_slots']} at least."
        )
    shown = _shown(found["rows"])
    for leak in found["leaks"]:
        group = ", ".join([leak["kind"], *_told(leak, shown)])
        if leak["auc"] is None:
            console.print(f"{group}: no decoys to tell from needed items.")
            continue
        alone = ", ".join(f"{name} {auc:.2f}" for name, auc in list(leak["alone"].items())[:_MOST_TELLING])
        console.print(
            f"{group}: a classifier tells needed items from decoys with an AUC of {leak['auc']:.2f} "
            f"({leak['pairs']:,} pairs). Alone: {alone}."
        )
