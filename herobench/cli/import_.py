"""Convert a published tasks file, or a log of answers (MODEL_code_logs.json), to the formats of this program."""

# The docstring above is the help text of the command.

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from herobench.cli.options import OutputOption, WorldOption, report
from herobench.cli.say import say


def import_(
    source: Annotated[Path, typer.Argument(metavar="PUBLISHED.json", help="A published tasks file or answer log.")],
    output: OutputOption,
    world_name: WorldOption = "classic",
) -> None:
    """Translate one file."""
    from herobench.data.rows import write_rows
    from herobench.suites.rpg.worlds.content import load_world
    from herobench.task_gen.rpg.published import read_published

    rows, problems = read_published(source, load_world(world_name))
    count = write_rows(output, rows)
    say(f"{count} rows written to {output}", err=True)
    if report(problems):
        raise typer.Exit(1)
