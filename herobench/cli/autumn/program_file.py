"""Reads the program that a command is given."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from herobench.cli.visible import visible

if TYPE_CHECKING:
    from herobench.suites.autumn import Program


def read_program(file: str) -> Program:
    """Return the program in a file; `-` is standard input. Raises InputError or UsageError."""
    from herobench.errors import InputError, Problem
    from herobench.input_file import read_bytes, unreadable
    from herobench.suites.autumn import Program

    try:
        text = read_bytes(file).decode("utf-8-sig")
    except OSError as error:
        raise InputError([unreadable(file, error, piped=True)]) from None
    except UnicodeDecodeError as error:
        raise InputError([Problem(file, f"byte {error.start}", "text in UTF-8")]) from None
    with explained(file):
        return Program.from_text(text)


@contextmanager
def explained(file: str) -> Iterator[None]:
    """Let an error of a program name the file."""
    from herobench.errors import UsageError
    from herobench.suites.autumn import AutumnError

    try:
        yield
    except AutumnError as error:
        raise UsageError(f"{visible(file)}: {error}") from None
