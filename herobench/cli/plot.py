"""Draw figures for papers as PNG, SVG and PDF: success, score and tokens by difficulty, how runs compare, horizons.

Runs of several suites have figures of their own.

The input can be runs, scored files and published results. Intervals are those of `analyze`.
"""

# The docstring above is the help text of the command.

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Annotated

from herobench.analysis.plots.plots import Plot, plot_paths, plots_of_sections, write_plots
from herobench.analysis.samples.sources import Source, read_sources, refuse_inputs
from herobench.analysis.statistics.ranking import sections
from herobench.cli.options import LabelOption, RunsArgument, SampleSuiteOption
from herobench.cli.say import say
from herobench.data.errors import UsageError
from herobench.data.options import Option


def plot(
    runs: RunsArgument,
    output: Annotated[Path, Option("The folder for the figures.", "output", short="-o")] = Path("figures"),
    suite: SampleSuiteOption = None,
    size: Annotated[
        str | None, Option("Width and height of each figure in inches, such as 3.3x2.2.", metavar="WxH")
    ] = None,
    label: LabelOption = "run",
) -> None:
    """Draw figures."""
    inches = _size(size)
    sources = read_sources(runs, suite=suite, label=label)
    suite_sections = sections(sources)
    for note in (note for section in suite_sections for note in section.notes()):
        say(note, err=True)
    plots = plots_of_sections(suite_sections)
    if not plots:
        raise UsageError("There are no measured samples to draw.")
    _refuse_inputs(sources, plots, output)
    try:
        paths = write_plots(plots, output, inches)
    except ImportError as error:
        raise UsageError("Figures need matplotlib: pip install 'herobench[plots]'.") from error
    except OSError as error:
        raise UsageError(f"{output} cannot be written: {error.strerror or error}.") from error
    for path in paths:
        say(str(path))


_LEAST, _MOST = 1.0, 40.0
"""The inches that a side of a figure may have."""


def _size(text: str | None) -> tuple[float, float] | None:
    """Return a size that is given as text, such as 3.3x2.2. Raise UsageError if it is none."""
    if text is None:
        return None
    with suppress(ValueError):
        width, height = map(float, text.lower().split("x"))
        if min(width, height) >= _LEAST and max(width, height) <= _MOST:
            return width, height
    raise UsageError(
        f"--size {text!r}: expected a width and a height of {_LEAST:g} to {_MOST:g} inches, as in 3.3x2.2."
    )


def _refuse_inputs(sources: list[Source], plots: list[Plot], output: Path) -> None:
    for path in plot_paths(plots, output):
        refuse_inputs(sources, path)
