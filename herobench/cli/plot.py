"""Draw figures for papers as PNG and SVG: success, score and tokens by difficulty, how runs compare, and horizons.

For suites with kinds of tasks, such as `acp`, radars show accuracy by kind under each grading.

The input can be runs, scored files and published results. Intervals are those of `analyze`.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from herobench.cli.analyze import RunsArgument, SuiteOption
from herobench.cli.say import say
from herobench.data.errors import UsageError

if TYPE_CHECKING:
    from herobench.analysis.plots.plots import Plot
    from herobench.analysis.samples.sources import Source


def plot(
    runs: RunsArgument,
    output: Annotated[Path, typer.Option("--output", "-o", help="The folder for the figures.")] = Path("figures"),
    suite: SuiteOption = None,
) -> None:
    """Draw figures."""
    from herobench.analysis.plots.plots import plots_of_parts, write_plots
    from herobench.analysis.reading.checked import reading_of
    from herobench.analysis.samples.frame import frame, suite_of
    from herobench.analysis.samples.sources import fresh_notes, read_sources
    from herobench.analysis.statistics.findings import mixtures
    from herobench.analysis.statistics.ranking import parts_of

    sources = read_sources(runs, suite=suite)
    samples = {source.name: frame([source]) for source in sources}
    read_by = reading_of(suite_of(samples.values()))
    for note in (*mixtures(samples.values(), read_by.settings), *fresh_notes(source.asked for source in sources)):
        say(note, err=True)
    plots = list(plots_of_parts(parts_of(samples, read_by.separates), read_by))
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
    from herobench.analysis.plots.plots import paths_of
    from herobench.analysis.samples.sources import refuse_inputs

    for path in paths_of(plots, output):
        refuse_inputs(sources, path)
