"""Answers that were given before, as a model: published logs, or the samples of another run.

What a recording has is given back word for word: the text, or the plan where only that was kept. An answer that is
missing is unmeasured, one that is recorded as empty is an answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from herobench.conversation import Reply, Request, Usage
from herobench.errors import InputError, Problem, UsageError
from herobench.input_file import is_standard_input
from herobench.models.model import Setting
from herobench.models.model_error import ErrorKind, ModelError
from herobench.rows import read_lines


def build(setting: Setting) -> Recording:
    """The recording that a setting names; the entry point."""
    setting.without_sampling()
    if not setting.argument:
        raise UsageError("A recording is named by its file: --model replay:ANSWERS.jsonl.")
    if is_standard_input(setting.argument):
        raise UsageError("A recording is read again when its run is resumed: replay a file, and not -.")
    return Recording(Path(setting.argument))


class Recording:
    """Gives back what a file says was answered."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._replies: dict[tuple[str, int], Reply] = {}
        problems: list[Problem] = []
        for line in read_lines(path, "answer"):
            problems += line.problems
            if not line.problems and line.row.get("status", "ok") == "ok":
                key = (line.row["task_id"], int(line.row.get("epoch", 0)))
                if key in self._replies:
                    problems.append(Problem(line.place, "$.task_id", "one answer to a task and epoch", key[0]))
                self._replies[key] = _reply(line.row)
        if problems:
            raise InputError(problems)

    async def reply(self, request: Request) -> Reply:
        """What was answered to a task in an epoch."""
        found = self._replies.get((request.task_id, request.epoch))
        if found is None:
            told = f"{self._path.name} has no answer to {request.task_id} in epoch {request.epoch}."
            raise ModelError(ErrorKind.NO_ANSWER, told)
        return found

    async def close(self) -> None:
        """Nothing is held."""


def _reply(row: Mapping[str, Any]) -> Reply:
    tokens = row.get("tokens")
    usage = Usage(output=None if tokens is None else int(tokens))
    plan = row.get("code", row.get("plan"))
    return Reply(row.get("answer") or "", answer=plan, stop="stop", usage=usage, model=row.get("model"))
