"""Options that a suite declares, as options of a command.

typer reads options from the parameters of a function. A command for a suite gets parameters for the suite's options
here, so that its help and its refusals are the same as in other commands.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping, Sequence
from inspect import Parameter
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
import typer.core
import typer.main

from herobench.cli.options import with_parameters
from herobench.data.errors import HeroBenchError, SuiteError, UsageError
from herobench.suite.contract import DEFAULT_SUITE

if TYPE_CHECKING:
    from herobench.suite.contract import Option

_NoSuchOption: type[Exception] = vars(sys.modules[typer.BadParameter.__module__])["NoSuchOption"]
"""The exception for an option that a command does not have: click's own, or typer's copy of it."""


class SuiteCommand(typer.core.TyperCommand):
    """A command with a parameter `settings`. It has an option for each setting that the named suite declares."""

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:
        """Return the context of the command with the options of the suite that the words name."""
        suite = _suite_in(args)
        options = _declared(suite)
        if self.callback is None:
            return super().make_context(info_name, args, parent, **extra)
        function = _with_settings(inspect.unwrap(self.callback), suite, options or ())
        return SuiteContext(suite, options).of(function, self.help, info_name, args, parent, **extra)


class SuiteContext:
    """Reads a command line with the options of a suite."""

    def __init__(self, suite: str | None, options: Sequence[Option] | None) -> None:
        """Take the suite that the user names, None for the default one, and its options; None if it takes any."""
        self._suite = suite
        self._takes_any = options is None
        self._flags = [f"--{option.name}" for option in options or ()]

    def of(self, function: Callable[..., None], about: str | None, name: str | None, *rest: Any, **extra: Any) -> Any:
        """Return the context of the command that a function makes, with `about` as its help."""
        app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
        app.command(name, help=about)(function)
        command: Any = typer.main.get_command(app)
        known = ["--help", *(flag for parameter in command.params for flag in parameter.opts)]
        if taken := [flag for flag in self._flags if known.count(flag) > 1]:
            raise SuiteError(f"The suite {self._suite} declares an option {taken[0]}, which every suite has already.")
        try:
            return command.make_context(name, *rest, **extra)
        except _NoSuchOption as error:
            if self._suite is None:
                raise
            raise UsageError(self._refused(error)) from error

    def _refused(self, error: Any) -> str:
        meant = f" Is {' or '.join(error.possibilities)} meant?" if error.possibilities else ""
        none = "takes its settings by --set NAME=VALUE" if self._takes_any else "has no options of its own"
        its = f"has the options {', '.join(self._flags)}" if self._flags else none
        return f"No such option: {error.option_name}.{meant} The suite {self._suite} {its}; --help shows all."


def value_in(words: Sequence[str], option: str) -> str | None:
    """Return the value of an option on a command line; of several the last, and None if there is none."""
    found = None
    for word, after in pairwise([*words, ""]):
        if word == option and after:
            found = after
        elif word.startswith(f"{option}="):
            found = word.partition("=")[2]
    return found


def parameter(option: Option, kind: Any = str, **shown: Any) -> Parameter:
    """Return the parameter of an option that a suite declares. Its value is None if the option is left out."""
    default = "" if option.default is None else f" \\[default: {option.default}]"
    words = typer.Option(f"--{option.name}", metavar=option.metavar or None, help=f"{option.about}{default}", **shown)
    return Parameter(
        parameter_name(option), Parameter.KEYWORD_ONLY, default=None, annotation=Annotated[kind | None, words]
    )


def parameter_name(option: Option) -> str:
    """Return the name of the parameter of an option. No parameter that every suite has begins like it."""
    return f"suite_{option.name.replace('-', '_')}"


def _with_settings(function: Callable[..., None], suite: str, options: Sequence[Option]) -> Callable[..., None]:
    """Return a command's function that takes the suite's options too, and hands them on as settings."""

    def command(**given: Any) -> None:
        said = {option.name: given.pop(parameter_name(option)) for option in options}
        settings = [f"{name}={text}" for name, text in said.items() if text is not None]
        given["settings"] = [*settings, *(given["settings"] or ())]
        if context := given.get("context"):
            context.params = {name: value for name, value in given.items() if value is not context}
        function(**given)

    common = inspect.signature(function, eval_str=True).parameters.values()
    own = (parameter(option, rich_help_panel=f"Options of the suite {suite}") for option in options)
    return with_parameters(command, [*common, *own])


def _declared(suite: str) -> tuple[Option, ...] | None:
    from herobench.suite.checked import suite_class

    return suite_class(suite).run_options


def _suite_in(words: Sequence[str]) -> str:
    """Return the suite that a command line names, or the suite of the run whose folder it names."""
    if suite := value_in(words, "--suite"):
        return suite
    manifests = (_manifest(Path(word.removeprefix("--resume="))) for word in words)
    return next((str(found["config"]["suite"]) for found in manifests if found), DEFAULT_SUITE)


def _manifest(folder: Path) -> Mapping[str, Any] | None:
    """Return the run.json of a folder; None if it cannot be read. The command itself reports the fault."""
    try:
        if not (folder / "run.json").is_file():
            return None
        from herobench.runs.folder import RunFolder

        return RunFolder(folder).read_manifest()
    except (HeroBenchError, OSError, ValueError):
        return None
