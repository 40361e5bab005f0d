"""The commands that work on files as they are kept: published files, shards, fingerprints and caches of replies."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from herobench.cli.options import OutputOption, WorldOption, report
from herobench.cli.say import say, say_json
from herobench.cli.table import plain_console, print_table
from herobench.data.rows import write_rows
from herobench.models.recording import clear_cache, summarize_cache
from herobench.runs.folder import open_run
from herobench.runs.merge import merge as merged
from herobench.runs.merge import read_fingerprint


def import_(
    source: Annotated[Path, typer.Argument(metavar="PUBLISHED.json", help="A published tasks file or answer log.")],
    output: OutputOption,
    world_name: WorldOption = "classic",
) -> None:
    """Convert a published tasks file, or a log of answers (MODEL_code_logs.json), to the formats of this program."""
    from herobench.suites.rpg.worlds.content import load_world
    from herobench.task_gen.rpg.published import read_published

    rows, problems = read_published(source, load_world(world_name))
    count = write_rows(output, rows)
    say(f"{count} rows written to {output}", err=True)
    if report(problems):
        raise typer.Exit(1)


def merge(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="The folders of all shards, in any order.")],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="DIR", help="The folder of the whole run.")],
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
    run: Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a run.")],
    show: Annotated[
        bool,
        typer.Option("--show", help="Print what goes into it too: each setting, and digests of tasks and verdicts."),
    ] = False,
    samples: Annotated[
        bool, typer.Option("--samples", help="Print the verdict on each attempt too, to find which ones differ.")
    ] = False,
) -> None:
    """Print the fingerprint of a run: one line by which two parties see whether they have the same result.

    It covers the tasks, the settings that identify the run, and the verdict on each attempt, and nothing else.
    """
    found = read_fingerprint(open_run(run))
    say(str(found))
    if show:
        won = sum(outcome.won for outcome in found.outcomes)
        say(*(f"{name}: {value}" for name, value in found.settings.items()), f"tasks: {found.tasks}")
        say(f"verdicts: {found.verdicts} ({len(found.outcomes)} measured attempts, {won} won)")
    for outcome in found.outcomes if samples else ():
        end = "won" if outcome.won else "lost"
        say(f"{outcome.task_id}, epoch {outcome.epoch}: {end}, {outcome.score!r}")


cache = typer.Typer(no_args_is_help=True, help="List or delete the replies that `run --cache FILE` keeps.")

FileArgument = Annotated[Path, typer.Argument(metavar="FILE", help="The file that --cache named.")]


@cache.command("ls")
def list_(file: FileArgument, as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """List the kept replies by model."""
    found = summarize_cache(file)
    if as_json:
        say_json([asdict(entry) for entry in found])
        return
    rows = ((entry.model, entry.last, f"{entry.replies:,}", f"{entry.bytes / 1e6:.1f} MB") for entry in found)
    print_table(plain_console(), ["model", "last reply"], ["replies", "size"], rows)


@cache.command()
def clear(
    file: FileArgument,
    model: Annotated[str | None, typer.Option("--model", "-m", help="Delete only the replies of this model.")] = None,
) -> None:
    """Delete kept replies."""
    say(f"{clear_cache(file, model)} replies deleted from {file}", err=True)
