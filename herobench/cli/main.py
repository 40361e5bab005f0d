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
from contextlib import suppress
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer
import typer.core
import typer.main

from herobench.cli.options import SuiteCommand, with_values
from herobench.cli.say import accept_any_text, say
from herobench.data.errors import HeroBenchError

GROUPS = {
    "Measure a model": ("run", "checkup", "play", "score", "import", "merge", "audit"),
    "Look at results": ("analyze", "report", "compare", "leaderboard", "plot", "repair", "fingerprint", "export"),
    "Make and prove tasks": ("generate", "validate", "tasks", "gear", "world", "autumn", "epoch"),
    "Serve other tools": ("serve", "mcp", "openenv"),
    "See what is installed": ("suites", "plugins", "schema", "doctor", "cache"),
}  # fmt: skip
"""The commands in groups, in the order of the help."""
_GROUP_OF = {name: group for group, names in GROUPS.items() for name in names}
_CHAPTERS = {
    **dict.fromkeys(("suites", "plugins", "doctor", "schema", "import", "merge", "fingerprint", "cache"), "kept"),
    **dict.fromkeys(("serve", "mcp", "openenv"), "serve"),
    **dict.fromkeys(("autumn", "epoch"), "games"),
    "report": "analyze",
}
"""The modules of commands that have no module of their name."""
_WITH_SETTINGS = ("run", "score", "serve", "mcp", "openenv")
"""The commands with options for the settings that the named suite declares."""
_WITH_FRESH = ("run", "checkup")
"""The commands whose option --fresh needs no value."""


class Commands(typer.core.TyperGroup):
    """The commands of the program."""

    def __init__(self, **settings: Any) -> None:
        settings["commands"] = {name: _Deferred(name, rich_help_panel=group) for name, group in _GROUP_OF.items()}
        super().__init__(**settings)


class _Deferred(typer.core.TyperCommand):
    """A command that is imported and built when it is called. Its help is read when it is asked for."""

    @property
    def help(self) -> str | None:
        """The help, for the list of commands."""
        return _help(str(self.name))

    @help.setter
    def help(self, text: str | None) -> None:
        """Ignore the help that the constructor sets."""

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:
        """Return the context of the command."""
        words = with_values(args, {"--fresh": "random"}) if self.name in _WITH_FRESH else args
        return _built(str(self.name)).make_context(info_name, words, parent, **extra)


def _module(name: str) -> str:
    return f"herobench.cli.{_CHAPTERS.get(name, name)}"


def _help(name: str) -> str:
    """Return the help of a command: the docstring of its module, or what its function or group in a module says."""
    spec = find_spec(_module(name))
    source = ast.parse(Path(str(spec and spec.origin)).read_text("utf-8"))
    if name not in _CHAPTERS:
        return str(ast.get_docstring(source))
    for node in source.body:
        if isinstance(node, ast.FunctionDef) and node.name == _attribute(name):
            return str(ast.get_docstring(node))
        match node:
            case ast.Assign([ast.Name(id)], ast.Call(keywords=keywords)) if id == name:
                return next(str(ast.literal_eval(each.value)) for each in keywords if each.arg == "help")
    raise LookupError(name)


def _attribute(name: str) -> str:
    # `import` cannot be the name of a function
    return "import_" if name == "import" else name


@cache
def _built(name: str) -> Any:
    module = import_module(_module(name))
    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    if name == "generate":
        return module.GenerateCommand(name, help=module.__doc__)
    found = getattr(module, "app", None) or getattr(module, _attribute(name))
    if isinstance(found, typer.Typer):
        app.add_typer(found, name=name, help=_help(name))
        group: Any = typer.main.get_command(app)
        return group.commands[name]
    kind = SuiteCommand if name in _WITH_SETTINGS else typer.core.TyperCommand
    app.command(name, cls=kind, help=_help(name))(found)
    return typer.main.get_command(app)


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
        sys.exit(app(standalone_mode=False))
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
    """Say why, and leave with exit code 2; the rest of the output has nowhere to go."""
    say(sentence, err=True)
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(2)
