"""The command of the suite that checks programs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Annotated, Any

from herobench.cli.commands import Group
from herobench.cli.say import say, say_json, visible
from herobench.cli.table import plain_console, print_facts
from herobench.data.errors import InputError, Problem, UsageError
from herobench.data.files import read_bytes, unreadable
from herobench.data.options import Option
from herobench.suites.autumn import AutumnError, Program
from herobench.suites.autumn.language.program import examine
from herobench.suites.autumn.refusals import AutumnFault

autumn = Group("Check programs of Autumn.")


@autumn.command()
def check(
    file: Annotated[str, Option("A program; - for standard input.", metavar="FILE", is_argument=True)],
    steps: Annotated[int, Option("Random actions of each episode.", least=0, most=100_000)] = 300,
    episodes: Annotated[int, Option("Episodes, each with the next seed.", least=1, most=1000)] = 3,
    seed: Annotated[int, Option("The seed of the first episode. Each further episode adds 1.", least=0)] = 0,
    as_json: Annotated[bool, Option("Print JSON.", "json")] = False,
) -> None:
    """Read a program of Autumn, play it at random, and print statistics.

    An error is printed with file, line and column, and the exit code is 2.
    """
    program = _read_program(file)
    with _name_file_in_errors(file):
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


def _read_program(file: str) -> Program:
    """Return the program in a file; `-` is standard input. Raises InputError or UsageError."""
    try:
        text = read_bytes(file).decode("utf-8-sig")
    except OSError as error:
        raise InputError([unreadable(file, error, piped=True)]) from None
    except UnicodeDecodeError as error:
        raise InputError([Problem(file, f"byte {error.start}", "text in UTF-8")]) from None
    with _name_file_in_errors(file):
        return Program.from_text(text)


@contextmanager
def _name_file_in_errors(file: str) -> Iterator[None]:
    """Let an error of a program name the file."""
    try:
        yield
    except AutumnError as error:
        raise UsageError(AutumnFault.BAD_PROGRAM, file=visible(file), error=error) from None
