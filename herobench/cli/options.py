"""Options that several commands share, options that are declared as fields of a class, and the output of problems.

typer reads options from the parameters of a function. `with_options` gives a function parameters for the fields of
tables such as `runs.options.RunRequest`. Commands import this at start, so it must not import slow modules.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from inspect import Parameter, Signature, signature
from itertools import zip_longest
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, Literal

import typer

from herobench.cli.say import say
from herobench.data.errors import Problem, UsageError
from herobench.data.options import DeclaredOption, options_in

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
