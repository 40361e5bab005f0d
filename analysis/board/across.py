"""The table of models by suites: a column for each suite and no total, because figures of suites do not add up.

A cell has the figure that the suite ranks by: the horizon where it is determined, else success. A model with several
runs of a suite, such as in several modes, has the figure of each: the best one alone would be chosen by chance.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from herobench.analysis.board.entry import Entry, separates
from herobench.analysis.reading.checked import load_reading
from herobench.analysis.report.chapters import TextTable
from herobench.analysis.statistics.ranking import RankedRun, ranked, split_runs
from herobench.analysis.statistics.words import horizon_cell

_Key = tuple[str, str]
_NONE = "-"


def models_by_suites(entries: Mapping[str, Sequence[Entry]]) -> TextTable:
    """Return the table of the models that were asked; shipped runs of reference programs are not in it."""
    cells: dict[_Key, dict[str, list[str]]] = {}
    heads = []
    for suite, shown in entries.items():
        reading, own = load_reading(suite), {entry.name: entry for entry in shown if not entry.is_shipped}
        heads.append(f"{suite}: {f'horizon in {reading.unit}, or ' if reading.unit else ''}success %")
        tables = {name: entry.table for name, entry in own.items()}
        for part in split_runs(tables, separates(own.values(), reading), reading.usual):
            for row in ranked(part, reading.length):
                entry = own[row.found.name]
                told = cells.setdefault((entry.model or entry.name, entry.agent or _NONE), {})
                told.setdefault(suite, []).append(_figure(row, part.title))
    rows = [
        (*key, *("; ".join(told[suite]) if suite in told else _NONE for suite in entries))
        for key, told in sorted(cells.items())
    ]
    return TextTable("Models by suites", ("model", "agent", *heads), rows)


def _figure(row: RankedRun, title: str) -> str:
    """Return the figure of a run with its interval, and the terms that it was made under if they are not the usual."""
    determined = row.horizon is not None and row.horizon.verdict != "not determined"
    success = row.found.success
    figure = horizon_cell(row.horizon) if determined else success.text(digits=1, unit=" %")
    return f"{figure} [{title}]" if title else figure
