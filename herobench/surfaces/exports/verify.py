"""The verifier of a task of harbor: `python -m herobench.surfaces.exports.verify FOLDER ANSWER LOGS`.

FOLDER holds the settings of the task (`knobs.json`), and the task itself (`tasks.jsonl`) unless it is in a shipped set.
ANSWER is the file of the agent. The rewards go to reward.json in LOGS, as numbers; the whole result, with the failure
class, goes to result.json beside it.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from herobench.scorer import Scorer, TaskQuery

_MOST_BYTES = 2_000_000


def verify(folder: Path, answer: Path, logs: Path) -> None:
    """Score an answer and write the result. A missing answer counts as an empty one."""
    knobs = json.loads((folder / "knobs.json").read_text("utf-8"))
    task_id = knobs.pop("task_id")
    tasks = None if "dataset" in knobs else folder / "tasks.jsonl"
    with Scorer(TaskQuery(**knobs, tasks=tasks, jobs=1)) as scorer:
        result = scorer.score(task_id, _text(answer))
    logs.mkdir(parents=True, exist_ok=True)
    (logs / "result.json").write_text(json.dumps(result.as_row()), "utf-8")
    (logs / "reward.json").write_text(json.dumps({"reward": result.reward, **result.figures()}), "utf-8")


def _text(answer: Path) -> str:
    if not answer.is_file():
        return ""
    with answer.open("rb") as file:
        return file.read(_MOST_BYTES).decode("utf-8", "replace")


if __name__ == "__main__":
    verify(*map(Path, sys.argv[1:]))
