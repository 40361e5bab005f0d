"""The entry point: finds the command, and turns what goes wrong into a sentence and an exit code.

Exit codes: 0 done; 1 done, but something could not be read or measured; 2 bad usage or input; 3 done, but with less
success than was asked for; 130 interrupted. Nothing heavy is imported here. A command is imported and built when it is
called, so a module of commands imports at its top what they need: the list of commands reads only the words of its
source. Imports inside of functions are needed with some options only, or report a missing package themselves.
"""

from __future__ import annotations

import atexit
import gc
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from typing import Annotated, Any, NoReturn

import typer

from herobench.cli.commands import BadUsage, LazyGroup
from herobench.cli.options import report
from herobench.cli.say import accept_any_text, say
from herobench.data.errors import HeroBenchError, InputError
from herobench.suite import plugins

PLACES = {
    "Measure a model": {
        "run": "run", "checkup": "checkup:app", "play": "play:play", "score": "score",
        "merge": "kept:merge", "audit": "audit",
    },
    "Look at results": {
        "analyze": "analyze", "report": "analyze:report", "compare": "compare", "leaderboard": "leaderboard",
        "plot": "plot", "fingerprint": "kept:fingerprint", "export": "export:app",
    },
    "Make and prove tasks": {"generate": "generate", "validate": "validate", "tasks": "tasks:app"},
    "Serve other tools": {"serve": "serve:serve", "mcp": "serve:mcp", "openenv": "serve:openenv"},
    "See what is installed": {
        "suites": "kept:suites", "plugins": "kept:plugins", "schema": "kept:schema", "doctor": "kept:doctor",
        "cache": "kept:cache",
    },
}  # fmt: skip
"""The commands of every suite by the headings of the help: the module here, and its function if it has several."""
OF_SUITES = "Of single suites"


class Commands(LazyGroup):
    """The commands of the program: those of every suite, and those that suites add by entry points."""

    def places(self) -> Iterator[tuple[str, str, str]]:
        """Yield the heading, the name and the place of each command."""
        for heading, commands in PLACES.items():
            for name, place in commands.items():
                yield heading, name, f"herobench.cli.{place}"
        for name, place in plugins.places(plugins.COMMANDS).items():
            yield OF_SUITES, name, place


app = typer.Typer(
    name="herobench",
    help="Can a model plan far ahead? Plans as code, run and scored in simulated worlds.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    cls=Commands,
)


def _show_version(asked_for: bool) -> None:
    if asked_for:
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


def _explain(error: Any) -> None:
    """Say what is wrong with a command line. Help that was shown instead needs no more words."""
    message = error.format_message()
    if not message:
        return
    if error.ctx is not None:
        say(*error.ctx.get_usage().splitlines(), err=True)
        say(f"Try '{error.ctx.command_path} --help' for help.", "", err=True)
    say(message, err=True)


def _spend_less() -> None:
    """Save the CPU time of two things that no command needs."""
    # our matrices are small: the threads of numpy would wait for each other in a loop for longer than they calculate
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # the process ends anyway: the last look for unused cycles would go through all that it has
    atexit.register(gc.freeze)


def main() -> None:
    """Run the command line."""
    _spend_less()
    accept_any_text()
    try:
        sys.exit(app(sys.argv[1:], standalone_mode=False))
    except BadUsage as error:
        _explain(error)
        sys.exit(2)
    except InputError as error:
        report(error.problems)
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
    """Say why, and leave with exit code 2; the rest of the output has nowhere to go."""
    say(sentence, err=True)
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(2)
