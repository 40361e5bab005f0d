"""The command `published`: converts files of the published benchmark."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from herobench.cli.options import OutputOption, report
from herobench.cli.say import say
from herobench.data.options import Option
from herobench.data.rows import write_rows
from herobench.suites.rpg.commands.gear import WorldOption


def published(
    source: Annotated[
        Path, Option("A published tasks file or answer log.", metavar="PUBLISHED.json", is_argument=True)
    ],
    output: OutputOption,
    world_name: WorldOption = "classic",
) -> None:
    """Convert a published tasks file, or a log of answers (MODEL_code_logs.json), to the formats of this program."""
    from herobench.suites.rpg.worlds.content import load_world
    from herobench.task_gen.rpg.published import read_published

    rows, problems = read_published(source, load_world(world_name))
    count = write_rows(output, rows)
    say(f"{count} rows written to {output}", err=True)
    if report(problems):
        raise typer.Exit(1)
