"""The entry point: finds the command, and turns what goes wrong into a sentence and an exit code.

Exit codes: 0 done; 1 done, but something could not be read or measured; 2 bad usage or input; 3 done, but with less
success than was asked for; 130 interrupted. Nothing heavy is imported here or at the top of a command's module, so that
`--help` answers at once; `commands` imports those.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import Annotated, Any, NoReturn

import typer

from herobench.cli.commands import Commands
from herobench.cli.options import with_values
from herobench.cli.say import accept_any_text, say
from herobench.data.errors import HeroBenchError

RANDOM = "random"
"""The seed that nobody knows before."""


app = typer.Typer(
    name="herobench",
    help="Can a model plan far ahead? Plans as code, run and scored in a simulated RPG world.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    cls=Commands,
)


def _show_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        say(f"herobench {version('herobench')}")
        raise typer.Exit


@app.callback()
def common(
    _version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Options before any command."""


_BadUsage: type[Exception] = next(kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "ClickException")
"""The exception that typer raises for a wrong command line: click's own, or typer's copy of it."""


def _explain(error: Any) -> None:
    """Say what is wrong with a command line. Help that was shown instead needs no more words."""
    message = error.format_message()
    if not message:
        return
    if error.ctx is not None:
        say(*error.ctx.get_usage().splitlines(), err=True)
        say(f"Try '{error.ctx.command_path} --help' for help.", "", err=True)
    say(message, err=True)


def main() -> None:
    """Run the command line."""
    accept_any_text()
    try:
        sys.exit(app(with_values(sys.argv[1:], {"--fresh": RANDOM}), standalone_mode=False))
    except _BadUsage as error:
        _explain(error)
        sys.exit(2)
    except HeroBenchError as error:
        say(*error.lines, err=True)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        # nobody reads our output any more, and Python would complain of it when it ends
        sys.stderr.close()
        sys.exit(1)
    except OSError as error:
        where = f" ({error.filename})" if error.filename else ""
        _give_up(f"Cannot go on: {error.strerror or error}{where}.")
    except RecursionError:
        _give_up("Cannot go on: what was given is nested too deeply.")
    except MemoryError:
        _give_up("Cannot go on: there is not enough memory for this.")


def _give_up(sentence: str) -> NoReturn:
    """Say why, and leave with exit code 2; what is left to write has nowhere to go."""
    say(sentence, err=True)
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(2)
