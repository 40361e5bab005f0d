"""Make, check and show worlds."""

from __future__ import annotations

import typer

from herobench.cli.world import diff, list, map, new, remix, show, stats, validate

app = typer.Typer(no_args_is_help=True)
app.command("diff")(diff.diff)
app.command("map")(map.map_)
app.command("new")(new.new)
app.command("remix")(remix.remix)
app.command("list")(list.list_)
app.command("show")(show.show)
app.command("stats")(stats.stats)
app.command("validate")(validate.validate)
