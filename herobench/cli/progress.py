"""Progress on standard error: a bar on a terminal, a line now and then elsewhere, or JSON lines for programs.

Commands show the progress of rows by `progress`, and `herobench run` that of a run by a view. The JSON of a run is the
result that was asked for, and goes to standard output.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from herobench.cli.say import say, say_json

if TYPE_CHECKING:
    from rich.live import Live

    from herobench.runs.standing import News, Standing

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

    from herobench.cli.screen import Screen

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Screen(stderr=True), transient=True) as bars:
        # without a total, as for standard input, rich draws a bar that only moves
        task = bars.add_task(what, total=total or None)
        yield lambda: bars.advance(task)


def _lines(what: str, total: int) -> Callable[[], None]:
    done = 0
    last_time = time.monotonic()

    def step() -> None:
        nonlocal done, last_time
        done += 1
        if time.monotonic() - last_time > _SECONDS_BETWEEN_LINES:
            last_time = time.monotonic()
            say(f"{what} {done} of {total}" if total else f"{what} {done}", err=True)

    return step


def watch_each(things: Iterable[_Thing], step: Callable[[], None]) -> Iterator[_Thing]:
    """Yield things, and call `step` when each is used."""
    for thing in things:
        yield thing
        step()


_MOST_TOLD = 10
"""The number of unmeasured attempts that are named one by one."""
_HOUR, _MINUTE = 3600, 60


class View:
    """Shows a run to its user, or several one after the other. This one shows nothing."""

    def begin(self, run: str, number: int, of: int) -> None:
        """Begin to show one of several runs."""

    def watch(self, standing: Standing) -> None:
        """Begin to show a run."""

    def tell(self, news: News) -> None:
        """Show something that happened."""

    def close(self) -> None:
        """Show no more."""


def view(*, as_json: bool) -> View:
    """Return the view that suits where the output goes."""
    if as_json:
        return Events()
    return Bars() if sys.stderr.isatty() else Lines()


class Events(View):
    """Prints news as JSON lines on standard output. They have the figures of the standing."""

    def begin(self, run: str, number: int, of: int) -> None:
        """Print which run comes now."""
        say_json({"event": "part", "part": run, "number": number, "of": of}, indent=None)

    def tell(self, news: News) -> None:
        """Print a line."""
        say_json(news, indent=None)


class Lines(View):
    """Prints a line now and then."""

    def __init__(self) -> None:
        self._standing: Standing | None = None
        self._said = time.monotonic()
        self._told = 0
        self._title = ""

    def begin(self, run: str, number: int, of: int) -> None:
        """Print which run comes now, and name it in front of its standing."""
        self._title = f"{number} of {of}, {run}: "
        say(f"{number} of {of}: {run}", err=True)

    def watch(self, standing: Standing) -> None:
        """Begin."""
        self._standing = standing

    def tell(self, news: News) -> None:
        """Print a line if something is wrong, or if the last one was a while ago."""
        for notice in self._notices(news):
            say(notice, err=True)
        now = time.monotonic()
        if self._standing is not None and now - self._said > _SECONDS_BETWEEN_LINES:
            self._said = now
            say(self._title + summary(self._standing), err=True)

    def _notices(self, news: News) -> Iterator[str]:
        """Yield the news that deserve a line of their own."""
        if news["event"] == "stopping":
            yield f"{news['message']}; once more to leave at once"
        if news["event"] == "note":
            yield news["message"]
        if news["event"] != "sample" or news["status"] == "ok":
            return
        self._told += 1
        if self._told <= _MOST_TOLD:
            yield f"unmeasured: {news['task_id']}, epoch {news['epoch']}: {news['error']['message']}"
        if self._told == _MOST_TOLD:
            yield "more that are not measured are only counted"


class Bars(Lines):
    """Draws a bar with the figures below it, four times a second."""

    def __init__(self) -> None:
        super().__init__()
        self._live: Live | None = None

    def watch(self, standing: Standing) -> None:
        """Begin to draw."""
        from rich.live import Live
        from rich.progress_bar import ProgressBar
        from rich.table import Table

        from herobench.cli.screen import Screen

        self.close()

        def draw() -> Table:
            grid = Table.grid(expand=True)
            grid.add_row(ProgressBar(standing.total, standing.done + standing.unmeasured))
            grid.add_row(self._title + summary(standing))
            return grid

        self._live = Live(get_renderable=draw, console=Screen(stderr=True), transient=True, refresh_per_second=4)
        self._live.start()

    def tell(self, news: News) -> None:
        """Print above the bar what deserves a line."""
        if self._live is None:
            return
        for notice in self._notices(news):
            self._live.console.print(notice, soft_wrap=True)
        if news["event"] == "leaving":
            self.close()

    def close(self) -> None:
        """Give the terminal back."""
        if self._live is not None:
            self._live.stop()
            self._live = None


def summary(standing: Standing) -> str:
    """Return the standing of a run on one line."""
    return f"{standing.done} of {standing.total} measured, {figures(standing)}"


def figures(standing: Standing) -> str:
    """Return the figures of a run that are not 0, without how much is done.

    The success has no interval, because the tasks so far are no random part of all tasks.
    """
    parts = [
        f"{standing.in_flight} in flight" if standing.in_flight else "",
        f"{standing.grading} being scored" if standing.grading else "",
        f"{100 * standing.wins / standing.done:.1f} % won" if standing.done else "",
        f"{standing.unmeasured} unmeasured" if standing.unmeasured else "",
        f"{standing.retries} retries" if standing.retries else "",
        f"{standing.usage.output:,} tokens" if standing.usage.output else "",
        f"cost {standing.cost:.2f}" if standing.cost is not None else "",
        rate_text(standing.rate) if standing.rate else "",
        f"{duration(standing.left)} left" if standing.left else "",
    ]
    return ", ".join(part for part in parts if part)


def rate_text(rate: float) -> str:
    """Return a number a second in the unit in which it is 1 or more, or an hour: 2.5 a second, 12 a minute."""
    if rate >= 1:
        return f"{rate:.1f} a second"
    if rate * _MINUTE >= 1:
        return f"{rate * _MINUTE:.1f} a minute"
    return f"{rate * _HOUR:.1f} an hour"


def duration(seconds: float) -> str:
    """Return a time that people can read: 45 s, 12 min, 3 h 20 min."""
    if seconds < _MINUTE:
        return f"{seconds:.0f} s"
    if seconds < _HOUR:
        return f"{seconds / _MINUTE:.0f} min"
    return f"{seconds // _HOUR:.0f} h {seconds % _HOUR // _MINUTE:.0f} min"
