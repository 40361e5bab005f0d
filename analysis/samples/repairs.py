"""The repairs of a run's lost plans, which `herobench repair` writes beside its samples, read with them.

They are for readers of results: nothing that asks a model reads them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from herobench.analysis.samples.samples import ATTEMPT, Sample, refuse_wrong
from herobench.data.columns import COUNT, TEXT, Column, optional, record
from herobench.data.documents import parse_line
from herobench.data.errors import InputError
from herobench.data.files import bounded_lines, open_regular, unreadable

FILE = "repairs.jsonl"
"""The name of the file in a run's folder."""
_STEP = record(
    (
        Column("action", TEXT, "The name of the action."),
        Column("args", {"type": "array"}, "Its arguments."),
    )
)
_EDIT = record(
    (
        Column("edit", {"enum": ["put in", "leave out", "change"]}, "What is done."),
        Column("kind", TEXT, "What it mends, such as a wrong count."),
        Column("at", COUNT, "The number of calls of the plan before it."),
        Column("line", optional({"type": "integer"}), "The line of the plan; null behind its end."),
        Column("old", optional({**_STEP, "additionalProperties": True}), "The step that is there now."),
        Column("new", optional({**_STEP, "additionalProperties": True}), "The step that takes its place."),
    )
)
REPAIR = (
    Column("task_id", ATTEMPT["task_id"], "The task."),
    Column("epoch", ATTEMPT["epoch"], "The number of the attempt at it, from 0."),
    Column("calls", optional(COUNT), "The calls of the plan; null if the answer has no plan."),
    Column(
        "lost",
        optional(record((Column("after", COUNT, ""), Column("by", optional(COUNT), "")))),
        "The goal was in reach after so many calls, and out of reach after so many (null if nobody knows). "
        "Null if it was in reach to the end.",
    ),
    Column(
        "fewest",
        optional(record((Column("least", COUNT, ""), Column("most", optional(COUNT), "")))),
        "The fewest edits that win: proven that no fewer do, and known that so many do. Equal if it is exact.",
    ),
    Column("edits", optional({"type": "array", "items": _EDIT}), "Edits that win; null if none are known."),
    Column("kinds", {"type": "object", "additionalProperties": COUNT}, "The number of edits of each kind."),
)
"""The columns of a repair."""
_SCHEMA = json.dumps(record(REPAIR))


def with_repair(sample: Sample, file: Path) -> Sample:
    """Return a sample of a run with its repair under `repair`; unchanged if the file has none."""
    if sample["won"] is not False:
        return sample
    found = repairs_in(file).get((sample["task_id"], sample["epoch"]))
    return {**sample, "repair": found} if found else sample


def repairs_in(file: Path) -> Mapping[tuple[str, int], Mapping[str, Any]]:
    """Return the repairs of a run by attempt. Raise InputError at a wrong row, or if the file cannot be read."""
    try:
        return _read(file, file.stat().st_mtime_ns)
    except OSError as error:
        raise InputError([unreadable(file, error)]) from error


@lru_cache(maxsize=8)
def _read(path: Path, changed: int) -> Mapping[tuple[str, int], Mapping[str, Any]]:
    """Read the file once, and again when it has changed."""
    found: dict[tuple[str, int], Mapping[str, Any]] = {}
    with open_regular(path) as file:
        for number, line in enumerate(bounded_lines(file, str(path)), 1):
            row, problems = parse_line(line, f"{path}:{number}")
            if problems:
                raise InputError(problems)
            refuse_wrong(row, _SCHEMA, f"{path}:{number}")
            found[row["task_id"], row["epoch"]] = row
    return found
