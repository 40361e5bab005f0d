"""The command `generate` for suites other than the RPG: made from the options that the suite's generator declares.

It has an option for each that the generator declares, and those that every suite has.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from collections.abc import Generator as Rows
from inspect import Parameter
from typing import TYPE_CHECKING, Annotated, Any

import typer
import typer.core

from herobench.cli.on_cluster import FormatOption, OnOption, ShardRowsOption, cluster_of
from herobench.cli.options import JobsOption
from herobench.cli.rows_out import target_of, write_made
from herobench.cli.suite_options import SuiteContext, parameter_name, parameters_of, value_in, with_parameters
from herobench.data.errors import UsageError
from herobench.suite.contract import DEFAULT_SUITE

if TYPE_CHECKING:
    from herobench.suite.generating import TaskGenerator

_COUNT = Annotated[int | None, typer.Option(min=1, help="How many tasks.")]
_SEED = Annotated[int, typer.Option(help="Of the tasks: another seed makes other tasks.")]
_SUITE = Annotated[str, typer.Option("--suite", metavar="NAME", help="The benchmark suite.")]
_OUTPUT = Annotated[
    str | None, typer.Option("--output", "-o", help="The file to write, - for the screen. \\[default: tasks.jsonl]")
]
_SHARED: dict[str, tuple[Any, object]] = {
    "count": (_COUNT, None),
    "seed": (_SEED, 0),
    "output": (_OUTPUT, None),
    "jobs": (JobsOption, None),
    "on": (OnOption, None),
    "shard_rows": (ShardRowsOption, None),
    "format": (FormatOption, None),
    "suite": (_SUITE, DEFAULT_SUITE),
}
"""The parameters that the command has for every suite, with their defaults."""


class GenerateCommand(typer.core.TyperCommand):
    """The command of the RPG, which gives way to that of another suite when one is named."""

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:
        """Return the context of the command that the words are for."""
        suite = value_in(args, "--suite") or DEFAULT_SUITE
        if suite == DEFAULT_SUITE:
            return super().make_context(info_name, args, parent, **extra)
        generator = _generator(suite)
        about = f"Make tasks of the suite {suite}; the same options and seed give the same bytes."
        context = SuiteContext(suite, generator.options)
        return context.of(_function(generator), about, info_name, args, parent, **extra)


def _generator(suite: str) -> TaskGenerator:
    from herobench.suite.generating import generator_of

    generator = generator_of(suite)
    if generator is None:
        raise UsageError(f"The suite {suite} ships its own tasks: herobench tasks list --suite {suite}.")
    return generator


def _function(generator: TaskGenerator) -> Callable[..., None]:
    """Return the function of a generator's command, with a parameter for each option."""
    options = generator.options

    def generate(**given: Any) -> None:
        from herobench.suite.generating import GenerateRequest, numbered_of, read_values

        where = [given[name] for name in ("on", "output", "shard_rows", "format", "jobs")]
        cluster = cluster_of(*where)
        target = None if cluster else target_of(given["output"])
        values = read_values(options, {option.name: given[parameter_name(option)] for option in options})
        request = GenerateRequest(values, given["seed"], given["count"], given["jobs"] or os.cpu_count() or 1)
        if cluster:
            cluster.make(numbered_of(given["suite"], request))
            return
        made = generator.make(request)
        try:
            write_made(target, made.rows, made.count, given["suite"])
        finally:
            if isinstance(made.rows, Rows):
                made.rows.close()  # its processes would work on

    own = parameters_of(options, flags={option.name for option in options if option.is_flag})
    shared = [
        Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=hint)
        for name, (hint, default) in _SHARED.items()
    ]
    return with_parameters(generate, [*own, *shared])
