"""Draw figures for papers: success, score and tokens by difficulty, and how runs compare, as PNG and SVG.

Runs, scored files and published results will do. Intervals are those of `analyze`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from herobench.cli.analyze import RunsArgument
from herobench.errors import UsageError


def plot(
    runs: RunsArgument,
    output: Annotated[Path, typer.Option("--output", "-o", help="The folder for the figures.")] = Path("figures"),
) -> None:
    """Draw figures."""
    from herobench.analysis.findings import mixtures
    from herobench.analysis.frame import frame
    from herobench.analysis.plots import plots_of, write_plots
    from herobench.analysis.sources import read_sources

    samples = {source.name: frame([source]) for source in read_sources(runs)}
    for note in mixtures(samples.values()):
        typer.echo(note, err=True)
    plots = list(plots_of(samples))
    if not plots:
        raise UsageError("There are no measured samples to draw.")
    try:
        written = write_plots(plots, output)
    except ImportError as error:
        raise UsageError("Figures need matplotlib: pip install 'herobench[plots]'.") from error
    except OSError as error:
        raise UsageError(f"{output} cannot be written: {error.strerror or error}.") from error
    for path in written:
        typer.echo(path)
