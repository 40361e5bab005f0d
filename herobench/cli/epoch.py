"""Print traces of games of the suite epoch."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Literal

import typer

from herobench.cli.say import write, write_json
from herobench.data.errors import UsageError

app = typer.Typer(no_args_is_help=True)
Form = Literal["md", "json"]


@app.command()
def trace(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a run.")],
    level: Annotated[str, typer.Argument(metavar="LEVEL", help="The level, such as L03.")],
    epoch: Annotated[int, typer.Option("--epoch", min=0, help="The epoch of the run, from 0.")] = 0,
    form: Annotated[Form, typer.Option("--format", help="Markdown or JSON.")] = "md",
    output: Annotated[Path | None, typer.Option("--output", "-o", help="The file to write.")] = None,
) -> None:
    """Print the trace of a game: prompts, calls, tools, tokens of each step, and what came of it."""
    # Imported late, because `herobench --help` must answer fast.
    from herobench.analysis.samples.sources import read_sources, refuse_inputs
    from herobench.analysis.suites.epoch.trace import markdown_of, trace_of

    (source,) = read_sources([run])
    if output is not None:
        refuse_inputs([source], output)
    found = trace_of(source, level, epoch)
    text = markdown_of(found) if form == "md" else f"{json.dumps(found, indent=1, ensure_ascii=False)}\n"
    if output is None:
        (write if form == "md" else write_json)(text)
        return
    try:
        output.write_text(text, "utf-8", errors="backslashreplace")
    except OSError as error:
        raise UsageError(f"{output} cannot be written: {error.strerror}.") from error


@app.callback()
def _group() -> None:
    """Keep the name of the only command."""
