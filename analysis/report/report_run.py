"""A run as the report gets it: its name, its samples, and the suite's panel for it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from herobench.analysis.asked import Asked
from herobench.analysis.calls import Calls
from herobench.analysis.reading import Panel, Reading
from herobench.analysis.samples import Sample


@dataclass(frozen=True, slots=True)
class ReportRun:
    """One run. Its name must differ from the others in the report: links to its samples contain it."""

    name: str
    samples: Iterable[Sample]
    """Read once, and never held all at the same time."""
    panel_by: Callable[[Reading], Panel] = lambda reading: reading.panel(None, None)
    """Makes the panel when the first sample has told the suite, and with it the reading."""
    asked: Asked | None = None
    """The tasks that it asked; None for a file."""
    calls: Calls | None = None
    """The calls of its attempts; None for a file."""
