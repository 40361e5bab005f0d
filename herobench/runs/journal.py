"""A run's append-only journals, whose rows are checked as they are read, and their samples: a row for each attempt.

The columns of a sample are declared in `herobench.data.columns`; a suite's own ones stand in `details`. What is not
known is None and never 0: an attempt without a reply has no score, a reply whose tokens nobody counted has no cost.
"""

from __future__ import annotations

import asyncio
import os
import shlex
from collections.abc import Callable, Container, Coroutine, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from herobench.conversation import Reply, Usage
from herobench.data.call_rows import replies_in
from herobench.data.documents import parse_line, schema_problems
from herobench.data.errors import InputError, Problem, UsageError
from herobench.data.files import bounded_lines, open_lines, unreadable
from herobench.data.rows import row_bytes
from herobench.models.model_error import ModelError
from herobench.suite.checked import read_blank
from herobench.suite.contract import Suite, TaskInfo, Verdict
from herobench.suite.recorded import reply_row

SCHEMA = 2


@dataclass(slots=True)
class CallTotals:
    """The sums over the calls of one attempt."""

    calls: int = 0
    retries: int = 0
    usage: Usage = field(default_factory=Usage)
    cost: float | None = None
    seconds: float = 0.0
    """The time spent waiting for replies, without the pauses between retries."""
    started: str | None = None
    finished: str | None = None
    served: str | None = None
    """The model of the last reply, as the server named it."""

    def add(self, call: Mapping[str, Any]) -> None:
        """Add one row of calls.jsonl. Replies that came with failures count too: they were paid for."""
        self.calls += 1
        self.retries += len(call["retries"])
        for reply in replies_in(call):
            self.usage += Usage(**reply["usage"])
        if call["reply"] is not None:
            self.served = call["reply"]["model"] or self.served
        if call["cost"] is not None:
            self.cost = (self.cost or 0.0) + call["cost"]
        self.seconds += call["seconds"]
        self.started = self.started or call["started"]
        self.finished = call["finished"]

    def as_row(self) -> dict[str, Any]:
        """Return the columns of a sample."""
        return {
            "calls": self.calls,
            "retries": self.retries,
            "input_tokens": self.usage.input,
            "output_tokens": self.usage.output,
            "reasoning_tokens": self.usage.reasoning,
            "cached_tokens": self.usage.cached,
            "cost": self.cost,
            "seconds": round(self.seconds, 3),
            "started": self.started,
            "finished": self.finished,
        }


@dataclass(slots=True)
class PlayedAttempt:
    """An attempt that was played: its calls and its replies, before it has a verdict."""

    model: str
    """The model as the user named it."""
    totals: CallTotals
    replies: Sequence[Reply] = ()
    unfinished: str | None = None
    """Why the agent ended the attempt early; None if it did not."""


def measured_row(task: TaskInfo, epoch: int, suite: str, played: PlayedAttempt, verdict: Verdict) -> dict[str, Any]:
    """Build the sample of an attempt that was graded."""
    replies = played.replies
    return {
        **_head(task, epoch, suite),
        "status": "ok",
        "error": None,
        # as the server names it: the name that a user gives may mean another model tomorrow
        "model": (replies[-1].model if replies else None) or played.totals.served or played.model,
        **verdict_columns(verdict),
        "unfinished": played.unfinished or verdict.unfinished,
        **played.totals.as_row(),
        "replies": [reply_row(reply) for reply in replies],
        "details": dict(verdict.details),
        "events": verdict.events,
    }


def unmeasured_row(
    task: TaskInfo, epoch: int, suite: str, played: PlayedAttempt, error: ModelError, blank: Mapping[str, Any]
) -> dict[str, Any]:
    """Build the sample of an attempt that got no reply. It says nothing about the model."""
    return {
        **_head(task, epoch, suite),
        "status": "unmeasured",
        "error": error.as_row(),
        "model": played.model,
        **dict.fromkeys(_JUDGED),
        "unfinished": None,
        **played.totals.as_row(),
        "replies": None,
        "details": dict(blank),
        "events": None,
    }


def rescored_row(sample: Mapping[str, Any], verdict: Verdict) -> dict[str, Any]:
    """Build a measured sample with another verdict. The columns about the calls stay."""
    return {**sample, **verdict_columns(verdict), "details": dict(verdict.details), "events": verdict.events}


def verdict_columns(verdict: Verdict) -> dict[str, Any]:
    """Return the common columns of a verdict."""
    return {name: getattr(verdict, name) for name in _JUDGED}


def stored_replies(sample: Mapping[str, Any]) -> list[Reply]:
    """Return the replies of a measured sample."""
    return [Reply.from_row({"usage": {}, **row}) for row in sample["replies"]]


_JUDGED = ("won", "score", "progress", "failure")


def _head(task: TaskInfo, epoch: int, suite: str) -> dict[str, Any]:
    return {"schema": SCHEMA, "suite": suite, "task_id": task.id, "group": task.group, "epoch": epoch}


Row = Mapping[str, Any]


def refuse_wrong_call(row: Row, place: str) -> None:
    """Raise InputError when a row is not a line of calls.jsonl."""
    _refuse_first(schema_problems(row, "call", place))


def refuse_wrong_sample(row: Row, place: str, suite: str | None) -> None:
    """Raise InputError when a row is not a sample of a run of a suite; None is any suite."""
    _refuse_first(schema_problems(row, "sample", place))
    _refuse_first(list(contradictions(row, place, suite)))


def contradictions(row: Row, place: str, suite: str | None) -> Iterator[Problem]:
    """Yield what is wrong with the columns of a sample that depend on others. The schema must have accepted the row."""
    if suite not in (None, row["suite"]):
        yield Problem(place, "$.suite", f"{suite}, the suite of the run", row["suite"])
    if row["status"] == "ok":
        for column in ("won", "score", "replies"):
            if row[column] is None:
                yield Problem(place, f"$.{column}", "a value, because the attempt was measured", None)
    elif row["error"] is None:
        yield Problem(place, "$.error", "a value, because the attempt was not measured", None)


def refuse_other_scorer(run: Path, suite: Suite, tasks: Container[str]) -> Callable[[Row], None]:
    """Return what raises UsageError at a measured sample with a verdict of another scorer than that of the suite."""
    own: object = None

    def look(sample: Row) -> None:
        nonlocal own
        sample_scorer = sample["details"].get("scorer")
        # a sample of a foreign task is refused for that reason
        if sample_scorer is None or sample_scorer == own or sample["task_id"] not in tasks:
            return
        # the facts of a task are the same for each attempt, so one that was not measured tells the number of now
        own = read_blank(suite, sample["task_id"]).get("scorer")
        if sample_scorer != own:
            raise UsageError(
                f"{run} has samples of scorer {sample_scorer}, such as {sample['task_id']}, epoch {sample['epoch']}, "
                f"and this version has scorer {own}: the figures of a resumed run would mix both.",
                [f"  Score it again first, which asks no model: herobench score {shlex.quote(str(run))}"],
            )

    return look


def _refuse_first(problems: Sequence[Problem]) -> None:
    """Raise InputError with the first problem, since a row of another format has many. Its number says the most."""
    if problems:
        raise InputError([min(problems, key=lambda problem: problem.path != "$.schema")])


class Journal:
    """A file that is open for appending. Close it in the end.

    Every row is in the file when `append` returns, so a kill loses none. A journal of rows that cost nothing to make
    again may leave it to `flush` to sync the disk: only a machine or a disk that fails loses rows before a flush.
    """

    def __init__(self, path: Path, *, synced: bool = True) -> None:
        """`synced` says whether each row is synced to the disk at once."""
        self._path = path
        self._synced = synced
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC, 0o644)
        self._end = self._written = _end_of_last_line(self._file)
        """The bytes that are surely on the disk, and those that are in the file. A failure cuts it to the first."""
        # a kill may have torn the last line, and a row behind it would make one damaged line of both
        os.ftruncate(self._file, self._end)
        self._batch: list[bytes] = []
        self._door = asyncio.Lock()
        self._failure: OSError | None = None

    async def append(self, row: Mapping[str, Any]) -> None:
        """Add a row, and wait until it is in the file. Raise OSError when it cannot be written."""
        line = row_bytes(row)
        if self._synced:
            self._batch.append(line)
            await self.flush()
            return
        if self._failure is None:
            self._write(line)
        if self._failure is not None:
            raise self._failure

    async def flush(self) -> None:
        """Wait until every row that was added is on the disk. Raise OSError when it cannot be written."""
        batch = self._batch
        async with self._door:
            is_left = not self._synced or (batch and self._batch is batch)  # else another task has written it
            if is_left and self._failure is None:
                self._batch = []
                await _to_its_end(asyncio.to_thread(self._write, b"".join(batch)))
            if self._failure is not None:
                raise self._failure

    @property
    def failure(self) -> OSError | None:
        """The error after which nothing more is written; None before it."""
        return self._failure

    def _write(self, data: bytes) -> None:
        """Write some rows, and sync the disk if rows are synced at once. No rows are a flush: it only syncs."""
        left = memoryview(data)
        try:
            while left:
                left = left[os.write(self._file, left) :]
            self._written += len(data)
            if self._synced or not data:
                os.fsync(self._file)
                self._end = self._written
        except OSError as error:
            self._failure = OSError(error.errno, error.strerror, str(self._path))
            with suppress(OSError):
                os.ftruncate(self._file, self._end)

    def close(self) -> None:
        """Close the file. Rows whose `append` was cancelled before it wrote them are written first."""
        if self._batch and self._failure is None:
            self._write(b"".join(self._batch))
        os.close(self._file)


async def _to_its_end(work: Coroutine[Any, Any, None]) -> None:
    """Wait for work that must not be cut short. A cancelled caller leaves when the work is done, and not before."""
    task = asyncio.ensure_future(work)
    try:
        await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait([task])
        raise


def _any(row: Mapping[str, Any], place: str) -> None:
    """Take any row."""


def read_journal(path: Path, refuse: Callable[[Mapping[str, Any], str], None] = _any) -> Iterator[dict[str, Any]]:
    """Yield the whole rows of a journal, also while another process writes to it.

    `refuse` gets each row with its place, and raises InputError when it is wrong: files are edited by hand as well.
    Raise InputError when a line is not JSON object.
    """
    for place, line in journal_lines(path):
        row = row_in(line, place)
        refuse(row, place)
        yield row


def journal_lines(path: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the whole lines of a journal, each with its place."""
    try:
        with open_lines(path) as file:
            for number, line in enumerate(bounded_lines(file, str(path)), 1):
                if not line.endswith(b"\n"):
                    return  # torn, or not yet whole: a line that follows by now would be the rest of this one
                yield f"{path}:{number}", line
    except FileNotFoundError:
        return
    except OSError as error:
        raise InputError([unreadable(path, error)]) from error


def row_in(line: bytes, place: str) -> dict[str, Any]:
    """Return the row of a line. Raise InputError when it is not JSON object."""
    row, problems = parse_line(line, place)
    if not problems and not isinstance(row, dict):
        problems = [Problem(place, "$", "a JSON object", row)]
    if problems:
        raise InputError(problems)
    return dict(row)


def _end_of_last_line(file: int) -> int:
    """Return the position at which the last whole line of a file ends."""
    end = os.fstat(file).st_size
    while end:
        begin = max(0, end - _BLOCK)
        found = os.pread(file, end - begin, begin).rfind(b"\n")
        if found >= 0:
            return begin + found + 1
        end = begin
    return 0


_BLOCK = 1 << 16
