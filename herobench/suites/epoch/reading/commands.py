"""The command of the suite: print games as traces."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Literal

from herobench.cli.commands import Group
from herobench.cli.say import write, write_json, write_output
from herobench.data.options import Option

epoch = Group("Print traces of games of the suite epoch.")
Form = Literal["md", "json"]


@epoch.command()
def trace(
    run: Annotated[Path, Option("The folder of a run.", metavar="RUN", is_argument=True)],
    level: Annotated[str, Option("The level, such as L03.", metavar="LEVEL", is_argument=True)],
    epoch_number: Annotated[int, Option("The epoch of the run, from 0.", "epoch", least=0)] = 0,
    form: Annotated[Form, Option("Markdown or JSON.", "format")] = "md",
    output: Annotated[Path | None, Option("The file to write.", "output", short="-o")] = None,
) -> None:
    """Print the trace of a game: prompts, calls, tools, tokens of each step, and what came of it."""
    from herobench.analysis.samples.sources import read_sources, refuse_inputs
    from herobench.suites.epoch.reading.trace import read_trace, trace_as_markdown

    (source,) = read_sources([run])
    if output is not None:
        refuse_inputs([source], output)
    trace_rows = read_trace(source, level, epoch_number)
    text = (
        trace_as_markdown(trace_rows) if form == "md" else f"{json.dumps(trace_rows, indent=1, ensure_ascii=False)}\n"
    )
    write_output(text, output, write if form == "md" else write_json)
