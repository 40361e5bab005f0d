"""Make, check and show worlds."""

from __future__ import annotations

from herobench.cli.commands import Group
from herobench.suites.rpg.commands.world import show, validate

app = Group()
app.command("new")(show.new)
app.command("show")(show.show)
app.command("validate")(validate.validate)
