"""Everything that commands print goes through here, or through the `Screen` that tables are drawn on.

Text for people and JSON never contain a control character that a terminal would obey, wherever the text comes from.
Data for a file, such as CSV, is written unchanged, unless it goes to a terminal. The progress of rows goes to standard
error: a bar on a terminal, a line now and then elsewhere.
"""

from __future__ import annotations

import io
import json
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import typer

from herobench.data.errors import UsageError, short_line

_Thing = TypeVar("_Thing")
_SECONDS_BETWEEN_LINES = 10.0
_LINE_ENDS = "\t\n"
_UNFIT = (
    r"\x00-\x08\x0b-\x1f\x7f-\x9f\xad"  # control characters; the soft hyphen
    r"\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    r"\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ud800-\udfff\ufeff\uffa0\ufff0-\ufffb"
    r"\U000110bd\U000110cd\U00013430-\U0001345f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
"""Characters of the categories Cc, Cf, Cs, Zl and Zp, and letters and marks that are drawn as nothing. Variation
selectors of emoji (U+FE0F) are not among them."""
_IN_LINES = re.compile(f"[{_UNFIT}]")
_IN_A_LINE = re.compile(f"[{_UNFIT}{_LINE_ENDS}]")


def visible(text: str) -> str:
    """Return a text fit for one line. Of a very long one the middle is left out."""
    return _IN_A_LINE.sub(_as_python, short_line(text))


def visible_lines(text: str) -> str:
    """Return a fit text that keeps its lines and tabs."""
    return _IN_LINES.sub(_as_python, text)


def visible_json(text: str) -> str:
    """Return a fit JSON text that says the same."""
    return _IN_LINES.sub(_as_json, text)


def _as_python(match: re.Match[str]) -> str:
    return match[0].encode("unicode_escape").decode("ascii")


def _as_json(match: re.Match[str]) -> str:
    return json.dumps(match[0])[1:-1]


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


def write_output(text: str, output: Path | None, put: Callable[[str], None] = write) -> None:
    """Write a text to a file, or print it if none is named. Half a surrogate pair is escaped: no UTF-8 has it."""
    if output is None:
        put(text)
        return
    try:
        output.write_text(text, "utf-8", errors="backslashreplace")
    except OSError as error:
        raise UsageError(f"{output} cannot be written: {error.strerror}.") from error


def write_document(document: object, output: Path | None) -> None:
    """Write a document as JSON to a file, or print it if none is named."""
    write_output(f"{json.dumps(document, indent=2, ensure_ascii=False)}\n", output, write_json)


# -- progress of rows -------------------------------------------------------------------------------------------------


@contextmanager
def progress(what: str, total: int) -> Iterator[Callable[[], None]]:
    """Yield a function to call for each thing done."""
    if sys.stderr.isatty():
        with _bar(what, total) as step:
            yield step
    else:
        yield _lines(what, total)


@contextmanager
def _bar(what: str, total: int) -> Iterator[Callable[[], None]]:
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from herobench.cli.table import Screen

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Screen(stderr=True), transient=True) as bars:
        # without a total, as for standard input, rich draws a bar that only moves
        task = bars.add_task(what, total=total or None)
        yield lambda: bars.advance(task)


def is_line_due(last_time: float) -> bool:
    """Return whether progress has to be told again, by the time of its last line."""
    return time.monotonic() - last_time > _SECONDS_BETWEEN_LINES


def _lines(what: str, total: int) -> Callable[[], None]:
    done = 0
    last_time = time.monotonic()

    def step() -> None:
        nonlocal done, last_time
        done += 1
        if is_line_due(last_time):
            last_time = time.monotonic()
            say(f"{what} {done} of {total}" if total else f"{what} {done}", err=True)

    return step


def watch_each(things: Iterable[_Thing], step: Callable[[], None]) -> Iterator[_Thing]:
    """Yield things, and call `step` when each is used."""
    for thing in things:
        yield thing
        step()
