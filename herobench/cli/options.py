"""Options that several commands share, options that are declared elsewhere, and the output of problems.

typer reads options from the parameters of a function. `with_options` gives a function parameters for the fields of
tables such as `runs.options.RunRequest`. A command for a suite gets parameters for the options that the suite declares,
so that its help and its refusals are the same as in other commands. Commands import this at start, so it must not
import slow modules.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from inspect import Parameter, Signature, signature
from itertools import pairwise, zip_longest
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
import typer.core
import typer.main

from herobench.cli.say import say
from herobench.data.errors import HeroBenchError, Problem, SuiteError, UsageError
from herobench.data.options import DeclaredOption, options_in
from herobench.suite.contract import DEFAULT_SUITE

if TYPE_CHECKING:
    from herobench.suite.contract import Option

WorldOption = Annotated[
    str, typer.Option("--world", help="A shipped world, a folder of one or of a pack, or remix:SEED.")
]
TaskWorldOption = Annotated[
    str | None,
    typer.Option(
        "--world",
        help="A shipped world, a folder of one or of a pack, or remix:SEED. \\[default: that of the set, or classic]",
    ),
]
NamesOption = Annotated[
    Literal["plain", "random"] | None,
    typer.Option(
        "--names",
        help="How things are called: as in the world, or by opaque codes that tell nothing. \\[default: plain]",
    ),
]
SetOption = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help="A setting of the suite, which `--suite NAME --help` shows too; repeat as needed.",
        rich_help_panel="What is asked",
    ),
]
JobsOption = Annotated[int | None, typer.Option(min=1, help="Worker processes; all cores when left out.")]
SuiteOption = Annotated[str, typer.Option("--suite", metavar="NAME", help="The benchmark suite.")]
SettingsOption = Annotated[
    list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="A setting of the suite, by its name.")
]
OutputOption = Annotated[Path, typer.Option("--output", "-o", help="The file to write.")]
RunsArgument = Annotated[
    list[Path], typer.Argument(metavar="RUN...", help="Folders of runs, scored or published files.")
]
SampleSuiteOption = Annotated[
    str | None, typer.Option("--suite", metavar="NAME", help="Read the samples of this suite only.")
]

_MOST_SHOWN = 50
"""The number of problems that are printed."""


def with_options(
    *tables: type, only: Collection[str] | None = None
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a function a parameter for each option of some tables, or `only` for those named, in place of its `**`.

    An option that is left out has the value None.
    """
    declared = (field for table in tables for field in options_in(table))
    made = [_parameter(each) for each in declared if each.option and (only is None or each.option.name in only)]

    def decorate(function: Callable[..., None]) -> Callable[..., None]:
        own = signature(function, eval_str=True).parameters.values()
        return with_parameters(function, [*made, *(each for each in own if each.kind != Parameter.VAR_KEYWORD)])

    return decorate


def values_in(table: type, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a table that the parameters of a command give, each with its value."""
    return {
        field.field: field.option.read(given[field.parameter]) if field.option.read else given[field.parameter]
        for field in options_in(table)
        if field.option and field.parameter in given
    }


def _parameter(field: DeclaredOption) -> Parameter:
    """Return the parameter of an option."""
    option = field.option
    assert option is not None
    kind = option.kind or (str if option.read else field.kind)
    names = [f"{field.flag}/--no-{option.name}" if kind is bool else field.flag, *filter(None, [option.short])]
    default = "" if field.shown_default is None else f" \\[default: {field.shown_default}]"
    shown = typer.Option(
        *names,
        metavar=option.metavar,
        min=option.least,
        max=option.most,
        help=f"{option.about}{default}",
        rich_help_panel=option.panel,
    )
    return Parameter(field.parameter, Parameter.KEYWORD_ONLY, default=None, annotation=Annotated[kind | None, shown])


def with_parameters(function: Callable[..., None], parameters: Iterable[Parameter]) -> Callable[..., None]:
    """Give a function of keywords the parameters that typer reads."""
    made = Signature([each.replace(kind=Parameter.KEYWORD_ONLY) for each in parameters])
    function.__signature__ = made  # type: ignore[attr-defined]
    function.__annotations__ = {name: one.annotation for name, one in made.parameters.items()}
    return function


def read_settings(texts: Iterable[str], named: Mapping[str, str | None] = MappingProxyType({})) -> dict[str, str]:
    """Read settings from texts such as `rules=paper`, and from options of a command's own such as --world.

    Raise UsageError when a setting is given twice.
    """
    found = {name: value for name, value in named.items() if value is not None}
    for text in texts:
        name, equals, value = text.partition("=")
        if not (name and equals):
            raise UsageError(f"A setting is NAME=VALUE, such as rules=paper, and not {text!r}.")
        if name in found:
            raise UsageError(f"The setting {name} is given twice, as {found[name]!r} and as {value!r}: leave one out.")
        found[name] = value
    return found


def with_values(words: Sequence[str], values: Mapping[str, str]) -> list[str]:
    """Give each of some options the value that it stands for when no number follows it."""
    return [
        f"{word}={values[word]}" if word in values and not after.lstrip("-").isdigit() else word
        for word, after in zip_longest(words, words[1:], fillvalue="")
    ]


def no_samples(what: str, suite: str | None) -> UsageError:
    """Return the error for sources without samples; `what` is what was to be done with them."""
    of = f" of the suite {suite}" if suite else ""
    return UsageError(f"There are no samples{of} to {what} yet.")


def report(problems: Iterable[Problem]) -> int:
    """Print the first problems to standard error, and return how many there are."""
    count = 0
    # All problems are counted, but a broken file should not flood the terminal.
    for count, problem in enumerate(problems, 1):
        if count <= _MOST_SHOWN:
            say(str(problem), err=True)
    if count > _MOST_SHOWN:
        say(f"... and {count - _MOST_SHOWN} more problems", err=True)
    return count


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
        return suite_context(suite, options, function, self.help, info_name, args, parent, **extra)


def suite_context(
    suite: str | None,
    options: Sequence[Option] | None,
    function: Callable[..., None],
    about: str | None,
    name: str | None,
    *rest: Any,
    **extra: Any,
) -> Any:
    """Return the context of the command that a function makes, which reads a command line with the options of a suite.

    `suite` is what the user names, None for the default one, and `options` are None if it takes any.
    """
    command = _command(function, about, name)
    known = ["--help", *(flag for parameter in command.params for flag in parameter.opts)]
    flags = [f"--{option.name}" for option in options or ()]
    if taken := [flag for flag in flags if known.count(flag) > 1]:
        raise SuiteError(f"The suite {suite} declares an option {taken[0]}, which every suite has already.")
    try:
        return command.make_context(name, *rest, **extra)
    except _NoSuchOption as refused:
        if suite is None:
            raise
        error: Any = refused
        meant = f" Is {' or '.join(error.possibilities)} meant?" if error.possibilities else ""
        none = "takes its settings by --set NAME=VALUE" if options is None else "has no options of its own"
        its = f"has the options {', '.join(flags)}" if flags else none
        told = f"No such option: {error.option_name}.{meant} The suite {suite} {its}; --help shows all."
        raise UsageError(told) from refused


def _command(function: Callable[..., None], about: str | None, name: str | None) -> Any:
    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    app.command(name, help=about)(function)
    return typer.main.get_command(app)


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
