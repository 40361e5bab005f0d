"""Give replies again that were given before: the model `replay` of a recording, and a cache in front of any model.

A recording has published answers, or the samples of another run. What it has is given back word for word: the text, the
tool calls, or the answer where only that was kept. An answer that is missing is unmeasured; one that is recorded as
empty is an answer. The registry builds the model for `replay:FILE`; it never asks anybody.

The cache keeps replies in a file and gives them again for the same request. It is off unless a user asks for it
(`run --cache`). The key of a reply is everything that it can depend on: the server, the sampling, the messages, the
tools, the form, and the epoch and repetition, so that two epochs of a task, or two equal requests of one attempt, never
share a reply. Several runs may use one file at once. Failures are never kept.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from herobench.conversation import Model, Reply, Request, ToolCall, Usage
from herobench.data.errors import InputError, Problem, UsageError
from herobench.data.files import is_standard_input
from herobench.data.rows import read_lines
from herobench.models.messages import with_ids
from herobench.models.model import ModelSpec, ask_model
from herobench.models.model_error import ErrorKind, ModelError, ModelFault


def build(setting: ModelSpec) -> RecordedModel:
    """Build the recording that a setting names; an entry point."""
    setting.without_sampling()
    if not setting.argument:
        raise UsageError(ModelFault.NO_RECORDING)
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


_TABLE = """
CREATE TABLE IF NOT EXISTS replies (
    key TEXT PRIMARY KEY, model TEXT NOT NULL, reply TEXT NOT NULL, had TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP
)
"""
_PATIENCE = 60.0
"""Seconds to wait while another run writes."""


@dataclass(frozen=True, slots=True)
class CacheSummary:
    """The replies that a cache holds of one model."""

    model: str
    replies: int
    bytes: int
    last: str


def summarize_cache(path: Path) -> list[CacheSummary]:
    """Return the contents of a cache by model; an empty list without a file."""
    if not path.exists():
        return []
    with _opened(path) as base:
        rows = base.execute(
            "SELECT model, count(*), sum(length(reply)), max(had) FROM replies GROUP BY model ORDER BY 1"
        )
        return [CacheSummary(*row) for row in rows]


def clear_cache(path: Path, model: str | None) -> int:
    """Delete the replies of one model, or all. Return how many there were."""
    if not path.exists():
        return 0
    with _opened(path) as base:
        found = base.execute("DELETE FROM replies WHERE :model IS NULL OR model = :model", {"model": model}).rowcount
    with closing(sqlite3.connect(path, timeout=_PATIENCE)) as base:
        base.execute("VACUUM")  # outside of a transaction, which SQLite requires; it gives the space back
    return found


class CachedModel:
    """A model that asks another one only what is not in the file."""

    def __init__(self, model: Model, setting: ModelSpec, path: Path) -> None:
        self._model = model
        self._name = setting.argument or setting.name
        self._common = [self._name, setting.endpoint.base_url, setting.endpoint.api, asdict(setting.sampling)]
        self._path = path
        with _opened(path):  # to fail now, and not after the first reply was paid for
            pass

    async def reply(self, request: Request) -> Reply:
        """Return the reply from the file, or else ask the model and keep what it replies."""
        key = self._key(request)
        # In a thread: another run may hold the file for a while, and the event loop serves all other requests.
        found = await asyncio.to_thread(self._find, key)
        if found is not None:
            return replace(Reply.from_row(json.loads(found)), from_cache=True)
        reply = await ask_model(self._model, request)
        await asyncio.to_thread(self._keep, key, json.dumps(reply.as_row()))
        return reply

    def _key(self, request: Request) -> str:
        asked = [
            *self._common,
            request.epoch,
            [message.as_row() for message in request.messages],
            [tool.as_row() for tool in request.tools],
        ]
        # left out where there is none, so that older files keep their keys
        if request.form:
            asked.append(request.form.as_row())
        if request.repeat:
            asked.append(request.repeat)
        return hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()

    def _find(self, key: str) -> str | None:
        with _opened(self._path) as base:
            row = base.execute("SELECT reply FROM replies WHERE key = ?", (key,)).fetchone()
        return row and str(row[0])

    def _keep(self, key: str, reply: str) -> None:
        with _opened(self._path) as base:
            # if two runs ask at once, the first reply stays: a kept reply never changes
            base.execute("INSERT OR IGNORE INTO replies (key, model, reply) VALUES (?, ?, ?)", (key, self._name, reply))

    async def close(self) -> None:
        """Close the model."""
        await self._model.close()


def _schema(base: sqlite3.Connection) -> list[tuple[str, str, str | None]]:
    """Return what a database has: tables, views, indexes and triggers."""
    return base.execute("SELECT type, name, sql FROM sqlite_master ORDER BY name").fetchall()


@cache
def _own_schema() -> list[tuple[str, str, str | None]]:
    with closing(sqlite3.connect(":memory:")) as base:
        base.execute(_TABLE)
        return _schema(base)


@contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    """Open the file for one transaction. Raises UsageError where it is not a cache."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with closing(sqlite3.connect(path, timeout=_PATIENCE)) as base, base:
            if _schema(base) not in ([], _own_schema()):
                raise sqlite3.DatabaseError("it is a database of something else")
            base.execute(_TABLE)
            yield base
    except (sqlite3.Error, OSError) as error:
        raise UsageError(ModelFault.BAD_CACHE, path=path, error=error) from error
