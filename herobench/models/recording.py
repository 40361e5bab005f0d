"""Replay replies that were given before, as a model: published answers, or the samples of another run.

What a recording has is given back word for word: the text, the tool calls, or the answer where only that was kept. An
answer that is missing is unmeasured; one that is recorded as empty is an answer. The registry builds this for
`replay:FILE`; it never asks anybody.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from herobench.conversation import Reply, Request, ToolCall, Usage
from herobench.data.errors import InputError, Problem, UsageError
from herobench.data.files import is_standard_input
from herobench.data.rows import read_lines
from herobench.models.messages import with_ids
from herobench.models.model import ModelSpec
from herobench.models.model_error import ErrorKind, ModelError


def build(setting: ModelSpec) -> RecordedModel:
    """Build the recording that a setting names; an entry point."""
    setting.without_sampling()
    if not setting.argument:
        raise UsageError("The model replay names no recording: write --model replay:ANSWERS.jsonl.")
    if is_standard_input(setting.argument):
        raise UsageError("A recording is read again when its run is resumed: replay a file, and not -.")
    return RecordedModel(Path(setting.argument))


@dataclass(frozen=True, slots=True)
class _Attempt:
    """The replies of one attempt, in order."""

    replies: Sequence[Reply]
    repeats: bool
    """True for an answers row: its one reply is what the model says, however often it is asked."""

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> _Attempt:
        return cls(replies_in(row), repeats="replies" not in row)

    def reply_number(self, number: int) -> Reply | None:
        """Return the reply that follows this many others, or None where the attempt was over by then."""
        number = 0 if self.repeats else number
        return self.replies[number] if number < len(self.replies) else None


def replies_in(row: Mapping[str, Any]) -> list[Reply]:
    """Return the replies of a row of an answers file, which may be a sample of a run."""
    if "replies" not in row:
        return [_answer(row)]
    replies = [_reply(said, row.get("model")) for said in row["replies"]]
    if replies:
        # The counts of the other calls are lost: a sample has only the sum of all.
        replies[-1] = replace(replies[-1], usage=_output(row.get("output_tokens")))
    return replies


def _answer(row: Mapping[str, Any]) -> Reply:
    """Return the reply of an answers row, or of a sample from before samples had their replies."""
    answer = row.get("code", row.get("plan"))
    usage = _output(row.get("tokens"))
    return Reply(row.get("answer") or "", answer=answer, stop="stop", usage=usage, model=row.get("model"))


def _reply(said: Mapping[str, Any], model: str | None) -> Reply:
    calls = (
        ToolCall(call.get("id") or "", call["name"], call.get("arguments") or "")
        for call in said.get("tool_calls") or []
    )
    return Reply(
        text=said.get("text") or "",
        tool_calls=with_ids(calls),
        answer=said.get("answer"),
        reasoning=said.get("reasoning"),
        stop=said.get("stop"),
        model=model,
    )


def _output(tokens: float | None) -> Usage:
    return Usage(output=None if tokens is None else int(tokens))


class RecordedModel:
    """Gives back what a file says was replied."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._attempts: dict[tuple[str, int], _Attempt] = {}
        problems: list[Problem] = []
        for line in read_lines(path, "answer"):
            problems += line.problems
            if not line.problems and line.row.get("status", "ok") == "ok":
                key = (line.row["task_id"], int(line.row.get("epoch", 0)))
                if key in self._attempts:
                    problems.append(Problem(line.place, "$.task_id", "one answer to a task and epoch", key[0]))
                self._attempts[key] = _Attempt.from_row(line.row)
        if problems:
            raise InputError(problems)

    async def reply(self, request: Request) -> Reply:
        """Return the reply that follows the assistant's messages of the request."""
        number = sum(message.role == "assistant" for message in request.messages)
        attempt = self._attempts.get((request.task_id, request.epoch))
        reply = None if attempt is None else attempt.reply_number(number)
        if reply is not None:
            return reply
        lacking = "no answer" if attempt is None else f"only {len(attempt.replies)} replies"
        told = f"{self._path.name} has {lacking} to {request.task_id} in epoch {request.epoch}."
        raise ModelError(ErrorKind.NO_ANSWER, told)

    async def close(self) -> None:
        """Do nothing: the file was closed when it was read."""
