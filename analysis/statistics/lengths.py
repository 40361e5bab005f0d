"""Gathers lengths and outcomes for a horizon while the samples come in.

`run` shows the horizon at its end with it, and does without the tidy table. `horizon` and numpy are only imported when
there are tasks enough for a verdict.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from herobench.analysis.reading.contract import Reading
from herobench.analysis.samples.samples import Sample, is_measured

if TYPE_CHECKING:
    from herobench.analysis.statistics.horizon import Horizon

LEAST_TASKS = 40
"""With fewer tasks there is no verdict: the interval holds the horizon in less than 93 % of cases."""


class Lengths:
    """The length and outcome of each sample, added up one at a time. Callers leave out those that do not count."""

    def __init__(self) -> None:
        self.unit: str | None = None
        """The suite's word for a length; None if its tasks have none."""
        self._tasks: list[str] = []
        self._lengths: list[float | None] = []
        self._wins: list[float | None] = []
        self._measured: set[str] = set()

    def add(self, sample: Sample, reading: Reading) -> None:
        """Add one sample. One of a suite whose tasks have no length adds nothing."""
        if reading.length is None:
            return
        self.unit = reading.unit
        # The length belongs to the task. Without the events, no reading spends time on what the plan did.
        length = reading.facts({**sample, "events": None}).get(reading.length)
        measured = is_measured(sample)
        self._tasks.append(sample["task_id"])
        self._lengths.append(length)
        self._wins.append(float(sample["won"]) if measured else None)
        if measured and length:
            self._measured.add(sample["task_id"])

    def horizon(self) -> Horizon | None:
        """Return the horizon of the samples; None if too few measured tasks have a length."""
        if len(self._measured) < LEAST_TASKS:
            return None
        from herobench.analysis.statistics.horizon import horizon_of

        return horizon_of(self._tasks, self._lengths, self._wins)


def length_text(value: float | None) -> str:
    """Return a length as it is shown: in whole units, below ten with a digit more; empty if it is not known."""
    return "" if value is None else f"{value:,.0f}" if value >= 10 else f"{value:.1f}".removesuffix(".0")
