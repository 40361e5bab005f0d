"""Analyze runs, scored files and published results: success with intervals, and where and why attempts were lost.

With --format html the result is one page that needs only a browser and shows every sample.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from herobench.cli.formats import FORMATS, exported, refuse_unknown_format
from herobench.cli.options import JobsOption
from herobench.cli.say import say, write, write_json
from herobench.data.errors import UsageError
from herobench.suite.contract import DEFAULT_SUITE

if TYPE_CHECKING:
    import pandas as pd

    from herobench.analysis.reading.contract import GroupNames, Reading
    from herobench.analysis.samples.sources import Source
    from herobench.analysis.statistics.findings import Findings
    from herobench.analysis.statistics.lane_costs import LaneCosts
    from herobench.analysis.statistics.ranking import RankedGroup

RunsArgument = Annotated[
    list[Path], typer.Argument(metavar="RUN...", help="Folders of runs, scored or published files.")
]
SuiteOption = Annotated[
    str | None, typer.Option("--suite", metavar="NAME", help="Read the samples of this suite only.")
]
FormatOption = Annotated[
    str,
    typer.Option(
        "--format",
        metavar="NAME",
        help=f"How to show it: {', '.join(FORMATS)}, or a format of the suite. csv and parquet: a row a sample.",
    ),
]
_OnOption = Annotated[
    str | None, typer.Option("--on", metavar="ray[://HOST:PORT]", help="Read the samples on a Ray cluster.")
]


def analyze(
    runs: RunsArgument,
    by: Annotated[
        str | None,
        typer.Option(help="Columns to group by, such as bracket,kind,monster,mechanics; by default the task's group."),
    ] = None,
    form: FormatOption = "table",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="The file to write; needed for html and parquet.")
    ] = None,
    failures: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="For md and latex: take failures from this scoring of the same answers."),
    ] = None,
    suite: SuiteOption = None,
    jobs: JobsOption = None,
    on: _OnOption = None,
) -> None:
    """Analyze runs."""
    from herobench.analysis.samples.sources import read_sources, refuse_inputs

    _refuse_unknown_columns(by)
    refuse_unknown_format(form)
    _refuse_misplaced(failures, runs, form, on, output)
    sources = read_sources(runs, suite=suite)
    if output is not None:
        refuse_inputs([*sources, *read_sources([failures] if failures else [])], output)
    if form in ("html", "slim"):
        from herobench.cli.report import write_page, write_slim

        (write_page if form == "html" else write_slim)(sources, output)
        return
    from herobench.analysis.reading.checked import load_reading
    from herobench.analysis.samples.frame import common_suite
    from herobench.analysis.samples.table_text import csv_text
    from herobench.cli.formats import sample_table

    samples = sample_table(sources, jobs, on)
    if samples.empty:
        raise no_samples("analyze", suite)
    read_by = load_reading(common_suite([samples]))
    columns = _columns(by, read_by)
    by_name = {source.name: source for source in sources}
    notes = _notes(samples, read_by, sources)
    if form != "json":
        for note in notes:
            say(note, err=True)
    if form == "table":
        _print(samples, columns, read_by, by_name)
    elif form == "parquet":
        _write_parquet(samples, common_suite([samples]), output)
    elif form == "json":
        found = json.dumps(_as_json(samples, columns, read_by, by_name, notes), indent=2, ensure_ascii=False)
        _write(f"{found}\n", output, write_json)
    elif form == "csv":
        _write(csv_text(samples), output)
    elif form in ("md", "latex"):
        _write(_typeset(samples, failures, form, read_by, by_name), output)
    else:
        _write(exported(samples, form, read_by), output)


def no_samples(what: str, suite: str | None) -> UsageError:
    """Return the error for sources without samples; `what` is what was to be done with them."""
    of = f" of the suite {suite}" if suite else ""
    return UsageError(f"There are no samples{of} to {what} yet.")


def _refuse_misplaced(
    failures: Path | None, runs: Sequence[Path], form: str, on: str | None, output: Path | None
) -> None:
    """Raise UsageError if --on, --output or --failures has no use.

    `failures` is a scoring of one run's answers, for the paper's tables.
    """
    if on is not None and form in ("html", "slim"):
        raise UsageError(f"--on reads the figures of samples, and {form} shows whole samples: leave --on out.")
    if output is not None and form == "table":
        raise UsageError("A table is for the screen: choose another --format for a file.")
    if failures is not None and form not in ("md", "latex"):
        raise UsageError("Only the paper's tables take --failures: add --format md or --format latex.")
    if failures is not None and len(runs) > 1:
        raise UsageError("A scoring is of one run's answers: with --failures, name one run.")


def _notes(samples: pd.DataFrame, read_by: Reading, sources: Sequence[Source]) -> list[str]:
    """Return what a reader has to know before he compares the samples."""
    from herobench.analysis.samples.sources import chosen_notes, fresh_notes, lacking
    from herobench.analysis.statistics.findings import mixtures

    mixed, fresh = mixtures([samples], read_by.settings), fresh_notes(source.asked for source in sources)
    chosen = chosen_notes((source.name, source.asked) for source in sources)
    return [*lacking(sources, samples.run), *chosen, *mixed, *fresh]


def _named(by: str | None) -> list[str]:
    return list(dict.fromkeys(name.strip() for name in (by or "").split(",") if name.strip()))


def _refuse_unknown_columns(by: str | None) -> None:
    """Raise UsageError for a column that no suite has, before anything is read."""
    if by is None:  # to load the readings of all suites takes a while
        return
    from herobench.analysis.reading.checked import installed_readings
    from herobench.analysis.reading.contract import possible_groupings

    # the default suite first, whose columns most people mean
    readings = sorted(installed_readings().items(), key=lambda item: item[0] != DEFAULT_SUITE)
    known = dict.fromkeys(name for _, reading in readings for name in possible_groupings(reading))
    _refuse_others(_named(by), list(known))


def _columns(by: str | None, read_by: Reading) -> list[str]:
    """Return the columns to group by; by default the group of the suite."""
    from herobench.analysis.reading.contract import possible_groupings

    columns = [read_by.group] if by is None else _named(by)
    _refuse_others(columns, possible_groupings(read_by))
    return columns


def _refuse_others(columns: Sequence[str], known: Sequence[str]) -> None:
    for name in columns:
        if name not in known:
            raise UsageError(f"There is no column {name!r} to group by: give some of {', '.join(known)}.")


def _write(text: str, output: Path | None, put: Callable[[str], None] = write) -> None:
    if output is None:
        put(text)
        return
    try:
        output.write_text(text, "utf-8")
    except OSError as error:
        raise UsageError(f"{output} cannot be written: {error.strerror}.") from error


def _write_parquet(samples: pd.DataFrame, suite: str, output: Path | None) -> None:
    from herobench.analysis.samples.fact_columns import write_parquet

    if output is None:
        raise UsageError("Say where the samples go: -o samples.parquet.")
    try:
        write_parquet(samples, suite, output)
    except ImportError as error:
        raise UsageError("Parquet needs pyarrow: pip install 'herobench[parquet]'.") from error
    except OSError as error:
        raise UsageError(f"{output} cannot be written: {error.strerror or error}.") from error


def _runs(samples: pd.DataFrame) -> Iterable[tuple[str, pd.DataFrame]]:
    """Return each run's samples, in the order in which the runs were named."""
    for name in dict.fromkeys(samples.run):
        rows = (samples.run == name).to_numpy().nonzero()[0]
        # the samples of a run are adjacent, so slicing them makes no copy
        yield name, samples.iloc[rows[0] : rows[-1] + 1]


def _parts(samples: pd.DataFrame, read_by: Reading) -> list[RankedGroup]:
    """Return the samples in parts that may stand side by side."""
    from herobench.analysis.statistics.ranking import split_runs

    return split_runs(dict(_runs(samples)), read_by.separates, read_by.usual)


def _tolls(parts: Sequence[RankedGroup], sources: Mapping[str, Source]) -> list[dict[str, list[tuple[str, ...]]]]:
    """Return for each part the tolls of each role as they are printed, by run; none for a run without roles."""
    from herobench.analysis.statistics.roles import totals_by_role

    return [
        {
            name: [tolls.cells() for tolls in totals_by_role(sources[name].calls_file, own)]
            for name, own in part.runs.items()
        }
        for part in parts
    ]


# -- for programs -----------------------------------------------------------------------------------------------------


def _as_json(
    samples: pd.DataFrame,
    columns: Sequence[str],
    read_by: Reading,
    sources: Mapping[str, Source],
    notes: Sequence[str],
) -> dict[str, object]:
    from herobench.analysis.samples.sources import dataset_name
    from herobench.analysis.statistics.findings import (
        cut_off_in,
        economize,
        find,
        groups,
        horizon,
        lanes_in,
        passes,
        unfinished_in,
    )
    from herobench.analysis.statistics.roles import totals_by_role

    told = []
    parts = _parts(samples, read_by)
    runs = ((part.values, name, own, part.whole[name]) for part in parts for name, own in part.runs.items())
    for values, name, own, whole in runs:
        overall = find(name, own)
        ks = [k for k in (1, 2, 4, 8, 16) if k <= overall.epochs]
        told.append(
            {
                **overall.as_row(),
                "agent": sources[name].agent,
                "dataset": dataset_name(sources[name].asked),
                "apart": {"lane": lanes_in(whole), **values},
                "horizon": found_horizon.as_row() if (found_horizon := horizon(own, read_by.length)) else None,
                "uncounted": len(whole) - len(own),
                "unfinished": unfinished_in(whole),
                "cut_off": cut_off_in(whole),
                "economy": economize(own).as_row(),
                "roles": [tolls.as_row() for tolls in totals_by_role(sources[name].calls_file, own)],
                **{kind: {k: asdict(value) for k, value in by_k.items()} for kind, by_k in passes(own, ks).items()},
                **read_by.tables(whole),
                "by": {column: [group.as_row() for group in groups(own, column)] for column in columns},
            }
        )
    costs = [found.as_row() for found in _lane_costs(samples, read_by, list(sources.values()))]
    return {"schema": 1, "runs": told, "notes": list(notes), **({"planning": costs} if costs else {})}


def _typeset(
    samples: pd.DataFrame, failures: Path | None, form: str, read_by: Reading, sources: Mapping[str, Source]
) -> str:
    from herobench.cli.formats import typeset_tables

    parts = _parts(samples, read_by)
    return typeset_tables(parts, _tolls(parts, sources), read_by, form, samples, failures)


# -- for people -------------------------------------------------------------------------------------------------------


def _print(samples: pd.DataFrame, columns: Sequence[str], read_by: Reading, sources: Mapping[str, Source]) -> None:
    parts = _parts(samples, read_by)
    # all calls are read before anything is printed: a wrong one is an error, and nothing else
    for part, tolls in zip(parts, _tolls(parts, sources), strict=True):
        _print_part(part, tolls, columns, read_by, sources)
    print_lane_costs(samples, read_by, list(sources.values()))


def print_lane_costs(samples: pd.DataFrame, read_by: Reading, sources: Sequence[Source]) -> None:
    """Print what planning costs each model that was asked in several lanes."""
    from herobench.cli.formats import lane_cost_facts
    from herobench.cli.table import plain_console, print_facts

    console = plain_console()
    for costs in _lane_costs(samples, read_by, sources):
        console.print(f"what planning costs {costs.model}", soft_wrap=True)
        print_facts(console, lane_cost_facts(costs))
        console.print()


def _lane_costs(samples: pd.DataFrame, read_by: Reading, sources: Sequence[Source]) -> list[LaneCosts]:
    from herobench.analysis.statistics.lane_costs import lane_costs

    return lane_costs(dict(_runs(samples)), read_by, {source.name: source.manifest for source in sources})


def _print_part(
    part: RankedGroup,
    roles: Mapping[str, Sequence[tuple[str, ...]]],
    columns: Sequence[str],
    read_by: Reading,
    sources: Mapping[str, Source],
) -> None:
    """Print the figures of samples that may stand side by side."""
    from herobench.analysis.statistics.findings import find, groups
    from herobench.analysis.statistics.roles import HEADERS
    from herobench.cli.formats import run_facts
    from herobench.cli.table import plain_console, print_facts, print_table

    console = plain_console()
    if part.title:
        console.print(part.title, soft_wrap=True)
    found = [find(name, own) for name, own in part.runs.items()]
    named = {column: _names_in(part, column, read_by) for column in columns}
    heads = _FIGURES if any(f.progress.estimate is not None for f in found) else _FIGURES[:-1]
    print_table(console, ["run"], heads, ((f.name, *_figures(f)[: len(heads)]) for f in found))
    for name, own in part.runs.items():
        for column, names in named.items():
            console.print(f"{name}, by {names.title}", soft_wrap=True)
            rows = ((names.short(f.name), *_figures(f)[: len(heads)]) for f in groups(own, column))
            print_table(console, [names.title], heads, rows)
        if roles[name]:
            console.print(f"{name}, by role", soft_wrap=True)
            print_table(console, HEADERS[:1], HEADERS[1:], roles[name])
    for overall, own in zip(found, part.runs.values(), strict=True):
        facts = run_facts(overall, own, part.whole[overall.name], sources[overall.name], read_by)
        console.print(overall.name, soft_wrap=True)
        print_facts(console, facts)
        console.print()


def _names_in(part: RankedGroup, column: str, read_by: Reading) -> GroupNames:
    """Return the word for a column, and the names of the groups in it."""
    from herobench.analysis.reading.contract import GroupNames

    if column not in (read_by.group, "group"):
        return GroupNames(column)
    return read_by.group_names(list({str(group) for own in part.runs.values() for group in own[column].dropna()}))


_FIGURES = ("samples", "success %", "95 % interval", "score", "progress")


def _figures(found: Findings) -> tuple[str, ...]:
    success = found.success
    return (
        str(found.samples),
        _number(success.estimate),
        "" if success.low is None else f"{success.low:.1f} to {success.high:.1f}",
        _number(found.score.estimate),
        _number(found.progress.estimate),
    )


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.1f}"
