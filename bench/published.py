"""The published answers to the tasks of the paper's first set, as files of answers."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from tests.builders import SHARED, shared_rows


@cache
def published() -> Sequence[Mapping[str, Any]]:
    """Return the published answers to the tasks of the first set."""
    runs = json.loads((SHARED / "reference" / "herobench" / "runs.json").read_text("utf-8"))["runs"].values()
    return [row for run in runs if run["tasks"] == "tasks.json" for row in shared_rows(run)]


def write_answers(path: Path, count: int) -> Path:
    """Write so many answers: the published ones, again and again, each time as another epoch."""
    epochs: Counter[str] = Counter()
    rows = published()
    with path.open("w", encoding="utf-8") as file:
        for number in range(count):
            row = rows[number % len(rows)]
            file.write(json.dumps({"task_id": row["task"], "epoch": epochs[row["task"]], "code": row["code"]}) + "\n")
            epochs[row["task"]] += 1
    return path
