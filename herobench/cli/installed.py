"""The commands that show what is installed: suites, plugins, the machine, and the schemas of files."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping
from contextlib import closing
from dataclasses import asdict
from typing import Annotated, Any

import typer

from herobench.cli.say import say, say_json
from herobench.cli.table import plain_console, print_table
from herobench.data.documents import load_schema, schema_names
from herobench.data.errors import HeroBenchError, UsageError
from herobench.suite.checked import open_suite
from herobench.suite.contract import DEFAULT_SUITE, SuiteSetting
from herobench.suite.plugins import SUITES, installed, names


def suites(as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """List the benchmark suites that are installed, with their default datasets and their players."""
    found: list[dict[str, Any]] = []
    broken = 0
    for name in names(SUITES):
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
    with closing(open_suite(name, SuiteSetting())) as suite:
        tasks = sum(1 for _ in suite.tasks())
        return {"name": name, "dataset": suite.dataset, "tasks": tasks, "players": list(suite.players)}


def _cells(row: Mapping[str, Any]) -> tuple[str, ...]:
    name = f"{row['name']} (default)" if row["name"] == DEFAULT_SUITE else row["name"]
    return name, row["dataset"], ", ".join(row["players"]), str(row["tasks"])


def plugins(as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """List what other packages and this one add: models and agents, and whether they load."""
    found = list(installed())
    if as_json:
        say_json([asdict(plugin) for plugin in found])
        return
    rows = ((plugin.group, plugin.name, plugin.package, plugin.broken or "loads") for plugin in found)
    print_table(plain_console(), ["group", "name", "package", "state"], [], rows, wrapped=["state"])


def doctor(as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """Show what this machine offers: versions, and which layers of the sandbox hold here."""
    from importlib.metadata import version

    from herobench.sandbox import Sandbox
    from herobench.sandbox.confine import LAYERS
    from herobench.suites.rpg.worlds.content import load_rules, load_world

    world = load_world()
    with Sandbox(world, load_rules()) as sandbox:
        held = sandbox.layers
    facts = {
        "herobench": version("herobench"),
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "cores": os.cpu_count(),
        "world": f"{world.code} {world.digest}",
    }
    if as_json:
        say_json({**facts, "layers": {layer: layer in held for layer in LAYERS}})
        return
    for name, value in facts.items():
        say(f"{name:18} {value}")
    say("", "The sandbox: a worker process ...")
    for layer, meaning in LAYERS.items():
        say(f"  {'yes' if layer in held else 'NO ':4} {layer:18} {meaning}")
    if len(held) < len(LAYERS):
        say("", "Layers that are missing here leave the others in place: the language, the deadline, the replay.")


def schema(
    name: Annotated[str | None, typer.Argument(help="A format, such as task, answer or scored.")] = None,
) -> None:
    """Print the JSON Schema of a format; without a name, list the formats."""
    names = schema_names()
    if name is None:
        say(*names)
    elif name in names:
        say_json(load_schema(name))
    else:
        raise UsageError(f"There is no format {name!r}: give one of {', '.join(names)}.")
