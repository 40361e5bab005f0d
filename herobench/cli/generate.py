"""Make tasks that are proven and certified; the same options and seed give the same bytes.

`herobench generate --suite NAME --help` shows the options of another suite.
"""

from __future__ import annotations

import os
from collections.abc import Generator as Rows
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from shlex import quote
from typing import Annotated, Any

import typer

from herobench.cli.commands import with_suite_options
from herobench.cli.options import JobsOption, OnOption, ShardRowsOption, SuiteOption
from herobench.cli.say import progress, say, watch_each, write_json
from herobench.data.errors import UsageError
from herobench.data.options import Option, read_options
from herobench.data.rows import dump_row, write_rows
from herobench.suite.choice import Clues, implied_suite
from herobench.suite.generating import GenerateRequest, load_generator, needed_generator, numbered_tasks

_COUNT = "How many tasks; as many as the generator makes by itself when left out."
_OutputOption = Annotated[str | None, Option("The file to write, - for the screen.", short="-o", shown="tasks.jsonl")]


def _generator_tables(suite: str) -> list[type]:
    """Return the table of the options of a suite's generator; nothing for a suite that ships its tasks."""
    return [generator.options] if (generator := load_generator(suite)) else []


def _shown_defaults(suite: str) -> Mapping[str, str]:
    """Return the number of tasks that a suite's generator makes by itself, if it is known."""
    generator = load_generator(suite)
    return {"count": str(generator.count)} if generator and generator.count else {}


@with_suite_options(_generator_tables, with_set=False, defaults=_shown_defaults)
def generate(
    settings: Mapping[str, Any],
    count: Annotated[int | None, Option(_COUNT, least=1)] = None,
    seed: Annotated[int | None, Option("Another seed makes other tasks.", shown="0")] = None,
    output: _OutputOption = None,
    jobs: JobsOption = None,
    on: OnOption = None,
    shard_rows: ShardRowsOption = None,
    suite: SuiteOption = "",
) -> None:
    """Make tasks."""
    cluster = None
    if on is not None or shard_rows is not None:
        from herobench.cli.on_cluster import choose_cluster

        cluster = choose_cluster(on, output, shard_rows, jobs)
    target = None if cluster else _output_path(output)
    generator = needed_generator(suite)
    fields = {**settings, **{name: value for name, value in (("count", count), ("seed", seed)) if value is not None}}
    options: Any = read_options(generator.options, settings)
    request = GenerateRequest(options, seed or 0, count, jobs or os.cpu_count() or 1, tuple(fields))
    if cluster:
        if not cluster.make(numbered_tasks(suite, request)):
            raise typer.Exit(1)
        return
    dataset = generator.make(request)
    try:
        _write_dataset(target, dataset.rows, dataset.count, suite, dataset.settings)
    finally:
        if isinstance(dataset.rows, Rows):
            dataset.rows.close()  # its processes would work on
    for note in dataset.notes:
        say(note, err=True)


# -- writing ----------------------------------------------------------------------------------------------------------

_DEFAULT_OUTPUT = Path("tasks.jsonl")


def _output_path(output: str | None) -> Path | None:
    """Return the file to write, or None for standard output. An existing default file is never overwritten."""
    if output == "-":
        return None
    if output is None and _DEFAULT_OUTPUT.exists():
        raise UsageError(f"The file {_DEFAULT_OUTPUT} exists already: name the file to write with -o.")
    return _DEFAULT_OUTPUT if output is None else Path(output)


def _write_dataset(
    target: Path | None,
    rows: Iterable[Mapping[str, Any]],
    count: int,
    suite: str,
    settings: Mapping[str, str],
) -> None:
    """Write rows while they are made, and say how to look at them. `settings` are those of the suite for this file.

    If a later row cannot be made, the rows before it are written, and the command ends with 1.
    """
    faults: list[UsageError] = []

    def rows_before_fault() -> Iterator[Mapping[str, Any]]:
        has_rows = False
        try:
            for row in watch_each(rows, step):
                has_rows = True
                yield row
        except UsageError as error:
            if not has_rows:
                raise
            faults.append(error)

    with progress("made", count) as step:
        # Each row is written when it is made: a reader at the end of a pipe need not wait for all of them.
        if target is None:
            for row in watch_each(rows, step):
                write_json(dump_row(row))
            return
        written = write_rows(target, rows_before_fault())
    tasks = "1 task" if written == 1 else f"{written} tasks"
    of_suite = "" if suite == implied_suite(Clues(target, settings)) else f" --suite {suite}"
    options = "".join(f" --{name} {quote(text)}" for name, text in settings.items())
    look = f"herobench tasks list{of_suite} --tasks {quote(str(target))}{options}"
    say(f"{tasks} written to {target}; to look at them: {look}", err=True)
    for fault in faults:
        say(f"{count - written} of {count} tasks were not made: {fault}", err=True)
        raise typer.Exit(1)
