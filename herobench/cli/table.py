"""The console that everything is drawn on, and tables on it, among them the summary of measured samples by group.

Names that people copy (task ids, runs) and figures stay whole on one line, however narrow the terminal is. Only cells
in the columns that are named as `wrapped` continue on the next line, and only between words. A pipe has no width.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Iterable, Mapping, Sequence
from shutil import get_terminal_size
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from rich.box import SIMPLE
from rich.cells import cell_len
from rich.console import Console
from rich.measure import Measurement
from rich.table import Column, Table
from rich.text import Text

from herobench.cli.say import visible, visible_lines

if TYPE_CHECKING:
    from herobench.analysis.reading.contract import Reading
    from herobench.analysis.statistics.tally import GroupSum, SampleTally, SeparatingValues


class Screen(Console):
    """Shows texts without markup, and without anything that a terminal obeys. It breaks lines between words only, and
    cuts nothing off."""

    def __init__(self, *, width: int | None = None, stderr: bool = False) -> None:
        super().__init__(width=width, stderr=stderr, markup=False, emoji=False, highlight=False)

    def render_str(self, text: str, **options: Any) -> Text:
        """Return the text of a cell, a title or a line as it is drawn: rich takes all of them through here."""
        return super().render_str(visible(text), **options)

    def print(self, *objects: Any, indent: int = 0, **options: Any) -> None:
        """Print things, each on a line of its own. A longer text continues on the next line, indented this far; a word
        is never broken. With `soft_wrap` a text stays on one line."""
        for thing in objects or ("",):
            whole = options.get("soft_wrap") or not isinstance(thing, str)
            for line in [thing] if whole else self._wrap(thing, indent) or [""]:
                super().print(line, **{"overflow": "ignore", "crop": False, **options})

    def _wrap(self, text: str, indent: int) -> list[str]:
        """Break a text between words; rich would break words as well."""
        fit = visible(text)
        return wrap(fit, self.width, subsequent_indent=" " * indent, break_long_words=False, break_on_hyphens=False)


_ENDLESS = 1_000_000
"""Columns enough for any line."""
_WIDEST_GROUP = 20


def plain_console() -> Screen:
    """Return a console on standard output for plain text, as wide as the terminal, or COLUMNS; a pipe has no width."""
    has_width = sys.stdout.isatty() or os.environ.get("COLUMNS", "").isdigit()
    return Screen(width=get_terminal_size().columns if has_width else _ENDLESS)


def print_table(
    console: Screen,
    names: Sequence[str],
    figures: Sequence[str],
    rows: Iterable[Sequence[str]],
    wrapped: Collection[str] = (),
) -> None:
    """Print a table with columns of names, then of figures, which stand on the right. A header may have several lines.

    Cells stay whole but for those under the headers in `wrapped`, which break between words where the line is too long.
    """
    table = Table(box=SIMPLE, pad_edge=False, collapse_padding=True)
    for name in names:
        table.add_column(Text(visible_lines(name)), no_wrap=name not in wrapped)
    for figure in figures:
        table.add_column(Text(visible_lines(figure)), justify="right", no_wrap=True)
    for row in rows:
        table.add_row(*row)
    _print_fitted(console, table)


def print_facts(console: Screen, facts: Mapping[str, str], whole: Collection[str] = ()) -> None:
    """Print facts beside what they are called, without the empty ones. Facts in `whole` are not broken at spaces."""
    present = {name: fact for name, fact in facts.items() if fact}
    indent = max(map(len, present), default=0) + 2
    for name, fact in present.items():
        console.print(f"{name:{indent}}{fact}", indent=indent, soft_wrap=name in whole)


def _print_fitted(console: Screen, table: Table) -> None:
    """Print a table, with the columns that wrap made as narrow as the console asks for, but no word broken."""
    endless = console.options.update(max_width=_ENDLESS)
    excess = Measurement.get(console, endless, table).maximum - console.width
    for column in table.columns:
        if not column.no_wrap:
            least, most = _widths(column)
            column.width = max(least, most - max(0, excess))
            excess -= most - column.width
    table.width = Measurement.get(console, endless, table).maximum
    console.print(table)


def _widths(column: Column) -> tuple[int, int]:
    """Return the widths of a column: the least is the width of its longest word, the best of its longest line."""
    texts = [str(column.header), *(visible(str(cell)) for cell in column.cells)]
    words = (word for text in texts for word in text.split())
    lines = (line for text in texts for line in text.splitlines())
    most_allowed = column.max_width or _ENDLESS
    least = min(most_allowed, max(map(cell_len, words), default=0))
    return least, min(most_allowed, max(map(cell_len, lines), default=0))


def print_tally(tally: SampleTally, subject: str, rules: str | None, terms: SeparatingValues, reading: Reading) -> None:
    """Print what was scored, under which edition of the rules, if the suite has editions, and on which terms.

    Then come a row for each group, a row for all samples, the failures, and the first causes if the suite finds them.
    """
    groups = reading.group_names([name for name, _ in tally.groups()])
    table = Table(box=SIMPLE)
    table.add_column(groups.title, overflow="fold", max_width=_WIDEST_GROUP)
    figures = ["answers", "wins", "success", "score", *(["progress"] if tally.overall.with_progress else [])]
    for column in figures:
        table.add_column(column, justify="right", no_wrap=True)
    for name, group_figures in tally.groups():
        table.add_row(groups.short(name), *_cells(group_figures)[: len(figures)])
    table.add_section()
    table.add_row("all", *_cells(tally.overall)[: len(figures)])
    console = plain_console()
    titles = (f"{subject} under {rules} rules" if rules else subject, terms.words)
    # Between words alone: names of models and files stay whole.
    console.print(", ".join(filter(None, titles)), style="italic", overflow="ignore")
    _print_fitted(console, table)
    for what, counts in (("failures", tally.overall.failures), ("first causes", tally.overall.causes)):
        if counts:
            console.print(f"{what}: " + ", ".join(f"{name} {count}" for name, count in counts.most_common()))


def _cells(group: GroupSum) -> tuple[str, ...]:
    if not group.count:
        return ("0", "0", "", "", "")
    return (
        str(group.count),
        str(group.wins),
        f"{100 * group.wins / group.count:.1f} %",
        f"{group.score / group.count:.1f}",
        f"{group.progress / group.with_progress:.1f}" if group.with_progress else "",
    )


def share(attempts: int, of: int) -> str:
    """Return a share of attempts in words; an empty text for none."""
    return f"{attempts} of {of} attempts ({100 * attempts / of:.1f} %)" if attempts else ""
