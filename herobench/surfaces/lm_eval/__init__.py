"""lm-eval runs the suites that are played in one turn, by a YAML file for each."""

from __future__ import annotations

import json
from pathlib import Path

from herobench.data.files import write_text
from herobench.scorer import Scorer, TaskQuery
from herobench.scorer.scorer import refuse_unknown

_TEMPLATE = Path(__file__).with_name("task.yaml.txt")


def task_text(query: TaskQuery) -> str:
    """Return the file of a task. Raise UsageError for a suite that is played in many turns only."""
    query.one_turn()
    template = _TEMPLATE.read_text("utf-8")
    return template.format(suite=query.suite, knobs=json.dumps(query.as_knobs()))


def write_folder(folder: Path, query: TaskQuery) -> Path:
    """Write the file of a task into a folder, and return its path. Raise UsageError for knobs that do not fit."""
    text = task_text(query)
    if query.seed is None:
        Scorer(query.one_turn().but(jobs=1)).close()
    else:  # the tasks are made only when the file is used
        refuse_unknown(query)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"herobench_{query.suite}.yaml"
    write_text(path, text)
    return path
