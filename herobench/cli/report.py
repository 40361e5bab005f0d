"""Pages and figures of samples: what `analyze` writes one sample after the other, and the command `plot`."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from herobench.cli.analyze import RunsArgument, SuiteOption, no_samples
from herobench.cli.say import say, write_json
from herobench.data.errors import UsageError

if TYPE_CHECKING:
    from herobench.analysis.plots.plots import Plot
    from herobench.analysis.reading.contract import Panel, Reading
    from herobench.analysis.samples.sources import Source


def write_page(sources: Sequence[Source], output: Path | None) -> None:
    """Write the report on some sources."""
    from herobench.analysis.report import ReportRun, write_report
    from herobench.analysis.report.blocks import block_folder
    from herobench.analysis.samples.calls import Calls
    from herobench.analysis.samples.facts import checked
    from herobench.analysis.statistics.lane_costs import asked_alike

    if output is None:
        raise UsageError("Say where the page goes: -o report.html.")
    if not any(True for source in sources for _ in source.samples()):
        raise no_samples("analyze", sources[0].suite)
    runs = [
        ReportRun(
            source.name,
            checked(source),
            partial(_panel, source),
            source.asked,
            Calls(source.calls_file) if source.calls_file else None,
            asked_alike(source.manifest),
        )
        for source in sources
    ]
    count = write_report(output, runs)
    beside = f" and {block_folder(output)}" if block_folder(output).is_dir() else ""
    say(f"{count} samples in {output}{beside}", err=True)


def write_slim(sources: Sequence[Source], output: Path | None) -> None:
    """Write the slim rows of one run, which a leaderboard is made of."""
    from herobench.analysis.board.entry import slim_rows
    from herobench.data.rows import dump_row, write_rows

    if len(sources) != 1:
        raise UsageError("A file of slim rows is of one run: name one.")
    if next(sources[0].samples(), None) is None:
        raise no_samples("analyze", sources[0].suite)
    if output is None:
        for row in slim_rows(sources[0]):
            write_json(dump_row(row))
        return
    with suppress(OSError):  # writing tells what is wrong with the folder
        output.parent.mkdir(parents=True, exist_ok=True)
    say(f"{write_rows(output, slim_rows(sources[0]))} slim rows in {output}", err=True)


def _panel(source: Source, reading: Reading) -> Panel:
    return reading.panel(source.folder, source.manifest)


def plot(
    runs: RunsArgument,
    output: Annotated[Path, typer.Option("--output", "-o", help="The folder for the figures.")] = Path("figures"),
    suite: SuiteOption = None,
) -> None:
    """Draw figures for papers as PNG and SVG: success, score and tokens by difficulty, how runs compare, and horizons.

    For suites with kinds of tasks, such as `acp`, radars show accuracy by kind under each grading.

    The input can be runs, scored files and published results. Intervals are those of `analyze`.
    """
    from herobench.analysis.plots.plots import plots_of_lanes, plots_of_parts, write_plots
    from herobench.analysis.reading.checked import load_reading
    from herobench.analysis.samples.frame import common_suite, frame
    from herobench.analysis.samples.sources import fresh_notes, read_sources
    from herobench.analysis.statistics.findings import mixtures
    from herobench.analysis.statistics.lane_costs import lane_costs
    from herobench.analysis.statistics.ranking import split_runs

    sources = read_sources(runs, suite=suite)
    samples = {source.name: frame([source]) for source in sources}
    read_by = load_reading(common_suite(samples.values()))
    for note in (*mixtures(samples.values(), read_by.settings), *fresh_notes(source.asked for source in sources)):
        say(note, err=True)
    plots = [
        *plots_of_parts(split_runs(samples, read_by.separates, read_by.usual), read_by),
        *plots_of_lanes(lane_costs(samples, read_by, {source.name: source.manifest for source in sources}), read_by),
    ]
    if not plots:
        raise UsageError("There are no measured samples to draw.")
    _refuse_inputs(sources, plots, output)
    try:
        written = write_plots(plots, output)
    except ImportError as error:
        raise UsageError("Figures need matplotlib: pip install 'herobench[plots]'.") from error
    except OSError as error:
        raise UsageError(f"{output} cannot be written: {error.strerror or error}.") from error
    for path in written:
        say(str(path))


def _refuse_inputs(sources: list[Source], plots: list[Plot], output: Path) -> None:
    from herobench.analysis.plots.plots import plot_paths
    from herobench.analysis.samples.sources import refuse_inputs

    for path in plot_paths(plots, output):
        refuse_inputs(sources, path)
