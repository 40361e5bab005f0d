"""Progress on standard error: a bar on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from herobench.cli.say import say

_Thing = TypeVar("_Thing")
_SECONDS_BETWEEN_LINES = 10.0


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


def _lines(what: str, total: int) -> Callable[[], None]:
    done = 0
    said = time.monotonic()

    def step() -> None:
        nonlocal done, said
        done += 1
        if time.monotonic() - said > _SECONDS_BETWEEN_LINES:
            said = time.monotonic()
            say(f"{what} {done} of {total}" if total else f"{what} {done}", err=True)

    return step


def watched(things: Iterable[_Thing], step: Callable[[], None]) -> Iterator[_Thing]:
    """Yield things, and call `step` when each is used."""
    for thing in things:
        yield thing
        step()
