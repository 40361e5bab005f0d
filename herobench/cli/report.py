"""Write what `analyze` makes of samples one after the other: the page of a report, and slim rows."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from herobench.cli.analyze import no_samples
from herobench.cli.say import say, write_json
from herobench.data.errors import UsageError

if TYPE_CHECKING:
    from herobench.analysis.reading.contract import Panel, Reading
    from herobench.analysis.samples.sources import Source


def write_page(sources: Sequence[Source], output: Path | None) -> None:
    """Write the report on some sources."""
    from herobench.analysis.report import ReportRun, write_report
    from herobench.analysis.report.blocks import folder_of
    from herobench.analysis.samples.calls import Calls
    from herobench.analysis.samples.facts import checked

    if output is None:
        raise UsageError("Say where the page goes: -o report.html.")
    if not any(True for source in sources for _ in source.samples()):
        raise no_samples("analyze", sources[0].suite)
    runs = [
        ReportRun(
            source.name,
            checked(source),
            partial(_panel, source),
            source.asked,
            Calls(source.calls_file) if source.calls_file else None,
        )
        for source in sources
    ]
    count = write_report(output, runs)
    beside = f" and {folder_of(output)}" if folder_of(output).is_dir() else ""
    say(f"{count} samples in {output}{beside}", err=True)


def write_slim(sources: Sequence[Source], output: Path | None) -> None:
    """Write the slim rows of one run, which a leaderboard is made of."""
    from herobench.analysis.board.entry import slim_rows
    from herobench.data.rows import dump_row, write_rows

    if len(sources) != 1:
        raise UsageError("A file of slim rows is of one run: name one.")
    if next(sources[0].samples(), None) is None:
        raise no_samples("analyze", sources[0].suite)
    if output is None:
        for row in slim_rows(sources[0]):
            write_json(dump_row(row))
        return
    with suppress(OSError):  # writing tells what is wrong with the folder
        output.parent.mkdir(parents=True, exist_ok=True)
    say(f"{write_rows(output, slim_rows(sources[0]))} slim rows in {output}", err=True)


def _panel(source: Source, reading: Reading) -> Panel:
    return reading.panel(source.folder, source.manifest)
