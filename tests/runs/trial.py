"""Runs without a world: a suite of numbered tasks, models and agents that are a few lines, and a session of them."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from herobench.agents.agent import Agent, Ask, OneShot
from herobench.conversation import Message, Model, Reply, Request, Tool, ToolCall, Usage
from herobench.data.call_rows import replies_in, whole
from herobench.data.documents import schema_problems
from herobench.models.model import Price
from herobench.models.model_error import ErrorKind, ModelError, RetryPolicy
from herobench.models.pace import Pace
from herobench.runs.asking import ModelChannel, read_kept
from herobench.runs.folder import Key, RunFolder
from herobench.runs.journal import Journal, read_journal
from herobench.runs.options import AttemptLimits
from herobench.runs.runner import Runner
from herobench.runs.standing import Ledger, News, Standing, StopSignal
from herobench.suite.contract import Attempt, Suite, TaskInfo, Verdict

Json = dict[str, Any]
Said = Reply | Exception
DOLLAR_A_TOKEN = Price(1_000_000, 1_000_000, 1_000_000)
PENNY = Usage(input=0, output=1)


LOOK = Tool("look", "Look around.", {"type": "object", "properties": {"where": {"type": "string"}}})


class Numbers(Suite):
    """Tasks t0, t1 and so on, whose prompts are their ids. An attempt is won if every reply begins with the id.

    With several turns, the attempt answers each tool call of a reply, or else says "Go on", until the last turn.
    """

    name = "numbers"
    dataset = "numbers-v1"

    def __init__(self, count: int, turns: int = 1, tools: Sequence[Tool] = ()) -> None:
        self.task_ids = [f"t{number}" for number in range(count)]
        self.turns = turns
        self.tools = tools
        self.graded: list[Key] = []

    def tasks(self) -> Iterator[TaskInfo]:
        for number, task_id in enumerate(self.task_ids):
            yield TaskInfo(task_id, "odd" if number % 2 else "even", {"id": task_id})

    def identity(self, task_ids: Sequence[str]) -> Mapping[str, str]:
        return {"turns": str(self.turns)}

    def open(self, task_id: str, epoch: int) -> Attempt:
        return Counted(self, (task_id, epoch))

    def told(self, key: Key, replies: Sequence[Reply]) -> Sequence[Message] | None:
        """The answer to the last reply."""
        if len(replies) == self.turns:
            return None
        calls = [Message("tool", f"{call.name}: {call.arguments}", (), call.id) for call in replies[-1].tool_calls]
        return calls or [Message("user", f"Go on, {len(replies)}.")]

    def grade(self, task_id: str, epoch: int, replies: Sequence[Reply]) -> Verdict:
        self.graded.append((task_id, epoch))
        right = [reply.text.startswith(task_id) for reply in replies]
        won = all(right) and len(right) == self.turns
        return Verdict(
            won,
            100.0 if won else 0.0,
            progress=100.0 * sum(right) / self.turns,
            failure=None if won else "wrong",
            details={"schema": 1, "turns": len(replies)},
            events={"schema": 1, "said": [reply.text for reply in replies]},
        )

    def blank(self, task_id: str) -> Json:
        return {"schema": 1, "turns": None}


class Counted(Attempt):
    """An attempt of the suite above: a prompt, and so many turns."""

    def __init__(self, suite: Numbers, key: Key) -> None:
        self._suite = suite
        self._key = key
        self._replies: list[Reply] = []

    @property
    def messages(self) -> Sequence[Message]:
        rules = [Message("system", "Play.")] if self._suite.turns > 1 else []
        return [*rules, Message("user", self._key[0])]

    @property
    def tools(self) -> Sequence[Tool]:
        return self._suite.tools

    def step(self, reply: Reply) -> Sequence[Message] | None:
        self._replies.append(reply)
        return self._suite.told(self._key, self._replies)

    def grade(self) -> Verdict:
        return self._suite.grade(*self._key, self._replies)


def right(key: Key, turn: int) -> Reply:
    """A reply that wins, and says which time its task was asked."""
    return Reply(f"{key[0]} {turn}", stop="stop", usage=PENNY, model="m")


def looking(key: Key, turn: int) -> Reply:
    """A reply that wins and calls a tool twice, once with arguments that are no JSON."""
    calls = (ToolCall(f"{turn}a", "look", f'{{"where": "{key[0]}"}}'), ToolCall(f"{turn}b", "look", "{"))
    return Reply(f"{key[0]} {turn}", calls, stop="tool_calls", usage=PENNY, model="m")


class Player:
    """A model that says, or raises, what a function has for a task and epoch and the time it is asked, from 1 on."""

    def __init__(self, say: Callable[[Key, int], Said | Awaitable[Said]] = right) -> None:
        self.say = say
        self.asked: list[tuple[Key, tuple[Message, ...]]] = []
        self.offered: list[tuple[Tool, ...]] = []
        self.requests: list[Request] = []
        self.times: Counter[Key] = Counter()
        self.in_flight = self.most_in_flight = self.ended = 0

    async def reply(self, request: Request) -> Reply:
        key = (request.task_id, request.epoch)
        self.asked.append((key, tuple(request.messages)))
        self.offered.append(tuple(request.tools))
        self.requests.append(request)
        self.times[key] += 1
        turn = self.times[key]
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        try:
            await asyncio.sleep(0)
            self.ended += 1
            said = self.say(key, turn)
            said = said if isinstance(said, Reply | Exception) else await said
        finally:
            self.in_flight -= 1
        if isinstance(said, Exception):
            raise said
        return said

    async def close(self) -> None: ...


class Talker(Agent):
    """An agent that asks several times a turn, each time with all that was said before, and hands the last reply on."""

    def __init__(self, asks: int = 3) -> None:
        self.asks = asks

    async def play(self, attempt: Attempt, ask: Ask) -> None:
        conversation = [Message("system", "Play."), *attempt.messages]
        told: Sequence[Message] | None = conversation
        while told is not None:
            for number in range(1, self.asks):
                reply = await ask(conversation, attempt.tools)
                conversation += [reply.as_message(), Message("user", f"Go on, {number}.")]
            reply = await ask(conversation, attempt.tools)
            told = attempt.step(reply)
            conversation += [reply.as_message(), *(told or ())]


class Acting(Agent):
    """An agent that is one function."""

    def __init__(self, act: Callable[[Attempt, Ask], Any]) -> None:
        self.act = act

    async def play(self, attempt: Attempt, ask: Ask) -> None:
        await self.act(attempt, ask)


def failure(kind: ErrorKind, **more: Any) -> ModelError:
    return ModelError(kind, f"It failed by {kind}.", **more)


@dataclass
class Done:
    standing: Standing
    stop: StopSignal
    news: list[News]


@dataclass
class Trial:
    """A run of a suite in a folder; `work` is one session of it."""

    path: Path
    suite: Suite
    model: Model
    agent: Agent = field(default_factory=OneShot)
    epochs: int = 1
    connections: int = 4
    retries: int = 2
    jobs: int = 2
    price: Price | None = None
    limit: float | None = None
    most_tokens: int | None = None
    limits: AttemptLimits = field(default_factory=AttemptLimits)
    stop: StopSignal = field(default_factory=StopSignal)
    """Of the session that goes on, or was the last."""

    def work(self) -> Done:
        return asyncio.run(self._work())

    async def _work(self) -> Done:
        news: list[News] = []
        self.stop = stop = StopSignal()
        with RunFolder(self.path) as folder:
            done = folder.measured()
            folder.drop_unmeasured()
            kept = read_kept(folder.calls, done)
            owed = list(self._owed(done))
            standing = Standing(len(done) + len(owed), len(done), news.append)
            with closing(Journal(folder.calls)) as calls, closing(Journal(folder.samples)) as samples:
                line = ModelChannel(
                    model=self.model,
                    pace=Pace(self.connections, sleep=stop.sleep),
                    retry_policy=RetryPolicy(self.retries, first=0.001, chance=Random(0), sleep=stop.sleep),
                    ledger=Ledger(self.price, self.limit, kept.spent),
                    journal=calls,
                    stop=stop,
                    standing=standing,
                    most_tokens=self.most_tokens,
                    limits=self.limits,
                )
                tasks = {task.id: task for task in self.suite.tasks()}
                runner = Runner(
                    self.suite,
                    tasks,
                    self.agent,
                    "asked for",
                    line,
                    samples,
                    self.connections,
                    self.jobs,
                    kept.replies,
                )
                try:
                    with closing(runner):
                        await runner.work(owed)
                finally:
                    await self.model.close()
        return Done(standing, stop, news)

    def _owed(self, done: Collection[Key]) -> Iterator[Key]:
        for epoch in range(self.epochs):
            yield from ((task_id, epoch) for task_id in self.task_ids if (task_id, epoch) not in done)

    @property
    def task_ids(self) -> list[str]:
        return [task.id for task in self.suite.tasks()]

    @property
    def samples(self) -> list[Json]:
        return list(read_journal(self.path / "samples.jsonl"))

    @property
    def calls(self) -> list[Json]:
        return list(read_journal(self.path / "calls.jsonl"))

    @property
    def whole_calls(self) -> list[Json]:
        """The calls with all their messages and tools, attempt by attempt."""
        own: dict[Key, list[Json]] = {}
        for row in self.calls:
            own.setdefault(row_key(row), []).append(row)
        return [row for rows in own.values() for row in whole(rows, "calls.jsonl")]

    def statuses(self) -> Counter[str]:
        """How often each outcome of asking is: `ok`, or the kind of failure."""
        return Counter(row["error"]["kind"] if row["error"] else row["status"] for row in self.samples)

    def assert_whole(self) -> None:
        """Every attempt has one sample, and the files say the same of its calls."""
        every = [(task_id, epoch) for epoch in range(self.epochs) for task_id in self.task_ids]
        samples, calls = self.samples, self.calls
        assert sorted(map(row_key, samples)) == sorted(every)
        assert [problem for row in calls for problem in schema_problems(row, "call", "calls")] == []
        assert [problem for row in samples for problem in schema_problems(row, "sample", "samples")] == []
        own: dict[Key, dict[int, Json]] = {}
        for call in calls:
            own.setdefault(row_key(call), {})[call["call"]] = call  # one that was asked again counts as it was last
        for row in samples:
            last = list(own.get(row_key(row), {}).values())
            assert row["calls"] == len(last)
            assert row["retries"] == sum(len(call["retries"]) for call in last)
            counted = [reply["usage"]["output"] for call in last for reply in replies_in(call)]
            known = [tokens for tokens in counted if tokens is not None]
            assert row["output_tokens"] == (sum(known) if known else None)
            if row["error"] and last and row["error"]["kind"] != "player":
                assert row["error"] == {name: last[-1]["error"][name] for name in row["error"]}


def row_key(row: Json) -> Key:
    return row["task_id"], row["epoch"]
