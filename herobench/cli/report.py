"""Write the page of a report from runs and files on disk, for `analyze --format html`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from herobench.cli.analyze import no_samples
from herobench.cli.say import say
from herobench.errors import UsageError

if TYPE_CHECKING:
    from herobench.analysis.reading import Panel, Reading
    from herobench.analysis.sources import Source


def write_page(sources: Sequence[Source], output: Path | None) -> None:
    """Write the report on some sources."""
    from herobench.analysis.calls import Calls
    from herobench.analysis.facts import checked
    from herobench.analysis.report import ReportRun, write_report

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
    say(f"{write_report(output, runs)} samples in {output}", err=True)


def _panel(source: Source, reading: Reading) -> Panel:
    return reading.panel(source.folder, source.manifest)
