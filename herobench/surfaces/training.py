"""What the surfaces of trainers share: settings of a row of a dataset, prompts, and scores of what a policy said.

A row names its task, and may carry settings in one column, `herobench`, as JSON. So a dataset can mix suites and
difficulties, and its columns keep one type.
"""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from herobench.errors import SandboxError, SuiteError, UsageError, abbreviated
from herobench.models.chat_messages import chat_message
from herobench.scorer import Answer, Result, Scorer, Wanted, shared_scorer

COLUMN = "herobench"
"""The column of a dataset that has the settings of a row."""
UNMEASURED = "unmeasured"
"""The cause of a reward that says nothing about the reply."""
FIGURES = ("score", "win", "progress")
NOT_MEASURED = (SandboxError, SuiteError)
"""Errors that are not the policy's."""

_log = logging.getLogger(__name__)


def as_column(knobs: Mapping[str, Any]) -> str:
    """Return settings as a value of the column `herobench`."""
    return json.dumps({name: value for name, value in knobs.items() if value is not None}, sort_keys=True, default=str)


@lru_cache(maxsize=1024)
def wanted_of(*columns: str) -> Wanted:
    """Read settings, the later over the earlier. A suite is played in one turn unless a mode is named."""
    knobs: dict[str, Any] = {}
    for column in columns:
        knobs |= _settings(column)
    knobs.setdefault("jobs", _share_of_cores())
    wanted = Wanted(**knobs)
    return wanted if "mode" in dict(wanted.others) else wanted.one_turn()


def scorer_of(knobs: Mapping[str, Any], column: str | Mapping[str, Any] | None = None) -> Scorer:
    """Return this process's scorer for settings of a trainer, and those of a row over them."""
    row = column if isinstance(column, str) else as_column(column or {})
    return shared_scorer(wanted_of(as_column(knobs), row))


def prompts_of(knobs: Mapping[str, Any]) -> Iterator[tuple[str, list[dict[str, Any]], dict[str, Any]]]:
    """Yield id, prompt as chat messages, and facts of each task."""
    scorer = scorer_of(knobs)
    for index, (task_id, task) in enumerate(scorer.tasks.items()):
        facts = {"index": index, "group": task.group or "", COLUMN: as_column(knobs)}
        yield task_id, [chat_message(message) for message in scorer.opening(task_id)], facts


def measured(scorer: Scorer, answer: Answer) -> Result | None:
    """Return the result of an answer; None when it cannot be measured, which is not the policy's fault."""
    try:
        return scorer.score(answer.task_id, answer.said, answer.epoch)
    except NOT_MEASURED as error:
        _log.warning("%s is not measured: %s", answer.task_id, error)
        return None


def checked_figure(name: str) -> str:
    """Return the name of a figure. Raise UsageError for a name that is none."""
    if name not in FIGURES:
        raise UsageError(f"There is no figure {name!r}: a reward is one of {', '.join(FIGURES)}.")
    return name


def _settings(column: str) -> dict[str, Any]:
    try:
        settings = json.loads(column or "{}")
    except (ValueError, RecursionError):
        settings = None
    if not isinstance(settings, dict):
        raise UsageError(f"The column {COLUMN} is {abbreviated(column)}: give settings as a JSON object.")
    return settings


def _share_of_cores() -> int:
    """Return the cores for this process: launchers such as torchrun say how many processes share a machine."""
    beside = os.environ.get("LOCAL_WORLD_SIZE", "")
    return max(1, (os.cpu_count() or 1) // max(1, int(beside) if beside.isdecimal() else 1))
