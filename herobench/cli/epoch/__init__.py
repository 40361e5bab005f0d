"""Play levels of the suite epoch yourself, and print traces of games."""

from __future__ import annotations

import typer

from herobench.cli.epoch import play, trace

app = typer.Typer(no_args_is_help=True)
app.command("play", help=play.__doc__)(play.play)
app.command("trace", help=trace.__doc__)(trace.trace)
