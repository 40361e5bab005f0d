"""Rank runs by their horizon, or by success where no horizon is determined, with the interval of each figure.

What is never ranked together has tables of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from herobench.cli.analyze import RunsArgument, SuiteOption, no_samples
from herobench.cli.say import say, say_json, write

if TYPE_CHECKING:
    from herobench.analysis.apart import Part
    from herobench.analysis.findings import Findings
    from herobench.analysis.horizon import Horizon

    Ranked = tuple[Findings, Horizon | None]

_HEADERS = ("rank", "run", "agent", "success %", "95 % interval", "score", "samples", "unmeasured")


def leaderboard(
    runs: RunsArgument,
    form: Annotated[Literal["table", "md", "json"], typer.Option("--format", help="How to show it.")] = "table",
    suite: SuiteOption = None,
) -> None:
    """Rank runs."""
    from herobench.analysis.apart import parts_of
    from herobench.analysis.asked import dataset_of, fresh_notes
    from herobench.analysis.checked_reading import reading_of
    from herobench.analysis.findings import mixtures
    from herobench.analysis.frame import frame, suite_of
    from herobench.analysis.sources import read_sources

    sources = read_sources(runs, suite=suite)
    tables = {source.name: frame([source]) for source in sources}
    asked = {source.name: source.asked for source in sources}
    agents = {source.name: source.agent for source in sources}
    if all(samples.empty for samples in tables.values()):
        raise no_samples("rank", suite)
    read_by = reading_of(suite_of(tables.values()))
    for note in (*mixtures(tables.values(), read_by.settings), *fresh_notes(asked.values())):
        say(note, err=True)
    ranked = [(part, _ranked(part, read_by.length)) for part in parts_of(tables, read_by.separates)]
    if form == "json":
        told = [
            {
                "rank": rank,
                "dataset": dataset_of(asked[found.name]),
                "agent": agents[found.name],
                "apart": dict(part.values),
                "horizon": reach.as_row() if reach else None,
                **found.as_row(),
            }
            for part, rows in ranked
            for rank, (found, reach) in enumerate(rows, 1)
        ]
        say_json({"schema": 1, "runs": told})
        return
    for part, rows in ranked:
        _print(part.title, rows, agents, read_by.length, form)


def _ranked(part: Part, length: str | None) -> list[Ranked]:
    """Return the runs of a part, the best first."""
    from herobench.analysis.findings import find, horizon

    rows = [(find(name, samples), horizon(samples, length)) for name, samples in part.runs.items()]
    return sorted(rows, key=lambda row: (_reach(row[1]), _standing(row[0])))


def _print(
    title: str,
    ranked: Sequence[Ranked],
    agents: Mapping[str, str | None],
    length: str | None,
    form: Literal["table", "md"],
) -> None:
    """Print the ranking of one part."""
    from herobench.analysis.typeset import markdown
    from herobench.cli.horizon_words import horizon_cell
    from herobench.cli.table import plain_console, print_table

    rows = [
        (
            str(rank),
            f.name,
            agents[f.name] or "",
            horizon_cell(reach),
            "" if f.success.estimate is None else f"{f.success.estimate:.1f}",
            "" if f.success.low is None else f"{f.success.low:.1f} to {f.success.high:.1f}",
            "" if f.score.estimate is None else f"{f.score.estimate:.1f}",
            str(f.samples),
            str(f.unmeasured),
        )
        for rank, (f, reach) in enumerate(ranked, 1)
    ]
    names, figures = _HEADERS[:3], (f"horizon, {length}" if length else "horizon", *_HEADERS[3:])
    if form == "md":
        write(markdown((*names, *figures), rows, title))
        return
    console = plain_console()
    if title:
        console.print(title, soft_wrap=True)
    print_table(console, names, figures, rows)


def _reach(horizon: Horizon | None) -> tuple[bool, float]:
    """Return the key that sorts the farthest horizon first, and runs without one last, where success decides.

    Outside the range of lengths only the end of the range is known, because a figure there is an extrapolation. So a
    horizon below the range is none: who wins nothing has it, and must not rank above one whose wins are too few or too
    even to tell a horizon.
    """
    if horizon is None or horizon.verdict in ("not determined", "below the range"):
        return True, 0.0
    reach = horizon.longest if horizon.verdict == "beyond the range" else horizon.h50.estimate
    return False, -(reach or 0.0)


def _standing(found: Findings) -> tuple[bool, float, float, str]:
    """Return the key that sorts the best first, and runs without a measured sample last."""
    success, score = found.success.estimate, found.score.estimate
    return success is None, -(success or 0.0), -(score or 0.0), found.name
