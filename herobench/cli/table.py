"""The summary of scored answers on the terminal: a table of figures, and under it what the lost ones failed at.

Sixty columns are enough for it; a long name of a bracket is folded, never a figure.
"""

from __future__ import annotations

from herobench.analysis.summary import Group, Tally


def print_tally(tally: Tally, title: str) -> None:
    """Print how the answers did: a row a bracket, one over all, and the failures."""
    from rich.box import SIMPLE
    from rich.console import Console
    from rich.table import Table

    table = Table(title=title, title_justify="left", box=SIMPLE)
    table.add_column("bracket", overflow="fold")
    for column in ("answers", "wins", "success", "score", "progress"):
        table.add_column(column, justify="right", no_wrap=True)
    for name, group in tally.brackets():
        table.add_row(name, *_cells(group))
    table.add_section()
    table.add_row("all", *_cells(tally.overall))
    console = Console(markup=False, emoji=False, highlight=False)
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
