"""Rank runs by their horizon, or by success where no horizon is determined, with the interval of each figure.

Runs that do not compare, such as those in other modes, have a table of their own. --format html makes one page of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from herobench.cli.analyze import SuiteOption, no_samples
from herobench.cli.say import say, say_json, write
from herobench.data.errors import UsageError

if TYPE_CHECKING:
    from herobench.analysis.board.entry import Entry
    from herobench.analysis.statistics.findings import Economy
    from herobench.analysis.statistics.lane_costs import LaneCosts
    from herobench.analysis.statistics.ranking import RankedGroup, RankedRun

EntriesArgument = Annotated[
    list[Path],
    typer.Argument(metavar="RUN...", help="Folders of runs, scored or published files, files or folders of slim rows."),
]
_HEADERS = ("rank", "run", "agent", "lane", "success %", "95 % interval", "score", "samples", "unmeasured")
_SPENT = ("output tokens a win", "cost a win")
_UNKNOWN = "-"


def leaderboard(
    runs: EntriesArgument,
    form: Annotated[Literal["table", "md", "json", "html"], typer.Option("--format", help="How to show it.")] = "table",
    output: Annotated[Path | None, typer.Option("--output", "-o", help="The file to write; needed for html.")] = None,
    suite: SuiteOption = None,
) -> None:
    """Rank runs."""
    from herobench.analysis.board.board import write_board
    from herobench.analysis.board.entry import entry_costs, read_entries, separates
    from herobench.analysis.reading.checked import load_reading
    from herobench.analysis.samples.frame import common_suite
    from herobench.analysis.samples.sources import chosen_notes, fresh_notes, refuse_inputs, task_notes
    from herobench.analysis.statistics.findings import mixtures
    from herobench.analysis.statistics.ranking import ranked, split_runs

    _refuse_misplaced(form, output)
    entries = read_entries(runs, suite, with_references=form != "json")
    tables = {entry.name: entry.table for entry in entries}
    if all(samples.empty for samples in tables.values()):
        raise no_samples("rank", suite)
    read_by = load_reading(common_suite(tables.values()))
    if output is not None:
        refuse_inputs([entry.source for entry in entries], output)
        write_board(output, entries, common_suite(tables.values()), read_by)
        given = sum(not entry.is_shipped for entry in entries)
        say(f"{given} run{'s' * (given != 1)} in {output}", err=True)
        return
    others = [entry.note for entry in entries if entry.note]
    mixed = mixtures(tables.values(), read_by.settings)
    chosen = chosen_notes((entry.name, entry.asked) for entry in entries)
    for note in (*others, *mixed, *chosen, *fresh_notes(entry.asked for entry in entries)):
        say(note, err=True)
    by_name = {entry.name: entry for entry in entries}
    told: list[dict[str, object]] = []
    for part in split_runs(tables, separates(entries, read_by), read_by.usual):
        rows = ranked(part, read_by.length)
        notes = task_notes({name: by_name[name].tasks(own) for name, own in part.runs.items()})
        if form == "json":
            told += _as_json(part, rows, by_name)
        else:
            _print(part.title, rows, by_name, read_by.unit, is_markdown=form == "md")
        for note in notes:
            # beneath a table it is plain which one is meant, and a program takes no words among its data
            say(note if form == "table" or not part.title else f"{part.title}: {note}", err=form != "table")
    costs = entry_costs([entry for entry in entries if not entry.is_shipped], read_by)
    if form == "json":
        say_json({"schema": 1, "runs": told, **({"planning": [found.as_row() for found in costs]} if costs else {})})
    else:
        _print_costs(costs, is_markdown=form == "md")


def _print_costs(costs: Sequence[LaneCosts], *, is_markdown: bool) -> None:
    """Print what planning costs each model that was asked in several lanes."""
    from herobench.analysis.samples.table_text import markdown
    from herobench.cli.formats import lane_cost_facts
    from herobench.cli.table import plain_console, print_table

    for found in costs:
        title, facts = f"What planning costs {found.model}", lane_cost_facts(found)
        if is_markdown:
            write(markdown(tuple(facts), [tuple(facts.values())], title))
            continue
        console = plain_console()
        console.print(title, soft_wrap=True)
        print_table(console, [], list(facts), [tuple(facts.values())])


def _as_json(part: RankedGroup, rows: Sequence[RankedRun], entries: Mapping[str, Entry]) -> list[dict[str, object]]:
    """Return the ranking of one part."""
    from herobench.analysis.samples.sources import dataset_name
    from herobench.suite.lanes import SOLVER

    return [
        {
            "rank": None if row.lane == SOLVER else row.rank,
            "dataset": dataset_name(entries[row.found.name].asked),
            "agent": entries[row.found.name].agent,
            "apart": {"lane": row.lane, **part.values},
            "horizon": row.horizon.as_row() if row.horizon else None,
            "economy": row.economy.as_row(),
            **row.found.as_row(),
        }
        for row in rows
    ]


def _refuse_misplaced(form: str, output: Path | None) -> None:
    """Raise UsageError if a page has no file to go to, or anything else has one."""
    if form == "html" and output is None:
        raise UsageError("Say where the page goes: -o leaderboard.html.")
    if form != "html" and output is not None:
        raise UsageError("Only the page goes to a file: add --format html.")


def _print(
    title: str,
    standings: Sequence[RankedRun],
    entries: Mapping[str, Entry],
    unit: str | None,
    *,
    is_markdown: bool,
) -> None:
    """Print the ranking of one part."""
    from herobench.analysis.samples.table_text import markdown
    from herobench.cli.formats import horizon_cell
    from herobench.cli.table import plain_console, print_table
    from herobench.suite.lanes import SOLVER

    paid = [standing.economy for standing in standings]
    is_paid = any(one.tokens_per_success is not None or one.cost_per_success is not None for one in paid)
    rows = [
        (
            "" if lane == SOLVER else str(rank),
            f.name,
            entries[f.name].agent or "",
            lane,
            *([horizon_cell(reach)] if unit else []),
            "" if f.success.estimate is None else f"{f.success.estimate:.1f}",
            "" if f.success.low is None else f"{f.success.low:.1f} to {f.success.high:.1f}",
            "" if f.score.estimate is None else f"{f.score.estimate:.1f}",
            str(f.samples),
            str(f.unmeasured),
            *(_spent(economy) if is_paid else ()),
        )
        for lane, rank, f, reach, economy in standings
    ]
    horizon = [f"horizon, {unit}"] if unit else []
    names, figures = _HEADERS[:4], (*horizon, *_HEADERS[4:], *(_SPENT if is_paid else ()))
    if is_markdown:
        write(markdown((*names, *figures), rows, title))
        return
    console = plain_console()
    if title:
        console.print(title, soft_wrap=True)
    print_table(console, names, figures, rows)


def _spent(economy: Economy) -> tuple[str, str]:
    """Return the tokens and the cost of a win."""
    tokens, cost = economy.tokens_per_success, economy.cost_per_success
    return _UNKNOWN if tokens is None else f"{tokens:,.0f}", _UNKNOWN if cost is None else f"{cost:.4f}"
