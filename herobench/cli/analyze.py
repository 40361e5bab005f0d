"""Analyze runs, scored files and published results: success with intervals, and where and why attempts were lost.

With --format html the result is one page that needs only a browser and shows every sample.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from herobench.analysis.reading.checked import installed_readings
from herobench.analysis.reading.contract import GroupNames, Reading, possible_groupings
from herobench.analysis.samples.calls import HEADERS, totals_by_role
from herobench.analysis.samples.frame import one_table
from herobench.analysis.samples.sources import Source, dataset_name, lacking, read_sources, refuse_inputs
from herobench.analysis.samples.table_text import csv_text, write_parquet
from herobench.analysis.statistics.findings import (
    SampleFigures,
    cut_off_in,
    economize,
    find,
    groups,
    help_in,
    horizon,
    passes,
    unfinished_in,
)
from herobench.analysis.statistics.lane_costs import LaneCosts
from herobench.analysis.statistics.ranking import RankedGroup, Section, only, sections
from herobench.analysis.statistics.words import lane_cost_facts
from herobench.cli.formats import (
    Chapter,
    chapters_text,
    figure_tables,
    read_sections,
    run_facts,
    typeset_tables,
    won_minutes,
)
from herobench.cli.options import JobsOption, LabelOption, RunsArgument, SampleSuiteOption, no_samples
from herobench.cli.say import say, write_document, write_output
from herobench.cli.table import plain_console, print_facts, print_table
from herobench.data.errors import UsageError
from herobench.data.files import write_text
from herobench.data.options import Option
from herobench.suite.plugins import default_suite

if TYPE_CHECKING:
    import pandas as pd

_DEFAULT_PAGE = Path("report.html")
FORMATS = ("table", "md", "latex", "csv", "parquet", "json", "html")
FormatOption = Annotated[
    str,
    Option(
        f"How to show it: {', '.join(FORMATS)}, or a format of the suite. csv and parquet: a row a sample.",
        "format",
        metavar="NAME",
    ),
]


def analyze(
    runs: RunsArgument,
    by: Annotated[
        str | None,
        Option("Columns to group by, such as bracket,kind,monster,mechanics; by default the task's group."),
    ] = None,
    form: FormatOption = "table",
    output: Annotated[
        Path | None, Option("The file to write; needed for html and parquet.", "output", short="-o")
    ] = None,
    failures: Annotated[
        Path | None,
        Option("For md and latex: take failures from this scoring of the same answers.", metavar="FILE"),
    ] = None,
    suite: SampleSuiteOption = None,
    label: LabelOption = "run",
    jobs: JobsOption = None,
) -> None:
    """Analyze runs."""
    _refuse_unknown_columns(by)
    _refuse_unknown_format(form)
    _refuse_misplaced(failures, runs, form, output)
    sources = read_sources(runs, suite=suite, label=label)
    if output is not None:
        refuse_inputs([*sources, *read_sources([failures] if failures else [])], output)
    if form == "html":
        _write_page(sources, output)
        return
    suite_sections = read_sections(sources, jobs)
    if not suite_sections:
        raise no_samples("analyze", suite)
    columns = {section.suite: _columns(by, section.reading) for section in suite_sections}
    read = chain.from_iterable(section.samples.run for section in suite_sections)
    notes = [*lacking(sources, read), *(note for section in suite_sections for note in section.notes())]
    if form != "json":
        for note in notes:
            say(note, err=True)
    if form == "table":
        _print(suite_sections, columns)
    elif form == "json":
        write_document(_as_json(suite_sections, columns, notes), output)
    elif form == "parquet":
        _write_parquet(suite_sections, output)
    else:
        write_output(_as_text(suite_sections, form, failures), output)


def report(
    runs: RunsArgument,
    output: Annotated[Path | None, Option("The page to write.", "output", short="-o", shown=str(_DEFAULT_PAGE))] = None,
    suite: SampleSuiteOption = None,
    label: LabelOption = "run",
) -> None:
    """Write the page of runs that shows every sample: what `analyze --format html` writes."""
    if output is None and _DEFAULT_PAGE.exists():
        raise UsageError(f"The page {_DEFAULT_PAGE} exists already: -o {_DEFAULT_PAGE} writes over it.")
    sources, page = read_sources(runs, suite=suite, label=label), output or _DEFAULT_PAGE
    refuse_inputs(sources, page)
    _write_page(sources, page)


def _refuse_unknown_format(form: str) -> None:
    """Raise UsageError for a format that no suite has, before anything is read."""
    if form not in FORMATS:
        own = (name for reading in installed_readings().values() for name in reading.exports)
        forms = list(dict.fromkeys([*FORMATS, *own]))
        if form not in forms:
            raise UsageError(f"There is no format {form!r}: give one of {', '.join(forms)}.")


def _export(samples: pd.DataFrame, form: str, read_by: Reading) -> str:
    """Return the samples in a format of their suite."""
    if form not in read_by.exports:
        forms = ", ".join([*FORMATS, *read_by.exports])
        raise UsageError(f"The samples are of a suite that has no format {form!r}: give one of {forms}.")
    return read_by.export(form, samples)


def _refuse_misplaced(failures: Path | None, runs: Sequence[Path], form: str, output: Path | None) -> None:
    """Raise UsageError if --output or --failures has no use.

    `failures` is a scoring of one run's answers, for the paper's tables.
    """
    if output is not None and form == "table":
        raise UsageError("A table is for the screen: choose another --format for a file.")
    if failures is not None and form not in ("md", "latex"):
        raise UsageError("Only the paper's tables take --failures: add --format md or --format latex.")
    if failures is not None and len(runs) > 1:
        raise UsageError("A scoring is of one run's answers: with --failures, name one run.")


def _column_names(by: str | None) -> list[str]:
    return list(dict.fromkeys(name.strip() for name in (by or "").split(",") if name.strip()))


def _refuse_unknown_columns(by: str | None) -> None:
    """Raise UsageError for a column that no suite has, before anything is read."""
    if by is None:  # to load the readings of all suites takes a while
        return
    # the default suite first, whose columns most people mean
    readings = sorted(installed_readings().items(), key=lambda item: item[0] != default_suite())
    names = dict.fromkeys(name for _, reading in readings for name in possible_groupings(reading))
    _refuse_others(_column_names(by), list(names))


def _columns(by: str | None, read_by: Reading) -> list[str]:
    """Return the columns to group by; by default the group of the suite."""
    columns = [read_by.group] if by is None else _column_names(by)
    _refuse_others(columns, possible_groupings(read_by))
    return columns


def _refuse_others(columns: Sequence[str], valid: Sequence[str]) -> None:
    for name in columns:
        if name not in valid:
            raise UsageError(f"There is no column {name!r} to group by: give some of {', '.join(valid)}.")


def _write_parquet(sections: Sequence[Section], output: Path | None) -> None:
    if output is None:
        raise UsageError("Say where the samples go: -o samples.parquet.")
    section = only(sections)  # a file has the columns of one suite
    try:
        write_parquet(section.samples, section.suite, output)
    except ImportError as error:
        raise UsageError("Parquet needs pyarrow: pip install 'herobench[parquet]'.") from error
    except OSError as error:
        raise UsageError(f"{output} cannot be written: {error.strerror or error}.") from error


def _as_text(sections: Sequence[Section], form: str, failures: Path | None) -> str:
    """Return the samples as CSV or in a format of their suite, or their figures as Markdown or LaTeX."""
    if form == "csv":
        return csv_text(one_table([section.samples for section in sections]))
    if form != "md" and form != "latex":
        section = only(sections)
        return _export(section.samples, form, section.reading)
    chapters = []
    is_latex = form == "latex"  # it numbers tables itself
    for section in sections:
        parts = section.parts()
        roles = _totals(parts, section.sources)
        tables = typeset_tables(parts, roles, section.reading, section.samples, failures, numbered=not is_latex)
        chapters.append(Chapter(f"Suite {section.suite}", tables))
    return chapters_text("Analysis", chapters, "latex" if is_latex else "md")


def _totals(parts: Sequence[RankedGroup], sources: Mapping[str, Source]) -> list[dict[str, list[tuple[str, ...]]]]:
    """Return for each part the totals of each role as they are printed, by run; none for a run without roles."""
    return [
        {
            name: [totals.cells() for totals in totals_by_role(sources[name].calls_file, own)]
            for name, own in part.runs.items()
        }
        for part in parts
    ]


# -- pages -----------------------------------------------------------------------------------------------------------


def _write_page(sources: Sequence[Source], output: Path | None) -> None:
    """Write the report on some sources; each of several suites has a page of its own beside one that leads there."""
    if output is None:
        raise UsageError("Say where the page goes: -o report.html.")
    by_suite = _by_suite(sources)
    if not by_suite:
        raise no_samples("analyze", sources[0].suite)
    if len(by_suite) == 1:
        _write_report(sources, output)
        return
    # beside the page that leads there, such as report.SUITE.html
    pages = {suite: output.with_name(f"{output.stem}.{suite}{output.suffix}") for suite in by_suite}
    for suite, own in by_suite.items():
        _write_report(own, pages[suite])
    _write_cover(sources, pages, output)


def _by_suite(sources: Sequence[Source]) -> dict[str, list[Source]]:
    """Return the sources by the suite of their first samples, without those that have none."""
    by_suite: dict[str, list[Source]] = {}
    for source in sources:
        if (first := next(source.samples(), None)) is not None:
            by_suite.setdefault(first["suite"], []).append(source)
    return by_suite


def _write_report(sources: Sequence[Source], output: Path) -> None:
    from herobench.analysis.report.page_text import block_folder
    from herobench.analysis.report.write import report_runs, write_report

    count = write_report(output, report_runs(sources))
    beside = f" and {block_folder(output)}" if block_folder(output).is_dir() else ""
    say(f"{count} samples in {output}{beside}", err=True)


def _write_cover(sources: Sequence[Source], pages: Mapping[str, Path], output: Path) -> None:
    """Write the page with the figures of each suite, which leads to the page with its samples."""
    chapters = []
    for section in sections(sources):
        tables = [table for part in section.parts() for table in figure_tables(part, section.reading)]
        chapters.append(Chapter(f"Suite {section.suite}", tables, section.notes(), pages[section.suite].name))
    write_text(output, chapters_text(f"{len(sources)} runs of {len(pages)} suites", chapters, "html"))
    say(f"{len(pages)} suites in {output}", err=True)


# -- for programs -----------------------------------------------------------------------------------------------------


def _as_json(
    sections: Sequence[Section], columns: Mapping[str, Sequence[str]], notes: Sequence[str]
) -> dict[str, object]:
    runs = [row for section in sections for row in _run_rows(section, columns[section.suite])]
    costs = [lane_costs.as_row() for section in sections for lane_costs in section.lane_costs()]
    return {"schema": 1, "runs": runs, "notes": list(notes), **({"planning": costs} if costs else {})}


def _run_rows(section: Section, columns: Sequence[str]) -> Iterator[dict[str, object]]:
    """Yield the figures of each run of a suite, also by the groups in some columns."""
    read_by, sources = section.reading, section.sources
    runs = ((part.values, name, own, part.whole[name]) for part in section.parts() for name, own in part.runs.items())
    for values, name, own, whole in runs:
        overall, win_times = find(name, own), won_minutes(own, sources[name], read_by)
        ks = [k for k in (1, 2, 4, 8, 16) if k <= overall.epochs]
        yield {
            **overall.as_row(),
            "suite": section.suite,
            "agent": sources[name].agent,
            "dataset": dataset_name(sources[name].asked),
            "apart": {"help": help_in(whole), **values},
            "horizon": asdict(found_horizon) if (found_horizon := horizon(own, read_by.length)) else None,
            "uncounted": len(whole) - len(own),
            "unfinished": unfinished_in(whole),
            "cut_off": cut_off_in(whole),
            "economy": asdict(economize(own)),
            **({"minutes": [minutes._asdict() for minutes in win_times]} if win_times else {}),
            "roles": [totals.as_row() for totals in totals_by_role(sources[name].calls_file, own)],
            **{kind: {k: asdict(value) for k, value in by_k.items()} for kind, by_k in passes(own, ks).items()},
            **read_by.tables(whole),
            "by": {column: [group.as_row() for group in groups(own, column)] for column in columns},
        }


# -- for people -------------------------------------------------------------------------------------------------------


def _print(sections: Sequence[Section], columns: Mapping[str, Sequence[str]]) -> None:
    parts = [section.parts() for section in sections]
    # all calls are read before anything is printed: a wrong one is an error, and nothing else
    totals = [_totals(own, section.sources) for own, section in zip(parts, sections, strict=True)]
    for section, own, roles in zip(sections, parts, totals, strict=True):
        if len(sections) > 1:
            plain_console().print(f"Suite {section.suite}", "", soft_wrap=True)
        for part, by_role in zip(own, roles, strict=True):
            _print_part(part, by_role, section, columns[section.suite])
        _print_lane_costs(section.lane_costs())


def print_lane_costs(runs: Sequence[Path]) -> None:
    """Print what planning costs each model that was asked in several lanes by some runs."""
    for section in sections(read_sources(list(runs))):
        _print_lane_costs(section.lane_costs())


def _print_lane_costs(lane_costs: Sequence[LaneCosts]) -> None:
    console = plain_console()
    for costs in lane_costs:
        console.print(f"what {costs.work} costs {costs.model}", soft_wrap=True)
        print_facts(console, lane_cost_facts(costs))
        console.print()


def _print_part(
    part: RankedGroup, roles: Mapping[str, Sequence[tuple[str, ...]]], section: Section, columns: Sequence[str]
) -> None:
    """Print the figures of samples that may stand side by side."""
    console = plain_console()
    if part.title:
        console.print(part.title, soft_wrap=True)
    figures = [find(name, own) for name, own in part.runs.items()]
    group_names = {column: _names_in(part, column, section.reading) for column in columns}
    heads = _FIGURES if any(f.progress.estimate is not None for f in figures) else _FIGURES[:-1]
    print_table(console, ["run"], heads, ((f.name, *_figures(f)[: len(heads)]) for f in figures))
    for name, own in part.runs.items():
        for column, names in group_names.items():
            console.print(f"{name}, by {names.title}", soft_wrap=True)
            rows = ((names.short(f.name), *_figures(f)[: len(heads)]) for f in groups(own, column))
            print_table(console, [names.title], heads, rows)
        if roles[name]:
            console.print(f"{name}, by role", soft_wrap=True)
            print_table(console, HEADERS[:1], HEADERS[1:], roles[name])
    for overall, own in zip(figures, part.runs.values(), strict=True):
        facts = run_facts(overall, own, part.whole[overall.name], section.sources[overall.name], section.reading)
        console.print(overall.name, soft_wrap=True)
        print_facts(console, facts)
        console.print()


def _names_in(part: RankedGroup, column: str, read_by: Reading) -> GroupNames:
    """Return the word for a column, and the names of the groups in it."""
    if column not in (read_by.group, "group"):
        return GroupNames(column)
    return read_by.group_names(list({str(group) for own in part.runs.values() for group in own[column].dropna()}))


_FIGURES = ("samples", "success %", "95 % interval", "score", "progress")


def _figures(figures: SampleFigures) -> tuple[str, ...]:
    success = figures.success
    return str(figures.samples), success.figure(), success.span(), figures.score.figure(), figures.progress.figure()
