"""Rank runs by success, with the interval of each figure; what is never ranked together has tables of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from herobench.cli.analyze import RunsArgument, SuiteOption, no_samples
from herobench.cli.say import say, say_json, write

if TYPE_CHECKING:
    from herobench.analysis.findings import Findings

_HEADERS = ("rank", "run", "success %", "95 % interval", "score", "samples", "unmeasured")


def leaderboard(
    runs: RunsArgument,
    form: Annotated[Literal["table", "md", "json"], typer.Option("--format", help="How to show it.")] = "table",
    suite: SuiteOption = None,
) -> None:
    """Rank runs."""
    from herobench.analysis.apart import parts_of
    from herobench.analysis.checked_reading import reading_of
    from herobench.analysis.findings import find, mixtures
    from herobench.analysis.frame import frame, suite_of
    from herobench.analysis.sources import read_sources

    tables = {source.name: frame([source]) for source in read_sources(runs, suite=suite)}
    if all(samples.empty for samples in tables.values()):
        raise no_samples("rank", suite)
    read_by = reading_of(suite_of(tables.values()))
    for note in mixtures(tables.values(), read_by.settings):
        say(note, err=True)
    ranked = [
        (part, sorted((find(name, samples) for name, samples in part.runs.items()), key=_standing))
        for part in parts_of(tables, read_by.separates)
    ]
    if form == "json":
        told = [
            {"rank": rank, "apart": dict(part.values), **f.as_row()}
            for part, found in ranked
            for rank, f in enumerate(found, 1)
        ]
        say_json({"schema": 1, "runs": told})
        return
    for part, found in ranked:
        _print(part.title, found, form)


def _print(title: str, found: Sequence[Findings], form: Literal["table", "md"]) -> None:
    """Print the ranking of one part."""
    from herobench.analysis.typeset import markdown
    from herobench.cli.table import plain_console, print_table

    rows = [
        (
            str(rank),
            f.name,
            "" if f.success.estimate is None else f"{f.success.estimate:.1f}",
            "" if f.success.low is None else f"{f.success.low:.1f} to {f.success.high:.1f}",
            "" if f.score.estimate is None else f"{f.score.estimate:.1f}",
            str(f.samples),
            str(f.unmeasured),
        )
        for rank, f in enumerate(found, 1)
    ]
    if form == "md":
        write(markdown(_HEADERS, rows, title))
        return
    console = plain_console()
    if title:
        console.print(title, soft_wrap=True)
    print_table(console, _HEADERS[:2], _HEADERS[2:], rows)


def _standing(found: Findings) -> tuple[bool, float, float, str]:
    """Return the key that sorts the best first, and runs without a measured sample last."""
    success, score = found.success.estimate, found.score.estimate
    return success is None, -(success or 0.0), -(score or 0.0), found.name
