"""Commands of single suites: check and play programs of `autumn`, and print games of `epoch`."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from herobench.agents.agent import MOST_TURNS
from herobench.cli.options import JobsOption, SettingsOption, read_settings
from herobench.cli.play import HUMAN, BrowseOption, PersonOption, PortOption, SessionOption, sit_down
from herobench.cli.say import say, say_json, visible, write, write_json, write_output
from herobench.cli.table import plain_console, print_facts
from herobench.data.errors import InputError, Problem, UsageError
from herobench.data.files import read_bytes, unreadable
from herobench.page.server import Seat
from herobench.runs.options import RunRequest
from herobench.suites.autumn import AutumnError, Program
from herobench.suites.autumn.language.program import examine
from herobench.suites.autumn.page.attempt import AutumnPage

autumn = typer.Typer(no_args_is_help=True, help="Check programs of Autumn, and let people play challenges.")
_SUITE = "autumn"
_LIMITS = {"steps": "500", "total": "1000"}
"""The limits for people. They equal the limits of models if the user sets them so."""


@autumn.command()
def check(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A program; - for standard input.")],
    steps: Annotated[int, typer.Option(min=0, max=100_000, help="Random actions of each episode.")] = 300,
    episodes: Annotated[int, typer.Option(min=1, max=1000, help="Episodes, each with the next seed.")] = 3,
    seed: Annotated[int, typer.Option(min=0, help="The seed of the first episode. Each further episode adds 1.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Read a program of Autumn, play it at random, and print statistics.

    An error is printed with file, line and column, and the exit code is 2.
    """
    program = _read_program(file)
    with _explained(file):
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
    with _explained(file):
        return Program.from_text(text)


@contextmanager
def _explained(file: str) -> Iterator[None]:
    """Let an error of a program name the file."""
    try:
        yield
    except AutumnError as error:
        raise UsageError(f"{visible(file)}: {error}") from None


@autumn.command()
def floor(
    steps: Annotated[int, typer.Option(min=1, max=10_000, help="The steps of the interaction.")] = 240,
    jobs: JobsOption = None,
) -> None:
    """Play the shipped challenges with players that know no rule, and print what they win as a table in Markdown."""
    from herobench.suites.autumn.floor import floor as scores

    say("| family | player | mean score | standard error |")
    say("|---|---|---|---|")
    for family, player, score, error in scores(steps, jobs or os.cpu_count() or 1):
        say(f"| `{family}` | `{player}` | {score:.2f} | {error:.2f} |")


@autumn.command()
def serve(
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE", help="A tasks file. \\[default: the shipped challenges]")
    ] = None,
    challenge: Annotated[
        list[str] | None, typer.Option(metavar="ID", help="Only this challenge; may be repeated, and have * in it.")
    ] = None,
    name: PersonOption = None,
    output: SessionOption = None,
    pace: Annotated[
        str | None,
        typer.Option(
            metavar="real|step",
            help="Whether a world that moves by itself goes on, or waits for each action. \\[default: real]",
        ),
    ] = None,
    settings: SettingsOption = None,
    port: PortOption = 0,
    browse: BrowseOption = None,
) -> None:
    """Open a page in the browser at which a person plays challenges.

    The sessions are kept as a run, like those of models.

    The page is served on this machine only. To continue a session that was cut short, name its folder: -o RUN.
    """
    said = read_settings(settings or [], {"pace": pace})
    sit_down(
        AutumnPage(),
        output,
        lambda seat, new: _request(seat, file, challenge or [], name, said, new=new),
        is_own=lambda config: config["suite"] == _SUITE and config["identity"].get("mode") == "page",
        again="herobench autumn serve",
        port=port,
        browse=browse,
    )


def _request(
    seat: Seat, file: Path | None, ids: list[str], name: str | None, said: Mapping[str, str], *, new: bool
) -> RunRequest:
    """Return what the run is made of. A run that is continued keeps what it began with."""
    options = {"mode": "page", "pace": "real", **_LIMITS, **said} if new else dict(said)
    total = options.get("total", "0")
    if total.isascii() and total.isdecimal() and not 0 <= int(total[:9]) <= MOST_TURNS:
        raise UsageError(f"A session has at most {MOST_TURNS:,} actions: give total={MOST_TURNS} or less.")
    return RunRequest(
        model=name or (HUMAN if new else None),
        suite=_SUITE,
        tasks=file,
        task_ids=tuple(ids),
        options=options,
        conduct={"connections": 1, "retries": 0},
        person=seat,
    )


epoch = typer.Typer(no_args_is_help=True, help="Print traces of games of the suite epoch.")
Form = Literal["md", "json"]


@epoch.command()
def trace(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a run.")],
    level: Annotated[str, typer.Argument(metavar="LEVEL", help="The level, such as L03.")],
    epoch_number: Annotated[int, typer.Option("--epoch", min=0, help="The epoch of the run, from 0.")] = 0,
    form: Annotated[Form, typer.Option("--format", help="Markdown or JSON.")] = "md",
    output: Annotated[Path | None, typer.Option("--output", "-o", help="The file to write.")] = None,
) -> None:
    """Print the trace of a game: prompts, calls, tools, tokens of each step, and what came of it."""
    from herobench.analysis.samples.sources import read_sources, refuse_inputs
    from herobench.analysis.suites.epoch.trace import read_trace, trace_as_markdown

    (source,) = read_sources([run])
    if output is not None:
        refuse_inputs([source], output)
    found = read_trace(source, level, epoch_number)
    text = trace_as_markdown(found) if form == "md" else f"{json.dumps(found, indent=1, ensure_ascii=False)}\n"
    write_output(text, output, write if form == "md" else write_json)


@epoch.callback()
def _group() -> None:
    """Keep the name of the only command."""
