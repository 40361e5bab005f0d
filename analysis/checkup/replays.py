"""Chooses replays that are worth seeing: the longest win, the shortest loss and such, part by part."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from herobench.analysis.checkup.figures import CheckedModel, Part
from herobench.analysis.samples.frame import counted
from herobench.analysis.statistics.findings import numbers

if TYPE_CHECKING:
    import pandas as pd

    from herobench.analysis.reading.contract import Reading

MOST = 10
_AS_IS = "!'()*"
"""The characters that an address of the report has unescaped, beside letters, digits and `_.-~`."""


@dataclass(frozen=True, slots=True)
class Replay:
    """An attempt that is worth seeing."""

    part: str
    run: str
    task: str
    epoch: int
    why: str

    @property
    def address(self) -> str:
        """Its place in the report of its part."""
        return f"#sample/{quote(self.run, safe=_AS_IS)}/{quote(self.task, safe=_AS_IS)}/{self.epoch}"

    def as_row(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {"part": self.part, "run": self.run, "task": self.task, "why": self.why, "address": self.address}


def replays_of(subject: CheckedModel) -> list[Replay]:
    """Return the replays of a checkup, at most ten: the first choice of each part, then the second, and so on."""
    choices = [list(_of_part(part)) for part in subject.parts]
    deepest = max(map(len, choices), default=0)
    ordered = [own[place] for place in range(deepest) for own in choices if place < len(own)]
    found: dict[tuple[str, str, int], Replay] = {}
    for replay in ordered:
        found.setdefault((replay.run, replay.task, replay.epoch), replay)
    return list(found.values())[:MOST]


def _of_part(part: Part) -> Iterator[Replay]:
    for run, table in part.samples.items():
        samples = counted(table)
        told = f" in the lane {run}" if len(part.samples) > 1 else ""
        for won, longest in ((True, True), (False, False)):
            if (chosen := _extreme(samples, part.reading, won=won, longest=longest)) is None:
                continue
            row, words = chosen
            yield Replay(part.name, run, str(row.task_id), int(row.epoch), f"{part.row['title']}: {words}{told}")
        if (nearest := _nearest_loss(samples)) is not None:
            why = f"{part.row['title']}: the loss that came nearest{told}"
            yield Replay(part.name, run, str(nearest.task_id), int(nearest.epoch), why)


def _extreme(samples: pd.DataFrame, reading: Reading, *, won: bool, longest: bool) -> tuple[Any, str] | None:
    """Return the longest win or the shortest loss, in words; by tokens of replies where tasks have no length."""
    own = samples[samples.measured & (samples.win == float(won))]
    known = numbers(own, reading.length or "output_tokens")
    sizes = [(size, place) for place, size in enumerate(known) if size is not None]
    if not sizes:
        return None
    size, place = max(sizes, key=lambda pair: (pair[0], -pair[1])) if longest else min(sizes)
    what = f"the {'longest' if longest else 'shortest'} {'win' if won else 'loss'}"
    return own.iloc[place], f"{what}, {size:,.0f} {reading.unit or 'tokens'}"


def _nearest_loss(samples: pd.DataFrame) -> Any | None:
    """Return the loss with the most progress; None without one that got anywhere."""
    own = samples[samples.measured & (samples.win == 0.0)]
    reached = [(value, -place) for place, value in enumerate(numbers(own, "progress")) if value]
    return own.iloc[-max(reached)[1]] if reached else None
