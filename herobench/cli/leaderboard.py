"""Rank runs by the suite's main figure, such as decisions between mistakes, or else the horizon, or success.

Runs that do not compare, such as those in other modes, have a table of their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from herobench.analysis.samples.sources import read_sources
from herobench.analysis.samples.table_text import TextTable, csv_text
from herobench.analysis.samples.variants import shipped_files
from herobench.analysis.statistics.ranking import (
    Ranking,
    keep_apart,
    lane_cost_table,
    models_by_suites,
    rankings,
    reference_runs,
    sections,
)
from herobench.cli.formats import Chapter, chapters_text
from herobench.cli.options import LabelOption, SampleSuiteOption, no_samples
from herobench.cli.say import say, say_json, write
from herobench.cli.table import plain_console, print_table
from herobench.data.options import Option

if TYPE_CHECKING:
    from herobench.cli.table import Screen

_Form = Literal["table", "md", "latex", "csv", "json"]
_FormOption = Annotated[_Form, Option("How to show it.", "format")]


def leaderboard(
    runs: Annotated[
        list[Path] | None,
        Option(
            "Folders of runs, scored or published files; the shipped runs alone.", metavar="RUN...", is_argument=True
        ),
    ] = None,
    form: _FormOption = "table",
    suite: SampleSuiteOption = None,
    label: LabelOption = "run",
) -> None:
    """Rank runs. Shipped runs of programs and models stand beneath those that they compare with; JSON has none."""
    sources = read_sources(runs or [*chain(*shipped_files().values())], suite=suite, label=label)
    by_suite = [keep_apart(section) for section in sections(sources)]
    if not by_suite:
        raise no_samples("rank", suite)
    for note in (note for section in by_suite for note in section.notes()):
        say(note, err=True)
    boards = [rankings(section, reference_runs(section) if runs and form != "json" else {}) for section in by_suite]
    if form == "table":
        _print(boards)
        return
    for ranking in chain(*boards):
        _say_notes(ranking)
    if form == "json":
        costs = [costs.as_row() for section in by_suite for costs in section.lane_costs()]
        rows = [row for ranking in chain(*boards) for row in ranking.rows()]
        say_json({"schema": 1, "runs": rows, **({"planning": costs} if costs else {})})
    elif form == "csv":
        write(_as_csv(row for ranking in chain(*boards) for row in ranking.rows()))
    else:
        across = [Chapter("All suites", [models_by_suites([*chain(*boards)])])] if len(boards) > 1 else []
        chapters = [Chapter(f"Suite {own[0].section.suite}", _tables(own, slim=form == "latex")) for own in boards]
        write(chapters_text("Leaderboard", [*across, *chapters], form))


def _tables(own: Sequence[Ranking], *, slim: bool) -> list[TextTable]:
    """Return the rankings of a suite, and what planning costs each model that was asked in several lanes."""
    rankings_of_suite = [ranking.slim_table() if slim else ranking.table() for ranking in own]
    return [*rankings_of_suite, *map(lane_cost_table, own[0].section.lane_costs())]


def _print(boards: Sequence[Sequence[Ranking]]) -> None:
    """Print the tables of each suite, each ranking with its notes beneath it."""
    console = plain_console()
    if len(boards) > 1:
        _print_table(console, models_by_suites([*chain(*boards)]))
    for own in boards:
        section = own[0].section
        if len(boards) > 1:
            console.print(f"Suite {section.suite}", "", soft_wrap=True)
        for ranking in own:
            _print_table(console, ranking.table())
            for note in ranking.notes():
                say(note)
        for costs in section.lane_costs():
            _print_table(console, lane_cost_table(costs))


def _print_table(console: Screen, table: TextTable) -> None:
    if table.caption:
        console.print(table.caption, soft_wrap=True)
    print_table(console, table.headers[: table.names], table.headers[table.names :], table.rows)


def _say_notes(ranking: Ranking) -> None:
    """Say the notes on a table away from it: a program takes no words among its data."""
    for note in ranking.notes():
        say(f"{ranking.part.title}: {note}" if ranking.part.title else note, err=True)


def _as_csv(rows: Iterable[Mapping[str, Any]]) -> str:
    """Return the main figures of runs, a row a run."""
    import pandas as pd

    return csv_text(pd.DataFrame(map(_flat, rows)))


def _flat(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the main figures of a run without nesting."""
    identity = {name: row[name] for name in ("suite", "rank", "name", "agent", "dataset")}
    apart = dict(row["apart"])
    value, terms = apart.pop("help"), ", ".join(f"{name}: {value}" for name, value in apart.items())
    horizon = row["horizon"] or {"verdict": None, "h50": {}}
    figures = {"horizon": horizon["h50"], "success": row["success"], "score": row["score"]}
    ends = {"": "estimate", "_low": "low", "_high": "high"}
    economy = ("tokens", "cost", "tokens_per_success", "cost_per_success")
    return {
        **identity,
        "help": value,
        "apart": terms,
        "horizon_verdict": horizon["verdict"],
        **{f"{name}{end}": figure.get(part) for name, figure in figures.items() for end, part in ends.items()},
        **{name: row[name] for name in ("tasks", "samples", "unmeasured")},
        **{name: row["economy"][name] for name in economy},
    }
