"""Tables on the terminal; one of them is the summary of scored answers, with what the lost ones failed at.

Sixty columns are enough for them; a long name is folded, never a figure.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from herobench.analysis.summary import Group, Tally
from herobench.cli.visible import visible_lines

if TYPE_CHECKING:
    from rich.console import Console


def plain_console() -> Console:
    """Standard output for text that means nothing but itself."""
    from herobench.cli.screen import Screen

    return Screen()


def print_table(console: Console, names: Sequence[str], figures: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """A table of columns, named by their headers: first names, which may be folded, then figures, which are not.

    A header may have several lines.
    """
    from rich.box import SIMPLE
    from rich.table import Table
    from rich.text import Text

    table = Table(box=SIMPLE, pad_edge=False, collapse_padding=True)
    for name in names:
        table.add_column(Text(visible_lines(name)), overflow="fold")
    for figure in figures:
        table.add_column(Text(visible_lines(figure)), justify="right", no_wrap=True)
    for row in rows:
        table.add_row(*row)
    console.print(table)


def print_facts(console: Console, facts: Mapping[str, str]) -> None:
    """Facts beside what they are; empty ones are left out."""
    from rich.table import Table

    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    for name, fact in facts.items():
        if fact:
            grid.add_row(name, fact)
    console.print(grid)


def print_tally(tally: Tally, title: str) -> None:
    """Print how the answers did: a row a bracket, one over all, and the failures."""
    from rich.box import SIMPLE
    from rich.table import Table

    table = Table(title=title, title_justify="left", box=SIMPLE)
    table.add_column("bracket", overflow="fold")
    for column in ("answers", "wins", "success", "score", "progress"):
        table.add_column(column, justify="right", no_wrap=True)
    for name, group in tally.brackets():
        table.add_row(name, *_cells(group))
    table.add_section()
    table.add_row("all", *_cells(tally.overall))
    console = plain_console()
    console.print(table)
    if tally.overall.failures:
        counts = (f"{name} {count}" for name, count in tally.overall.failures.most_common())
        console.print("failures: " + ", ".join(counts))


def _cells(group: Group) -> tuple[str, ...]:
    if not group.count:
        return ("0", "0", "", "", "")
    return (
        str(group.count),
        str(group.wins),
        f"{100 * group.wins / group.count:.1f} %",
        f"{group.score / group.count:.1f}",
        f"{group.progress / group.count:.1f}",
    )
