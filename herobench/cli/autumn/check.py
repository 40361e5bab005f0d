"""Read a program of Autumn, play it at random, and print statistics.

An error is printed with file, line and column, and the exit code is 2."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import typer

from herobench.cli.say import say, say_json


def check(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A program; - for standard input.")],
    steps: Annotated[int, typer.Option(min=0, max=100_000, help="Random actions of each episode.")] = 300,
    episodes: Annotated[int, typer.Option(min=1, max=1000, help="Episodes, each with the next seed.")] = 3,
    seed: Annotated[
        int, typer.Option(min=0, help="Of the random numbers in the first episode; each episode adds 1.")
    ] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Check a program."""
    # Imported late, because `herobench --help` must answer fast.
    from herobench.cli.autumn.program_file import explained, read_program
    from herobench.cli.table import plain_console, print_facts
    from herobench.suites.autumn.language.statistics import examine

    program = read_program(file)
    with explained(file):
        row = examine(program, seed=seed, steps=steps, episodes=episodes).as_row()
    if as_json:
        say_json({"schema": 1, "file": file, **row, "notes": program.notes})
        return
    print_facts(plain_console(), _facts(row))
    for note in program.notes:
        say(f"{file}: {note}", err=True)


def _facts(row: Mapping[str, Any]) -> dict[str, str]:
    """Return the statistics in words."""
    facts = {name.replace("_", " "): str(value) for name, value in row.items()}
    facts["colors"] = f"{len(row['colors'])}: {', '.join(row['colors'])}" if row["colors"] else "0"
    facts["random"] = "yes" if row["random"] else "no"
    return facts
