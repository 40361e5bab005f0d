"""The commands of the suite: check programs, play them with players that know no rule, and let people play."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

from herobench.agents.agent import MOST_TURNS
from herobench.cli.commands import Group, with_suite_options
from herobench.cli.play import HUMAN, BrowseOption, PersonOption, PortOption, SessionOption, sit_down
from herobench.cli.say import say, say_json, visible
from herobench.cli.table import plain_console, print_facts
from herobench.data.errors import InputError, Problem, UsageError
from herobench.data.files import read_bytes, unreadable
from herobench.data.options import Option
from herobench.page.server import Seat
from herobench.runs.options import RunRequest
from herobench.suite.checked import run_tables
from herobench.suites.autumn import AutumnError, Program
from herobench.suites.autumn.language.program import examine
from herobench.suites.autumn.page.attempt import AutumnPage
from herobench.suites.autumn.refusals import AutumnFault

autumn = Group("Check programs of Autumn, and let people play challenges.")
_SUITE = "autumn"
_LIMITS = {"steps": "500", "total": "1000"}
"""The limits for people. They equal the limits of models if the user sets them so."""


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


@autumn.command()
@with_suite_options(lambda _: run_tables(_SUITE))
def serve(
    settings: Mapping[str, str],
    file: Annotated[
        Path | None, Option("A tasks file.", metavar="FILE", shown="the shipped challenges", is_argument=True)
    ] = None,
    challenge: Annotated[
        list[str] | None, Option("Only this challenge; may be repeated, and have * in it.", metavar="ID")
    ] = None,
    name: PersonOption = None,
    output: SessionOption = None,
    port: PortOption = 0,
    browse: BrowseOption = None,
) -> None:
    """Open a page in the browser at which a person plays challenges.

    The sessions are kept as a run, like those of models.

    The page is served on this machine only. To continue a session that was cut short, name its folder: -o RUN.
    """
    sit_down(
        AutumnPage(),
        output,
        lambda seat, new: _request(seat, file, challenge or [], name, settings, new=new),
        is_own=lambda config: config["suite"] == _SUITE and config["identity"].get("mode") == "page",
        again="herobench autumn serve",
        port=port,
        browse=browse,
    )


def _request(
    seat: Seat, file: Path | None, ids: list[str], name: str | None, overrides: Mapping[str, str], *, new: bool
) -> RunRequest:
    """Return what the run is made of. A run that is continued keeps what it began with."""
    options = {"mode": "page", "pace": "real", **_LIMITS, **overrides} if new else dict(overrides)
    total = options.get("total", "0")
    if total.isascii() and total.isdecimal() and not 0 <= int(total[:9]) <= MOST_TURNS:
        raise UsageError(AutumnFault.TOO_LONG, most=MOST_TURNS)
    return RunRequest(
        model=name or (HUMAN if new else None),
        suite=_SUITE,
        tasks=file,
        task_ids=tuple(ids),
        options=options,
        conduct={"connections": 1, "retries": 0},
        person=seat,
    )
