"""Writes made rows to a tasks file or to the screen. The command `generate` uses it for every suite."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from shlex import quote
from typing import Any

from herobench.cli.say import say, write_json
from herobench.data.errors import UsageError
from herobench.suite.contract import DEFAULT_SUITE

_DEFAULT_OUTPUT = Path("tasks.jsonl")


def target_of(output: str | None) -> Path | None:
    """Return the file to write, or None for standard output. An existing default file is never overwritten."""
    if output == "-":
        return None
    if output is None and _DEFAULT_OUTPUT.exists():
        raise UsageError(f"The file {_DEFAULT_OUTPUT} exists already: name the file to write with -o.")
    return _DEFAULT_OUTPUT if output is None else Path(output)


def write_made(
    target: Path | None,
    rows: Iterable[Mapping[str, Any]],
    count: int,
    suite: str = DEFAULT_SUITE,
    world: str | None = None,
) -> None:
    """Write rows while they are made, and say how to look at them. `world` is what --world says of tasks of the RPG."""
    from herobench.cli.progress import progress
    from herobench.data.rows import dump_row, write_rows

    with progress("made", count) as step:
        # Each row is written when it is made: a reader at the end of a pipe need not wait for all of them.
        if target is None:
            for row in _watched(rows, step):
                write_json(dump_row(row))
            return
        write_rows(target, _watched(rows, step))
    tasks = "1 task" if count == 1 else f"{count} tasks"
    of_suite = "" if suite == DEFAULT_SUITE else f" --suite {suite}"
    of_world = "" if world is None else f" --world {quote(world)}"
    look = f"herobench tasks list{of_suite} --tasks {quote(str(target))}{of_world}"
    say(f"{tasks} written to {target}; to look at them: {look}", err=True)


def _watched(rows: Iterable[Mapping[str, Any]], step: Callable[[], None]) -> Iterator[Mapping[str, Any]]:
    for row in rows:
        yield row
        step()
