"""Which commands there are, each imported and built when it is called.

A command line names one command, and to import and build the parameters of all takes longer than most commands work. A
command is a module of its name: with a function of that name, or with an `app` of further commands. Its docstring is
the help.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from inspect import cleandoc
from types import ModuleType
from typing import Any

import typer
import typer.core
import typer.main

NAMES = (
    "run", "import", "score", "serve", "mcp", "openenv", "analyze", "merge", "compare", "fingerprint", "leaderboard",
    "diagnose", "plot", "gear", "generate", "validate", "suites", "audit", "plugins", "doctor", "schema", "tasks",
    "world", "autumn", "epoch", "export", "cache",
)  # fmt: skip
"""The commands, in the order of the help."""
_WITH_SETTINGS = ("run", "score", "serve", "mcp", "openenv")
"""The commands with options for the settings that the named suite declares."""


class Commands(typer.core.TyperGroup):
    """The commands of the program."""

    def __init__(self, **settings: Any) -> None:
        settings["commands"] = {name: _Deferred(name) for name in NAMES}
        super().__init__(**settings)


class _Deferred(typer.core.TyperCommand):
    """A command that is imported when its help is asked for, and built when it is called."""

    @property
    def help(self) -> str | None:
        """The docstring of its module."""
        return cleandoc(str(_module(str(self.name)).__doc__))

    @help.setter
    def help(self, text: str | None) -> None:
        """Ignore the help that the constructor sets."""

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:
        """Return the context of the command."""
        return _built(str(self.name)).make_context(info_name, args, parent, **extra)


def _module(name: str) -> ModuleType:
    # `import` cannot be the name of a module
    return import_module(f"herobench.cli.{name}{'_' if name == 'import' else ''}")


@cache
def _built(name: str) -> Any:
    module = _module(name)
    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    if hasattr(module, "app"):
        app.add_typer(module.app, name=name, help=module.__doc__)
        group: Any = typer.main.get_command(app)
        return group.commands[name]
    if name == "generate":
        return module.GenerateCommand(name, help=module.__doc__)
    function = getattr(module, module.__name__.rpartition(".")[2])
    app.command(name, cls=_kind(name), help=module.__doc__)(function)
    return typer.main.get_command(app)


def _kind(name: str) -> type[typer.core.TyperCommand]:
    if name in _WITH_SETTINGS:
        from herobench.cli.suite_options import SuiteCommand

        return SuiteCommand
    return typer.core.TyperCommand
