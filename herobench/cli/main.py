"""The entry point: finds the command, and turns what goes wrong into a sentence and an exit code.

Exit codes: 0 done; 1 done, but something could not be read or measured; 2 bad usage or input; 3 done, but with less
success than was asked for; 130 interrupted. Nothing heavy is imported here. A command is imported and built when it is
called, so a module of commands imports at its top what they need: the list of commands reads only the words of its
source. Imports inside of functions are needed with some options only, or report a missing package themselves.
"""

from __future__ import annotations

import ast
import atexit
import gc
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer
import typer.core
import typer.main

from herobench.cli.commands import BadUsage, Group
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
        "plot": "plot", "fingerprint": "kept:fingerprint", "import": "import_logs:import_",
        "export": "export:app",
    },
    "Make and prove tasks": {"generate": "generate", "validate": "validate", "tasks": "tasks:app"},
    "Serve other tools": {"serve": "serve:serve", "mcp": "serve:mcp", "openenv": "serve:openenv"},
    "See what is installed": {
        "suites": "kept:suites", "models": "kept:models", "plugins": "kept:plugins", "schema": "kept:schema",
        "doctor": "kept:doctor", "cache": "kept:cache",
    },
}  # fmt: skip
"""The commands of every suite by the headings of the help: the module here, and its function if it has several."""
OF_SUITES = "Of single suites"


def places() -> Iterator[tuple[str, str, str]]:
    """Yield the heading, the name and the place of each command. A place is `module` or `module:name`."""
    for heading, commands in PLACES.items():
        for name, place in commands.items():
            yield heading, name, f"herobench.cli.{place}"
    for name, place in plugins.places(plugins.COMMANDS).items():
        yield OF_SUITES, name, place


class Commands(typer.core.TyperGroup):
    """The commands of every suite, and those that suites add. Lists of them read only the words of their source."""

    def __init__(self, **settings: Any) -> None:
        settings["commands"] = {name: _Deferred(name, place, heading) for heading, name, place in places()}
        super().__init__(**settings)


class _Deferred(typer.core.TyperCommand):
    """A command that is imported and built when it is called."""

    def __init__(self, name: str, place: str, panel: str) -> None:
        super().__init__(name, rich_help_panel=panel)
        self._place = place

    @property
    def help(self) -> str | None:
        """The help, for the list of commands."""
        return _help(self._place)

    @help.setter
    def help(self, text: str | None) -> None:
        """Ignore the help that the constructor sets."""

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:
        """Return the context of the command."""
        return build_command(str(self.name), self._place).make_context(info_name, args, parent, **extra)


@cache
def build_command(name: str, place: str) -> Any:
    """Return the command of a function or a group at a place."""
    module, _, attribute = place.partition(":")
    target = getattr(import_module(module), attribute or module.rpartition(".")[2])
    group = Group()
    if isinstance(target, Group):
        group.add_typer(target, name=name, help=_help(place))
    else:
        group.command(name, help=_help(place))(target)
        group.callback()(_nothing)  # typer makes no group of a single command otherwise
    group_command: Any = typer.main.get_command(group)
    return group_command.commands[name]


def _nothing() -> None: ...


def _help(place: str) -> str:
    """Return the help of a command: the docstring of its function, or of its module if no name is given."""
    module, _, attribute = place.partition(":")
    source = ast.parse(_source_of(module).read_text("utf-8"))
    for node in source.body if attribute else ():
        if isinstance(node, ast.FunctionDef) and node.name == attribute:
            return str(ast.get_docstring(node))
        match node:
            case ast.Assign([ast.Name(id)], ast.Call(args=[ast.Constant(value=about), *_])) if id == attribute:
                return str(about)
    return str(ast.get_docstring(source))


def _source_of(module: str) -> Path:
    """Return the file of a module. Only the package at its top is looked up: those below would be imported for it."""
    top, *below = module.split(".")
    spec = find_spec(top)
    file = Path(str(spec and spec.origin))
    path = file.parent.joinpath(*below) if below else file
    return next(file for file in (path, path.with_suffix(".py"), path / "__init__.py") if file.is_file())


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
