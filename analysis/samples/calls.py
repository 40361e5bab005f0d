"""The calls of a run: each question to the model and its reply, read from calls.jsonl when they are wanted.

A run may have more calls than memory, so only their places in the file are kept. The lines of an attempt are read
together, because they refer to each other. A call that failed is asked again under its number when the run is resumed:
the last row counts, as it does in the sums of the sample.

Agents of several calls have roles, such as a decomposer and a critic. What their calls cost is summed up for each role;
the sums over all roles equal the sums over the samples.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, TYPE_CHECKING, Any
from weakref import finalize

from herobench.analysis.samples.samples import ATTEMPT, refuse_wrong
from herobench.analysis.samples.sources import printable
from herobench.conversation import Usage
from herobench.data.call_rows import replies_in, whole
from herobench.data.columns import loosen
from herobench.data.documents import inlined_schema, parse_line
from herobench.data.errors import InputError, Problem
from herobench.data.files import bounded_lines, is_compressed, open_lines, unreadable

if TYPE_CHECKING:
    import pandas as pd


Call = Mapping[str, Any]
"""A line of calls.jsonl. A column that is missing is None, which means not known."""

_TOLD = ("role", "branch", "form", "messages", "reply", "error", "cost", "seconds", "retries")
"""The columns that are read, beside those that name a call."""
_BLANK: Mapping[str, None] = dict.fromkeys(_TOLD)
_MOST = 1_000_000
"""The most calls of an attempt."""


class Calls:
    """The calls in a file, by attempt. A file that is missing has none."""

    def __init__(self, file: Path) -> None:
        """Find the calls. Raise InputError at a line that is not a call; the last one may be incomplete."""
        self._file = file
        self._unpacked: IO[bytes] | None = None
        """The lines of a compressed file, in which nobody can go back."""
        self._places: dict[tuple[str, int], array[int]] = {}
        self.is_plain = True
        """True if no call has a role and no attempt has several calls: then there is only question and answer."""
        for place, row in self._rows():
            self._places.setdefault((printable(row["task_id"]), row["epoch"]), array("Q")).append(place)
            self.is_plain = self.is_plain and row.get("role") is None and row["call"] == 0

    def of(self, task_id: str, epoch: int, count: int | None) -> Iterator[Call]:
        """Yield the calls of an attempt in their order; `count` is their number by the attempt's sample."""
        rows = whole(self._lines(task_id, epoch), str(self._file))
        last = {row["call"]: row for row in rows if count is None or row["call"] < count}
        for number in sorted(last):
            yield {**_BLANK, **last[number]}

    def _lines(self, task_id: str, epoch: int) -> Iterator[Call]:
        places = self._places.get((printable(task_id), epoch))
        if places is None:
            return
        with nullcontext(self._unpacked) if self._unpacked else open_lines(self._file) as file:
            for place in places:
                file.seek(place)
                row, _ = parse_line(file.readline(), str(self._file))
                yield row

    def _rows(self) -> Iterator[tuple[int, Call]]:
        """Yield each row with its place in the file."""
        place = 0
        try:
            with open_lines(self._file) as file:
                if is_compressed(file):
                    self._unpacked = TemporaryFile()  # noqa: SIM115 - `finalize` closes it
                    finalize(self, self._unpacked.close)
                for number, line in enumerate(bounded_lines(file, str(self._file)), 1):
                    if self._unpacked:
                        self._unpacked.write(line)
                    row = _read(line, f"{self._file}:{number}")
                    if row is not None:
                        yield place, row
                    place += len(line)
        except FileNotFoundError:
            return
        except OSError as error:
            raise InputError([unreadable(self._file, error)]) from error


def _read(line: bytes, place: str) -> Call | None:
    """Return the row of a line; None for a blank line and for a last line that is not whole yet."""
    if not line.strip():
        return None
    row, problems = parse_line(line, place)
    if problems and not line.endswith(b"\n"):
        return None
    if not problems and not isinstance(row, dict):
        problems = [Problem(place, "$", "a call of a run", row)]
    if problems:
        raise InputError(problems)
    refuse_wrong(row, _schema(), place)
    return dict(row)


@cache
def _schema() -> str:
    columns = inlined_schema("call")["properties"]
    numbers = {**ATTEMPT, "call": {"type": "integer", "minimum": 0, "exclusiveMaximum": _MOST}}
    told_columns = {name: loosen(columns[name]) for name in _TOLD}
    return json.dumps({"type": "object", "required": list(numbers), "properties": numbers | told_columns})


HEADERS = ("role", "calls", "input tokens", "output tokens", "reasoning tokens", "cost")
NO_ROLE = "none"
"""The name of the calls without a role, beside others."""
_COUNTS = ("input", "output", "reasoning", "cached")


@dataclass(slots=True)
class RoleTotals:
    """The sums over the calls in one role. Only known tokens and costs are added; None if nothing is known."""

    role: str | None
    calls: int = 0
    usage: Usage = field(default_factory=Usage)
    cost: float | None = None

    def add(self, call: Call) -> None:
        """Add a call."""
        self.calls += 1
        self.usage += call_usage(call)
        if call["cost"] is not None:
            self.cost = (self.cost or 0.0) + call["cost"]

    def as_row(self) -> dict[str, Any]:
        """Return the sums as plain data."""
        return {
            "role": self.role,
            "calls": self.calls,
            "input_tokens": self.usage.input,
            "output_tokens": self.usage.output,
            "reasoning_tokens": self.usage.reasoning,
            "cost": self.cost,
        }

    def cells(self) -> tuple[str, ...]:
        """Return the sums under HEADERS as they are printed."""
        tokens = (self.usage.input, self.usage.output, self.usage.reasoning)
        return (
            self.role or NO_ROLE,
            f"{self.calls:,}",
            *("" if count is None else f"{count:,}" for count in tokens),
            "" if self.cost is None else f"{self.cost:.4f}",
        )


def call_usage(call: Call) -> Usage:
    """Return the tokens of a call, with those of replies that came with its failures."""
    total = Usage()
    for reply in replies_in(call):
        usage: Mapping[str, Any] = reply.get("usage") or {}
        total += Usage(**{name: usage.get(name) for name in _COUNTS})
    return total


def totals_by_role(file: Path | None, samples: pd.DataFrame) -> list[RoleTotals]:
    """Return the totals of each role over some samples of a run, by name; none if no call has a role.

    `file` has the calls of the run; None for a file of rows, which has none. It is not read if each attempt was one
    call, because then there is nothing to split.
    """
    counts = [None if count is None or count != count else int(count) for count in samples.calls]
    if file is None or max((count or 0 for count in counts), default=0) <= 1:
        return []
    calls, by_role = Calls(file), dict[str | None, RoleTotals]()
    for task_id, epoch, count in zip(samples.task_id, samples.epoch, counts, strict=True):
        for call in calls.of(task_id, int(epoch), count):
            role = None if call["role"] is None else printable(call["role"])
            by_role.setdefault(role, RoleTotals(role)).add(call)
    return sorted(by_role.values(), key=lambda own: (own.role is None, own.role)) if by_role.keys() - {None} else []
