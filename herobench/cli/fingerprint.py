"""Print the fingerprint of a run: one line by which two parties see whether they have the same result.

It covers the tasks, the settings that identify the run, and the verdict on each attempt, and nothing else.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from herobench.cli.say import say


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
    """Print a fingerprint."""
    from herobench.runs.fingerprint import fingerprint_of
    from herobench.runs.folder import open_run

    found = fingerprint_of(open_run(run))
    say(str(found))
    if show:
        won = sum(outcome.won for outcome in found.outcomes)
        say(*(f"{name}: {value}" for name, value in found.settings.items()), f"tasks: {found.tasks}")
        say(f"verdicts: {found.verdicts} ({len(found.outcomes)} measured attempts, {won} won)")
    for outcome in found.outcomes if samples else ():
        end = "won" if outcome.won else "lost"
        say(f"{outcome.task_id}, epoch {outcome.epoch}: {end}, {outcome.score!r}")
