"""List what other packages and this one add: models and agents, and whether they load."""

from __future__ import annotations

from typing import Annotated

import typer

from herobench.cli.say import say_json


def plugins(as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """List plugins."""
    from dataclasses import asdict

    from herobench.cli.table import plain_console, print_table
    from herobench.suite.plugins import installed

    found = list(installed())
    if as_json:
        say_json([asdict(plugin) for plugin in found])
        return
    rows = ((plugin.group, plugin.name, plugin.package, plugin.broken or "loads") for plugin in found)
    print_table(plain_console(), ["group", "name", "package", "state"], [], rows, wrapped=["state"])
