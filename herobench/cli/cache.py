"""List or delete the replies that `run --cache FILE` keeps."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from herobench.cli.say import say, say_json

app = typer.Typer(no_args_is_help=True)

FileArgument = Annotated[Path, typer.Argument(metavar="FILE", help="The file that --cache named.")]


@app.command("ls")
def list_(file: FileArgument, as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """List the kept replies by model."""
    from dataclasses import asdict

    from herobench.cli.table import plain_console, print_table
    from herobench.models.reply_cache import summarize_cache

    found = summarize_cache(file)
    if as_json:
        say_json([asdict(entry) for entry in found])
        return
    rows = ((entry.model, entry.last, f"{entry.replies:,}", f"{entry.bytes / 1e6:.1f} MB") for entry in found)
    print_table(plain_console(), ["model", "last reply"], ["replies", "size"], rows)


@app.command()
def clear(
    file: FileArgument,
    model: Annotated[str | None, typer.Option("--model", "-m", help="Delete only the replies of this model.")] = None,
) -> None:
    """Delete kept replies."""
    from herobench.models.reply_cache import clear_cache

    say(f"{clear_cache(file, model)} replies deleted from {file}", err=True)
