"""Make, check and show worlds."""

from __future__ import annotations

import typer

from herobench.cli.world import diff, list, map, new, remix, show, stats, validate

app = typer.Typer(no_args_is_help=True)
app.command("diff", help=diff.__doc__)(diff.diff)
app.command("map", help=map.__doc__)(map.map_)
app.command("new", help=new.__doc__)(new.new)
app.command("remix", help=remix.__doc__)(remix.remix)
app.command("list", help=list.__doc__)(list.list_)
app.command("show", help=show.__doc__)(show.show)
app.command("stats", help=stats.__doc__)(stats.stats)
app.command("validate", help=validate.__doc__)(validate.validate)
