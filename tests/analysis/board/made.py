"""Runs on disk in the tiny world, for leaderboards: fast, because nothing is asked and nothing runs in a sandbox."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.analysis.report.made import LAZY, sample, task, world
from tests.builders import Json
from tests.made_runs import write_run
from tests.plays import WINNING

TASKS = 40


def run(folder: Path, model: str, wins: int, fresh: int | None = None, **changes: Any) -> Path:
    """The folder of a run that won its first tasks, each a decision longer than the one before it."""
    tasks = [task(number) for number in range(TASKS)]
    rows = [{**_row(number, number < wins), "model": model, **changes} for number in range(TASKS)]
    if fresh is not None:
        for row in rows:
            row["details"]["twin_of"], row["task_id"] = row["task_id"], f"{row['task_id']} twin"
    write_run(folder, rows, tasks, world())
    manifest = json.loads((folder / "run.json").read_text("utf-8"))
    manifest["config"].update(fresh=fresh, agent="one-shot")
    (folder / "run.json").write_text(json.dumps(manifest), "utf-8")
    return folder


def _row(number: int, won: bool) -> Json:
    return sample(task(number), WINNING if won else LAZY, decisions=2 + number)
