"""List the benchmark suites that are installed, with their default datasets and their players."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from typing import Annotated, Any

import typer

from herobench.cli.say import say, say_json


def suites(as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """List suites."""
    from herobench.cli.table import plain_console, print_table
    from herobench.data.errors import HeroBenchError
    from herobench.suite import plugins

    found: list[dict[str, Any]] = []
    broken = 0
    for name in plugins.names(plugins.SUITES):
        try:
            found.append(_row(name))
        except HeroBenchError as error:  # one broken package must not hide the others
            broken += 1
            say(*error.lines, err=True)
    if as_json:
        say_json(found)
    else:
        print_table(plain_console(), ["suite", "dataset", "players"], ["tasks"], map(_cells, found))
    if broken:
        raise typer.Exit(1)


def _row(name: str) -> dict[str, Any]:
    """Open a suite with its defaults and describe it."""
    from herobench.suite.checked import open_suite
    from herobench.suite.contract import SuiteSetting

    with closing(open_suite(name, SuiteSetting())) as suite:
        tasks = sum(1 for _ in suite.tasks())
        return {"name": name, "dataset": suite.dataset, "tasks": tasks, "players": list(suite.players)}


def _cells(row: Mapping[str, Any]) -> tuple[str, ...]:
    from herobench.suite.contract import DEFAULT_SUITE

    name = f"{row['name']} (default)" if row["name"] == DEFAULT_SUITE else row["name"]
    return name, row["dataset"], ", ".join(row["players"]), str(row["tasks"])
