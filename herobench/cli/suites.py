"""List the benchmark suites that are installed, with their default datasets and their players."""

from __future__ import annotations

from contextlib import closing
from typing import Annotated, Any

import typer

from herobench.cli.say import say, say_json


def suites(as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """List suites."""
    from herobench import plugins
    from herobench.cli.table import plain_console, print_table
    from herobench.errors import HeroBenchError
    from herobench.suite import DEFAULT_SUITE

    rows: list[dict[str, Any]] = []
    broken = 0
    for name in plugins.names(plugins.SUITES):
        try:
            rows.append(_row(name))
        except HeroBenchError as error:  # one broken package must not hide the others
            broken += 1
            say(*error.lines, err=True)
    if as_json:
        say_json(rows)
    else:
        cells = [
            [
                f"{row['name']} (default)" if row["name"] == DEFAULT_SUITE else row["name"],
                row["dataset"],
                ", ".join(row["players"]),
                str(row["tasks"]),
            ]
            for row in rows
        ]
        print_table(plain_console(), ["suite", "dataset", "players"], ["tasks"], cells)
    if broken:
        raise typer.Exit(1)


def _row(name: str) -> dict[str, Any]:
    """Open a suite with its defaults and describe it."""
    from herobench.suite import SuiteSetting, open_suite

    with closing(open_suite(name, SuiteSetting())) as suite:
        tasks = sum(1 for _ in suite.tasks())
        return {"name": name, "dataset": suite.dataset, "tasks": tasks, "players": list(suite.players)}
