"""Check and play programs of Autumn, and let people play challenges."""

from __future__ import annotations

import typer

from herobench.cli.autumn import check, play, serve

app = typer.Typer(no_args_is_help=True)
app.command("check", help=check.__doc__)(check.check)
app.command("play", help=play.__doc__)(play.play)
app.command("serve", help=serve.__doc__)(serve.serve)
