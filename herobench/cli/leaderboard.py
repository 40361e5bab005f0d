"""Rank runs by their horizon, or by success where no horizon is determined, with the interval of each figure.

Runs that do not compare, such as those in other modes, have a table of their own. --format html makes one page of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Literal

import typer

from herobench.analysis.board.board import models_by_suites, write_boards
from herobench.analysis.board.entry import Entry, by_suite, entry_costs, read_entries, separates
from herobench.analysis.reading.checked import load_reading
from herobench.analysis.reading.contract import Reading
from herobench.analysis.report.page_text import TextTable
from herobench.analysis.samples.sources import chosen_notes, dataset_name, fresh_notes, refuse_inputs, task_notes
from herobench.analysis.samples.table_text import latex, markdown
from herobench.analysis.statistics.findings import Economy, mixtures
from herobench.analysis.statistics.lane_costs import LaneCosts
from herobench.analysis.statistics.ranking import RankedGroup, RankedRun, ranked, split_runs
from herobench.analysis.statistics.words import horizon_cell, lane_cost_facts
from herobench.cli.options import SampleSuiteOption, no_samples
from herobench.cli.say import say, say_json, write
from herobench.cli.table import plain_console, print_table
from herobench.data.errors import UsageError
from herobench.suite.lanes import SOLVER

EntriesArgument = Annotated[
    list[Path],
    typer.Argument(metavar="RUN...", help="Folders of runs, scored or published files, files or folders of slim rows."),
]
Form = Literal["table", "md", "latex", "json", "html"]
_NAMES = ("rank", "run", "agent", "lane")
_FIGURES = ("success %", "95 % interval", "score", "tasks", "samples", "unmeasured")
_SPENT = ("output tokens", "cost", "output tokens a win", "cost a win")
_UNKNOWN = "-"


def leaderboard(
    runs: EntriesArgument,
    form: Annotated[Form, typer.Option("--format", help="How to show it.")] = "table",
    output: Annotated[Path | None, typer.Option("--output", "-o", help="The file to write; needed for html.")] = None,
    suite: SampleSuiteOption = None,
) -> None:
    """Rank runs."""
    _refuse_misplaced(form, output)
    entries = read_entries(runs, suite, with_references=form != "json")
    found = by_suite(entries)
    if not found:
        raise no_samples("rank", suite)
    if output is not None:
        refuse_inputs([entry.source for entry in entries], output)
        write_boards(output, found)
        given = sum(not entry.is_shipped for entry in entries)
        say(f"{given} run{'s' * (given != 1)} in {output}", err=True)
        return
    rankings = [_ranking(name, own) for name, own in found.items()]
    for note in (note for ranking in rankings for note in ranking.notes()):
        say(note, err=True)
    if form == "json":
        _print_json(rankings)
        return
    if len(rankings) > 1:
        _show(models_by_suites(found), form, names=2)
    for ranking in rankings:
        if len(rankings) > 1:
            write({"md": f"# Suite {ranking.suite}\n\n", "latex": f"% Suite {ranking.suite}\n"}.get(form, ""))
        _print(ranking, form, title=f"suite {ranking.suite}" if len(rankings) > 1 and form == "table" else "")


@dataclass(frozen=True, slots=True)
class _Ranking:
    """The entries of one suite."""

    suite: str
    entries: dict[str, Entry]
    reading: Reading

    def notes(self) -> list[str]:
        """Return what a reader has to know before he compares the entries."""
        own = self.entries.values()
        others = [entry.note for entry in own if entry.note]
        mixed = mixtures([entry.table for entry in own], self.reading.settings)
        chosen = chosen_notes((entry.name, entry.asked) for entry in own)
        return [*others, *mixed, *chosen, *fresh_notes(entry.asked for entry in own)]

    def parts(self) -> Iterator[tuple[RankedGroup, list[RankedRun], list[str]]]:
        """Yield each part with its runs, the best first, and what to know of their tasks."""
        tables = {name: entry.table for name, entry in self.entries.items()}
        for part in split_runs(tables, separates(self.entries.values(), self.reading), self.reading.usual):
            tasks = {name: self.entries[name].tasks(own) for name, own in part.runs.items()}
            yield part, ranked(part, self.reading.length), task_notes(tasks)

    def costs(self) -> list[LaneCosts]:
        """Return what planning costs each model that was asked in several lanes."""
        return entry_costs([entry for entry in self.entries.values() if not entry.is_shipped], self.reading)


def _ranking(suite: str, entries: Sequence[Entry]) -> _Ranking:
    return _Ranking(suite, {entry.name: entry for entry in entries}, load_reading(suite))


def _refuse_misplaced(form: str, output: Path | None) -> None:
    """Raise UsageError if a page has no file to go to, or anything else has one."""
    if form == "html" and output is None:
        raise UsageError("Say where the page goes: -o leaderboard.html.")
    if form != "html" and output is not None:
        raise UsageError("Only the page goes to a file: add --format html.")


# -- for programs -----------------------------------------------------------------------------------------------------


def _print_json(rankings: Sequence[_Ranking]) -> None:
    told = []
    for ranking in rankings:
        for part, rows, notes in ranking.parts():
            told += [_row(ranking, part, row) for row in rows]
            _say_notes(part, notes)
    costs = [found.as_row() for ranking in rankings for found in ranking.costs()]
    say_json({"schema": 1, "runs": told, **({"planning": costs} if costs else {})})


def _row(ranking: _Ranking, part: RankedGroup, row: RankedRun) -> dict[str, object]:
    entry = ranking.entries[row.found.name]
    return {
        "rank": None if row.lane == SOLVER else row.rank,
        "suite": ranking.suite,
        "dataset": dataset_name(entry.asked),
        "agent": entry.agent,
        "apart": {"lane": row.lane, **part.values},
        "horizon": asdict(row.horizon) if row.horizon else None,
        "economy": asdict(row.economy),
        **row.found.as_row(),
    }


def _say_notes(part: RankedGroup, notes: Sequence[str], *, is_beneath: bool = False) -> None:
    """Say notes. Beneath a table it is plain which one is meant, and a program takes no words among its data."""
    for note in notes:
        say(note if is_beneath or not part.title else f"{part.title}: {note}", err=not is_beneath)


# -- for people -------------------------------------------------------------------------------------------------------


def _print(ranking: _Ranking, form: Form, title: str) -> None:
    """Print the rankings of a suite, and what planning costs each model that was asked in several lanes."""
    for part, rows, notes in ranking.parts():
        _show(_table(ranking, ", ".join(filter(None, [title, part.title])), rows), form, names=len(_NAMES))
        _say_notes(part, notes, is_beneath=form == "table")
    for found in ranking.costs():
        facts = lane_cost_facts(found)
        _show(TextTable(found.title, [*facts], [[*facts.values()]]), form, names=0)


def _show(table: TextTable, form: Form, names: int) -> None:
    """Print a table; the first columns are names."""
    if form in ("md", "latex"):
        write((markdown if form == "md" else latex)(table.headers, table.rows, table.caption))
        return
    console = plain_console()
    if table.caption:
        console.print(table.caption, soft_wrap=True)
    print_table(console, table.headers[:names], table.headers[names:], table.rows)


def _table(ranking: _Ranking, title: str, rows: Sequence[RankedRun]) -> TextTable:
    unit = ranking.reading.unit
    paid = [row.economy for row in rows]
    is_paid = any(one.tokens is not None or one.cost is not None for one in paid)
    cells = [
        (
            "" if lane == SOLVER else str(rank),
            f.name,
            ranking.entries[f.name].agent or "",
            lane,
            *([horizon_cell(reach)] if unit else []),
            *(f.success.figure(), f.success.span(), f.score.figure()),
            *map(str, (f.tasks, f.samples, f.unmeasured)),
            *(_spent(economy) if is_paid else ()),
        )
        for lane, rank, f, reach, economy in rows
    ]
    horizon = [f"horizon, {unit}"] if unit else []
    return TextTable(title, (*_NAMES, *horizon, *_FIGURES, *(_SPENT if is_paid else ())), cells)


def _spent(economy: Economy) -> tuple[str, ...]:
    """Return the tokens and the cost of all samples, and those of a win."""
    spent = (economy.tokens, economy.cost), (economy.tokens_per_success, economy.cost_per_success)
    return tuple(
        text
        for tokens, cost in spent
        for text in (_UNKNOWN if tokens is None else f"{tokens:,.0f}", _UNKNOWN if cost is None else f"{cost:.4f}")
    )
