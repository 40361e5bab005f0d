"""Check and play programs of Autumn."""

from __future__ import annotations

import typer

from herobench.cli.autumn import check, play

app = typer.Typer(no_args_is_help=True)
app.command("check", help=check.__doc__)(check.check)
app.command("play", help=play.__doc__)(play.play)
