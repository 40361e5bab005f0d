"""The command `generate` for suites other than the RPG: made from the options that the suite's generator declares.

typer reads options from the parameters of a function. The function of a suite's command gets its parameters here, so
that its help, and its refusal of other options, are those of every command.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from inspect import Parameter, Signature
from typing import TYPE_CHECKING, Annotated, Any

import typer
import typer.core
import typer.main

from herobench.cli.options import JobsOption
from herobench.cli.rows_out import target_of, write_made
from herobench.errors import UsageError
from herobench.suite import DEFAULT_SUITE

if TYPE_CHECKING:
    from herobench.generating import Generator, GeneratorOption

_COUNT = Annotated[int | None, typer.Option(min=1, help="How many tasks.")]
_SEED = Annotated[int, typer.Option(help="Other seeds give other tasks.")]
_SUITE = Annotated[str, typer.Option("--suite", metavar="NAME", help="The benchmark suite.")]
_OUTPUT = Annotated[
    str | None, typer.Option("--output", "-o", help="The file to write, - for the screen. \\[default: tasks.jsonl]")
]
_SHARED: dict[str, tuple[Any, object]] = {
    "count": (_COUNT, None),
    "seed": (_SEED, 0),
    "output": (_OUTPUT, None),
    "jobs": (JobsOption, None),
    "suite": (_SUITE, DEFAULT_SUITE),
}
"""The parameters that the command has for every suite, with their defaults."""


class GenerateCommand(typer.core.TyperCommand):
    """The command of the RPG, which gives way to that of another suite when one is named."""

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:
        """Return the context of the command that the words are for."""
        suite = _named(args)
        if suite == DEFAULT_SUITE:
            return super().make_context(info_name, args, parent, **extra)
        return _command(suite).make_context(info_name, args, parent, **extra)


def _named(words: Sequence[str]) -> str:
    """Return the suite that the words of a command line name; of several the last."""
    suite = DEFAULT_SUITE
    for word, after in zip(words, [*words[1:], ""], strict=True):
        if word == "--suite" and after:
            suite = after
        elif word.startswith("--suite="):
            suite = word.partition("=")[2]
    return suite


def _command(suite: str) -> Any:
    from herobench.generating import generator_of

    generator = generator_of(suite)
    if generator is None:
        raise UsageError(f"The suite {suite} ships its own tasks: herobench tasks list --suite {suite}.")
    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    app.command("generate", help=f"Make tasks of the suite {suite}; the same options and seed give the same bytes.")(
        _function(generator)
    )
    return typer.main.get_command(app)


def _function(generator: Generator) -> Callable[..., None]:
    """Return the function of a generator's command, with a parameter for each option."""
    names = {_name(option): option for option in generator.options}
    if taken := sorted(names.keys() & _SHARED.keys()):
        raise UsageError(f"The suite's generator has an option --{taken[0]}, which every suite has already.")
    hints = {name: _hint(option) for name, option in names.items()}
    defaults: dict[str, object] = {name: False if option.is_flag else None for name, option in names.items()}
    hints |= {name: hint for name, (hint, _) in _SHARED.items()}
    defaults |= {name: default for name, (_, default) in _SHARED.items()}

    def generate(**given: Any) -> None:
        from herobench.generating import Request, read_values

        target = target_of(given["output"])
        values = read_values(generator.options, {option.name: given[name] for name, option in names.items()})
        jobs = given["jobs"] or os.cpu_count() or 1
        made = generator.make(Request(values, given["seed"], given["count"], jobs))
        write_made(target, made.rows, made.count, given["suite"])

    parameters = [
        Parameter(name, Parameter.KEYWORD_ONLY, default=defaults[name], annotation=hint) for name, hint in hints.items()
    ]
    generate.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    generate.__annotations__ = dict(hints)
    return generate


def _name(option: GeneratorOption) -> str:
    """Return the name of the parameter of an option."""
    return option.name.replace("-", "_")


def _hint(option: GeneratorOption) -> Any:
    if option.is_flag:
        return Annotated[bool, typer.Option(f"--{option.name}", help=option.about)]
    default = "" if option.default is None else f" \\[default: {option.default}]"
    return Annotated[
        str | None, typer.Option(f"--{option.name}", metavar=option.metavar, help=f"{option.about}{default}")
    ]
