"""Keep replies in a file and give them again for the same request. Off unless a user asks for it (`run --cache`).

The key of a reply is everything that it can depend on: the server, the sampling, the messages, the tools, the form, and
the epoch and repetition, so that two epochs of a task, or two equal requests of one attempt, never share a reply.
Several runs may use one file at once. Failures are never kept.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path

from herobench.conversation import Model, Reply, Request
from herobench.data.errors import UsageError
from herobench.models.model import ModelSpec, reply_of

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
        reply = await reply_of(self._model, request)
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
            # Where two runs asked at once, the first reply stays, so that a kept reply never changes.
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
        raise UsageError(f"The cache {path} cannot be used: {error}. Name another file.") from error
