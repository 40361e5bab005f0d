"""Draw figures for papers as PNG, SVG and PDF: success, score and tokens by difficulty, how runs compare, horizons.

For suites with kinds of tasks, radars show accuracy by kind.
Runs of several suites have figures of their own.

The input can be runs, scored files and published results. Intervals are those of `analyze`.
"""

# The docstring above is the help text of the command.

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Literal

from herobench.analysis.plots.plots import Plot, plot_paths, plots_of_sections, write_plots
from herobench.analysis.samples.sources import Source, printable, read_sources, refuse_inputs
from herobench.analysis.statistics.ranking import sections
from herobench.cli.options import RunsArgument, SampleSuiteOption
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
    label: Annotated[Literal["run", "model"], Option("What lines and bars are called: by run, or by model.")] = "run",
) -> None:
    """Draw figures."""
    inches = _size(size)
    sources = read_sources(runs, suite=suite)
    suite_sections = sections(_name_by_model(sources) if label == "model" else sources)
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


def _name_by_model(sources: Sequence[Source]) -> list[Source]:
    """Return sources under the names of their models; several of one model have their own name with it."""
    models = [(source, _model(source)) for source in sources]
    times = Counter(model for _, model in models)
    names = {model: "{0}" if times[model] == 1 else "{0} ({1})" for _, model in models}
    return [
        replace(source, name=names[model].format(model, source.name)) if model else source for source, model in models
    ]


def _model(source: Source) -> str:
    """Return the model of the first sample; an empty text if none is known."""
    first = next(source.samples(), None)
    return printable(first["model"] or "") if first else ""


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
