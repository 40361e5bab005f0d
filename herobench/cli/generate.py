"""Make tasks that are proven and certified; the same options and seed give the same bytes.

`herobench generate --suite NAME --help` shows the options of another suite.
"""

# The docstring above is the help text of the command, unless a suite is named.

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Generator as Rows
from inspect import Parameter
from pathlib import Path
from shlex import quote
from typing import Annotated, Any

import typer
import typer.core

from herobench.cli.on_cluster import FormatOption, OnOption, ShardRowsOption, choose_cluster
from herobench.cli.options import (
    JobsOption,
    SuiteOption,
    parameter,
    parameter_name,
    suite_context,
    value_in,
    with_parameters,
    with_values,
)
from herobench.cli.progress import progress, watched
from herobench.cli.say import say, write_json
from herobench.data.errors import UsageError
from herobench.data.rows import dump_row, write_rows
from herobench.suite.contract import DEFAULT_SUITE
from herobench.suite.generating import (
    GenerateRequest,
    GeneratorOption,
    TaskGenerator,
    needed_generator,
    numbered_tasks,
    read_values,
)

_OutputOption = Annotated[
    str | None, typer.Option("--output", "-o", help="The file to write, - for the screen. \\[default: tasks.jsonl]")
]


class GenerateCommand(typer.core.TyperCommand):
    """The command. It has the options that the suite's generator declares, and those that every suite has."""

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:
        """Return the context of the command for the suite that the words name."""
        named = value_in(args, "--suite")
        generator = needed_generator(named or DEFAULT_SUITE)
        about = f"Make tasks of the suite {named}; the same options and seed give the same bytes." if named else __doc__
        words = with_values(args, {f"--{each.name}": each.bare for each in generator.options if each.bare is not None})
        function = _function(generator)
        return suite_context(named, generator.options, function, about, info_name, words, parent, **extra)


def _function(generator: TaskGenerator) -> Callable[..., None]:
    """Return the function of the command, with a parameter for each option."""

    def generate(**given: Any) -> None:
        cluster = choose_cluster(*[given[name] for name in ("on", "output", "shard_rows", "format", "jobs")])
        target = None if cluster else _output_path(given["output"])
        request = _request(generator.options, given)
        if cluster:
            if not cluster.make(numbered_tasks(given["suite"], request)):
                raise typer.Exit(1)
            return
        made = generator.make(request)
        try:
            _write_made(target, made.rows, made.count, given["suite"], made.settings)
        finally:
            if isinstance(made.rows, Rows):
                made.rows.close()  # its processes would work on
        for note in made.notes:
            say(note, err=True)

    own = map(_own_parameter, generator.options)
    return with_parameters(generate, [*own, *_shared_parameters(generator.count)])


def _request(options: Sequence[GeneratorOption], given: Mapping[str, Any]) -> GenerateRequest:
    """Return what the user asks a generator for. Raise UsageError for a wrong value."""
    texts = {option.name: given[parameter_name(option)] for option in options}
    said = {**texts, "count": given["count"], "seed": given["seed"]}
    names = [name for name, value in said.items() if value is not None and value is not False]
    jobs = given["jobs"] or os.cpu_count() or 1
    return GenerateRequest(read_values(options, texts), given["seed"] or 0, given["count"], jobs, names)


def _own_parameter(option: GeneratorOption) -> Parameter:
    """Return the parameter of an option that a generator declares."""
    if option.is_flag:
        words = typer.Option(f"--{option.name}", help=option.about)
        return Parameter(
            parameter_name(option), Parameter.KEYWORD_ONLY, default=False, annotation=Annotated[bool, words]
        )
    return parameter(option, option.kind, min=option.least, max=option.most)


def _shared_parameters(count: int | None) -> Iterator[Parameter]:
    """Yield the parameters that the command has for every suite. `count` is how many tasks are made by default."""
    usual = "" if count is None else f" \\[default: {count}]"
    seed = "Another seed makes other tasks. \\[default: 0]"
    shared: dict[str, tuple[Any, object]] = {
        "count": (Annotated[int | None, typer.Option(min=1, help=f"How many tasks.{usual}")], None),
        "seed": (Annotated[int | None, typer.Option(help=seed)], None),
        "output": (_OutputOption, None),
        "jobs": (JobsOption, None),
        "on": (OnOption, None),
        "shard_rows": (ShardRowsOption, None),
        "format": (FormatOption, None),
        "suite": (SuiteOption, DEFAULT_SUITE),
    }
    for name, (hint, default) in shared.items():
        yield Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=hint)


# -- writing ----------------------------------------------------------------------------------------------------------

_DEFAULT_OUTPUT = Path("tasks.jsonl")


def _output_path(output: str | None) -> Path | None:
    """Return the file to write, or None for standard output. An existing default file is never overwritten."""
    if output == "-":
        return None
    if output is None and _DEFAULT_OUTPUT.exists():
        raise UsageError(f"The file {_DEFAULT_OUTPUT} exists already: name the file to write with -o.")
    return _DEFAULT_OUTPUT if output is None else Path(output)


def _write_made(
    target: Path | None,
    rows: Iterable[Mapping[str, Any]],
    count: int,
    suite: str,
    settings: Mapping[str, str],
) -> None:
    """Write rows while they are made, and say how to look at them. `settings` are those of the suite for this file."""
    with progress("made", count) as step:
        # Each row is written when it is made: a reader at the end of a pipe need not wait for all of them.
        if target is None:
            for row in watched(rows, step):
                write_json(dump_row(row))
            return
        write_rows(target, watched(rows, step))
    tasks = "1 task" if count == 1 else f"{count} tasks"
    of_suite = "" if suite == DEFAULT_SUITE else f" --suite {suite}"
    told = "".join(f" --{name} {quote(text)}" for name, text in settings.items())
    look = f"herobench tasks list{of_suite} --tasks {quote(str(target))}{told}"
    say(f"{tasks} written to {target}; to look at them: {look}", err=True)
