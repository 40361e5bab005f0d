"""Runs attempts: so many at once asked, their replies scored meanwhile by as many workers as there are.

An attempt goes from its question through the agent to a reply, which is durable before anything else happens to it;
then it leaves its place to the next attempt, and is scored beside the asking. Its sample is written when it has a
score. What is killed in between is gone through again from the replies that were kept.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from herobench.agents.agent import Agent
from herobench.conversation import Reply
from herobench.models.failure import Kind, ModelError
from herobench.runs.asking import Asking, Line
from herobench.runs.folder import Key
from herobench.runs.journal import Journal
from herobench.runs.sample import Tolls, measured_row, unmeasured_row
from herobench.runs.standing import Standing
from herobench.runs.stop import Stop, Stopped
from herobench.runs.suite import Suite

_HOPELESS = 10
"""How many attempts in a row have to fail in a way that all others would, before the run stops."""
_MOST_UNSCORED = 1000
"""How many replies may wait for their scores before asking waits for scoring."""

Kept = Mapping[Key, Mapping[int, Mapping[str, Any]]]
"""Calls of earlier sessions, by attempt and number."""


@dataclass(frozen=True, slots=True)
class Parts:
    """What a runner works with."""

    suite: Suite
    agent: Agent
    name: str
    """The model as it was asked for."""
    line: Line
    samples: Journal
    connections: int
    jobs: int


class Runner:
    """Works off what a run owes."""

    def __init__(self, parts: Parts, kept: Kept) -> None:
        self._parts = parts
        self._kept = kept
        self._owed: deque[Key] = deque()
        self._pool = ThreadPoolExecutor(parts.jobs, thread_name_prefix="scoring")
        self._unscored = asyncio.Semaphore(_MOST_UNSCORED)
        self._failed_alike = 0

    @property
    def _stop(self) -> Stop:
        return self._parts.line.stop

    @property
    def _standing(self) -> Standing:
        return self._parts.line.standing

    async def work(self, owed: Iterable[Key]) -> None:
        """Go through attempts until none is left or the run is stopped. Raises what makes going on impossible."""
        self._owed.extend(owed)
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(min(self._parts.connections, len(self._owed))):
                    group.create_task(self._ask_on(group))
        except BaseExceptionGroup as failures:
            raise failures.exceptions[0] from None
        finally:
            self._pool.shutdown(wait=False, cancel_futures=True)

    async def _ask_on(self, group: asyncio.TaskGroup) -> None:
        """One of the places from which attempts are asked."""
        while self._owed and self._stop.reason is None:
            key = self._owed.popleft()
            try:
                await self._attempt(key, group)
            except Stopped:
                return

    async def _attempt(self, key: Key, group: asyncio.TaskGroup) -> None:
        parts = self._parts
        question = parts.suite.question(*key)
        asking = Asking(parts.line, question, self._kept.get(key, {}))
        try:
            reply = _reply(await parts.agent.attempt(question, asking))
        except ModelError as error:
            await self._give_up(key, error, asking.tolls)
        except Exception as error:
            if error is parts.line.journal.failure:
                raise
            told = f"The agent raised {type(error).__name__}: {error}"
            await self._give_up(key, ModelError(Kind.PLAYER, told), asking.tolls)
        else:
            self._failed_alike = 0
            await self._unscored.acquire()
            group.create_task(self._score(key, reply, asking.tolls))

    async def _score(self, key: Key, reply: Reply, tolls: Tolls) -> None:
        """Judge a reply and write its sample."""
        self._standing.grading += 1
        try:
            loop = asyncio.get_running_loop()
            scored = await loop.run_in_executor(self._pool, self._parts.suite.grade, *key, reply)
            row = measured_row(scored, self._parts.name, reply, tolls)
            await self._parts.samples.append(row)
        finally:
            self._standing.grading -= 1
            self._unscored.release()
        self._standing.measured += 1
        self._standing.wins += row["outcome"] == "win"
        self._tell(row)

    async def _give_up(self, key: Key, error: ModelError, tolls: Tolls) -> None:
        """Write the sample of an attempt without a reply, and see whether others can have one."""
        row = unmeasured_row(self._parts.suite.blank(*key), self._parts.name, error, tolls)
        await self._parts.samples.append(row)
        self._standing.unmeasured += 1
        self._tell(row)
        self._failed_alike = self._failed_alike + 1 if error.everywhere else 0
        if self._failed_alike >= _HOPELESS:
            told = f"{self._failed_alike} attempts in a row failed, the last one so: {error.message}"
            self._stop.now("hopeless", told)

    def _tell(self, row: Mapping[str, Any]) -> None:
        told = ("task_id", "epoch", "status", "outcome", "score", "tokens", "cost", "error")
        self._standing.tell({"event": "sample", **self._standing.as_row(), **{name: row.get(name) for name in told}})


def _reply(answer: object) -> Reply:
    """What an agent answered. Agents come from plugins: raises TypeError where it is no reply."""
    if not isinstance(answer, Reply):
        raise TypeError(f"it answered with a {type(answer).__name__}, and not with a Reply")
    return answer
