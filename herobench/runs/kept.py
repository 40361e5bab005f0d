"""The calls that earlier sessions of a run kept. A session reads them once, when it resumes the run."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from herobench.call_rows import characters_of_line
from herobench.runs.folder import Key
from herobench.runs.journal import read_journal
from herobench.runs.row_check import refuse_wrong_call


@dataclass(slots=True)
class Kept:
    """Replies of attempts that have no sample yet, and the cost of all calls."""

    replies: dict[Key, dict[int, dict[str, Any]]] = field(default_factory=dict)
    """By attempt, then by the number of the call in it."""
    spent: float = 0.0
    uncounted: list[int] = field(default_factory=list)
    """For each call of unknown cost, how many characters it sent."""
    served: set[str] = field(default_factory=set)
    """Models as the server named them."""


def read_kept(calls: Path, done: Collection[Key]) -> Kept:
    """Read calls.jsonl. Of a call that was repeated, the last row counts. Raise InputError at a wrong row."""
    kept = Kept()
    for row in read_journal(calls, refuse_wrong_call):
        # of every call, also of attempts that are done: the limit is for the whole run
        kept.spent += row["cost"] or 0.0
        key = (row["task_id"], row["epoch"])
        # a failed call is asked again, under the same number
        if row["reply"] is None:
            continue
        if row["cost"] is None:
            kept.uncounted.append(characters_of_line(row))
        if row["reply"]["model"]:
            kept.served.add(row["reply"]["model"])
        if key not in done:
            kept.replies.setdefault(key, {})[row["call"]] = row
    return kept
