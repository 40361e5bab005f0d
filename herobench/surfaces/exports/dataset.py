"""A folder that `datasets.load_dataset` reads, and that can be uploaded to Hugging Face as it is.

    README.md                     the card, with one configuration for each file
    eval.yaml                     names the tasks for the leaderboard of the dataset's page
    data/CONFIGURATION.jsonl      the tasks

All rows of all suites have the same columns. What differs from suite to suite is JSON in a text, since the library
wants one type for each column. Another export into the same folder adds a configuration.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from herobench.data.errors import UsageError
from herobench.data.rows import write_rows
from herobench.models.messages import chat_messages, chat_tool
from herobench.scorer import Scorer
from herobench.surfaces.exports import write_filled
from herobench.surfaces.sessions import as_text

CANARY = "HeroBench data must not be in training corpora. herobench canary 5f0e6f0c-8a0b-4c5e-9d55-0f2a7c0b6e31"
"""Stands in each row, so that a corpus can be searched for it."""

SCHEMA_VERSION = 1


def write_dataset(folder: Path, scorer: Scorer) -> Path:
    """Write the tasks of a scorer as a configuration of a folder, and return the path of its file."""
    data = folder / "data"
    data.mkdir(parents=True, exist_ok=True)
    name = re.sub(r"[^\w.-]", "-", f"{scorer.suite}-{scorer.dataset}")
    path = data / f"{name}.jsonl"
    write_rows(path, _rows(scorer))
    names = sorted(file.stem for file in data.glob("*.jsonl"))
    tasks = "\n".join(f"  - id: {name}\n    config: {name}\n    split: test" for name in names)
    words = {"configs": _configs(names), "version": version("herobench"), "canary": CANARY, "tasks": tasks}
    write_filled(folder, "hf", words)
    return path


def _rows(scorer: Scorer) -> Iterator[Mapping[str, Any]]:
    identity = json.dumps(dict(scorer.identity))
    knobs = json.dumps(scorer.wanted.as_knobs())
    for task_id, task in scorer.tasks.items():
        play = scorer.play(task_id)
        yield {
            "id": task_id,
            "suite": scorer.suite,
            "dataset": scorer.dataset,
            "group": task.group or "",
            "prompt": as_text(play.conversation),
            "messages": json.dumps(chat_messages(play.conversation)),
            "tools": json.dumps([chat_tool(tool) for tool in play.tools]),
            "task": json.dumps(dict(task.row)),
            "oracle": _solution(scorer, task_id),
            "identity": identity,
            "knobs": knobs,
            "canary": CANARY,
            "schema_version": SCHEMA_VERSION,
        }


def _solution(scorer: Scorer, task_id: str) -> str:
    """Return the replies of the oracle as JSON; an empty list where the suite has none."""
    try:
        replies = scorer.solution(task_id)
    except UsageError:
        replies = ()
    return json.dumps(chat_messages(reply.as_message() for reply in replies))


def _configs(names: Sequence[str]) -> str:
    lines = []
    for name in names:
        lines += [f"- config_name: {name}", "  data_files:", "  - split: test", f"    path: data/{name}.jsonl"]
        lines += ["  default: true"] if name == names[0] else []
    return "\n".join(lines)
