"""Everything that commands print goes through here, or through the `Screen` that tables are drawn on.

What is for people, and what is JSON, never has a character in it that a terminal would obey, whoever made the text.
Data that a file is to hold, such as CSV, is written as it is, unless it goes to a terminal.
"""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable

import typer

from herobench.cli.table import visible, visible_json, visible_lines


def accept_any_text() -> None:
    """Let standard output take halves of characters, as standard error does: names of files can be any bytes."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def say(*lines: str, err: bool = False) -> None:
    """Print lines, each of them one line whatever is in it."""
    typer.echo("\n".join(map(visible, lines)), err=err)


def say_text(text: str) -> None:
    """Print a text that has lines of its own."""
    typer.echo(visible_lines(text), nl=not text.endswith("\n"))


def say_json(value: object, indent: int | None = 2) -> None:
    """Print a value as JSON."""
    typer.echo(visible_json(json.dumps(value, indent=indent, ensure_ascii=False)))


def write(data: str, fit: Callable[[str], str] = visible_lines) -> None:
    """Write data to standard output: as it is, or made fit where a terminal shows it."""
    sys.stdout.write(fit(data) if sys.stdout.isatty() else data)
    sys.stdout.flush()


def write_json(data: str) -> None:
    """Write data that is JSON."""
    write(data, visible_json)
