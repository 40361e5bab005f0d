"""Put the shards of a run together to one run, which is like one that was never shared."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from herobench.cli.say import say


def merge(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="The folders of all shards, in any order.")],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="DIR", help="The folder of the whole run.")],
) -> None:
    """Merge shards."""
    from herobench.runs.merge import merge as merged

    done = merged(runs, output)
    say(f"{done.shards} shards with {done.measured:,} measured attempts in {done.path}")
    if done.note:
        say(done.note, err=True)
    if done.owed:
        say(f"{done.owed:,} attempts are owed. To try them: herobench run --resume {done.path}", err=True)
        raise typer.Exit(1)
