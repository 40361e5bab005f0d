"""Published answers of models, for runners of other tools: tasks, what a model said, and what `herobench score` says.

They are there only where the published benchmark lies beside the project.
"""

from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.builders import shared_rows
from tests.conformance.published import REFERENCE, RUNS
from tests.program import herobench, read_jsonl, write_jsonl

NAMES = ("deepseek-v3", "grok-4", "o3_high")
"""Runs with 540 answers together."""
every_run = pytest.mark.parametrize("name", NAMES)
where_published = pytest.mark.skipif(not RUNS, reason="the published benchmark does not lie beside the project")


@dataclass(frozen=True)
class Published:
    """A published run."""

    tasks: Path
    rules: str
    answers: dict[str, str]
    scored: dict[str, tuple[float, str | None]]
    """The score in percent and the class of failure, by task."""


def published(name: str, folder: Path) -> Published:
    """Write the tasks of a run into a folder, and score its answers by the command."""
    run = RUNS[name]
    tasks, scored = folder / "tasks.jsonl", folder / "scored.jsonl"
    assert herobench("import", REFERENCE / run["tasks"], "-o", tasks).returncode == 0
    answers = {row["task"]: f"```python\n{row['code'] or ''}\n```" for row in shared_rows(run)}
    lines = [{"task_id": task_id, "answer": answer} for task_id, answer in answers.items()]
    file = write_jsonl(folder / "answers.jsonl", lines)
    herobench("score", tasks, file, "--rules", run["edition"], "-o", scored)
    rows = {row["task_id"]: (row["score"], row["failure"]) for row in read_jsonl(scored)}
    assert rows.keys() == answers.keys()
    return Published(tasks, run["edition"], answers, rows)
