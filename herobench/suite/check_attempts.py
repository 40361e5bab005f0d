"""Plays attempts to see whether they keep to the contract: by the suite's players, and by canned replies.

Each attempt is played to its end. Then its replies are replayed, as a resumed run does, in a suite that was opened
anew, and a fork goes on beside the attempt it was taken from: all of them have to be told the same and judged the same.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from itertools import cycle
from math import isfinite
from typing import TYPE_CHECKING, Any, get_args

from herobench.conversation import Message, Model, Reply, Request, Tool, ToolCall
from herobench.data.errors import UsageError
from herobench.suite.contract import Attempt, Distance, Lane, Suite, TaskInfo, Verdict

if TYPE_CHECKING:
    from herobench.suite.check import Findings

_MOST_TURNS = 40
"""An attempt is judged after this many turns, if it is not over."""
_MOST_DISTANCES = 2
"""A distance may take long to work out."""
_Next = Callable[[Sequence[Message], Sequence[Tool]], Reply]


def look_at_attempts(
    found: Findings, suite: Suite, again: Suite, task: TaskInfo, players: Sequence[str]
) -> Iterator[dict[str, Any]]:
    """Play attempts at a task. `again` is the same suite, opened a second time. Yield what samples have of each."""
    for name in players:
        with found.asked(f"player({name!r})"):
            try:
                player: object = suite.player(name)
            except UsageError:  # it needs an argument
                continue
            if not isinstance(player, Model):
                found.add(f"player({name!r})", "a model, with reply and close", type(player).__name__)
                continue
            with asyncio.Runner() as runner:
                yield from _played(found, suite, again, task, name, _asking(runner, player, task))
                runner.run(player.close())
    canned = cycle(["", "I do not know."])
    yield from _played(found, suite, again, task, "canned", lambda messages, tools: Reply(next(canned)))
    yield from _played(found, suite, again, task, "calls", _calling())


def _asking(runner: asyncio.Runner, player: Model, task: TaskInfo) -> _Next:
    return lambda messages, tools: runner.run(player.reply(Request(task.id, 0, tuple(messages), tuple(tools))))


def _calling() -> _Next:
    """Return replies that call the tools on offer by arguments that are no JSON, and tools that do not exist."""
    numbers = iter(range(_MOST_TURNS + 1))

    def reply(messages: Sequence[Message], tools: Sequence[Tool]) -> Reply:
        number = next(numbers)
        names = [*(tool.name for tool in tools), "no_such_tool"]
        return Reply("", (ToolCall(f"call_{number}", names[number % len(names)], "{"),), stop="tool_calls")

    return reply


def _played(
    found: Findings, suite: Suite, again: Suite, task: TaskInfo, who: str, next_reply: _Next
) -> Iterator[dict[str, Any]]:
    with found.asked(f"attempt at {task.id} of {who}"):
        attempt = suite.open(task.id, 0)
        if not found.typed("open", attempt, Attempt):
            return
        replies: list[Reply] = []
        told = _play(found, attempt, next_reply, replies)
        verdict = attempt.grade()
        if not _is_sound(found, suite, task, verdict):
            return
        found.equal("grade", "the same verdict when it is asked again", verdict, attempt.grade())
        # samples keep no more of a reply
        kept = [replace(Reply(each.text, each.tool_calls, each.answer, each.reasoning, each.stop)) for each in replies]
        for other, how in ((suite, "a replay"), (again, "a replay in a suite that was opened anew")):
            replayed = other.open(task.id, 0)
            found.equal("step", f"the same messages in {how}", told, _replayed(replayed, kept))
            found.equal("grade", f"the same verdict in {how}", verdict, replayed.grade())
        _look_at_fork(found, suite.open(task.id, 0), replies, told, verdict)
        yield {
            "suite": suite.name,
            "task_id": task.id,
            "group": task.group,
            **asdict(verdict),
            "details": dict(verdict.details),
            "events": verdict.events,
            "replies": [each.as_row() for each in kept],
        }


def _play(found: Findings, attempt: Attempt, next_reply: _Next, replies: list[Reply]) -> list[Any]:
    """Play an attempt to its end. Return the messages of each turn, the opening first."""
    told: list[Any] = [list(attempt.messages)]
    found.typed("messages", attempt.messages, Sequence[Message])
    conversation = told[0]
    for turn in range(_MOST_TURNS):
        tools = attempt.tools
        if found.typed("tools", tools, Sequence[Tool]):
            for tool in tools:
                found.row("tools", tool.parameters)
        if turn < _MOST_DISTANCES:
            _look_at_distance(found, attempt)
        replies.append(next_reply(conversation, tools))
        news = attempt.step(replies[-1])
        told.append(None if news is None else list(news))
        if news is None:
            break
        _look_at_news(found, told[-1], replies[-1])
        sent = attempt.conversation
        found.typed("conversation", sent, Sequence[Message] | None)
        conversation = [*conversation, replies[-1].as_message(), *news] if sent is None else list(sent)
    return told


def _look_at_news(found: Findings, news: Sequence[Message], reply: Reply) -> None:
    if not found.typed("step", news, Sequence[Message]):
        return
    calls = {call.id for call in reply.tool_calls}
    for message in news:
        if message.role == "tool" and message.call_id not in calls:
            found.add("step", "tool messages that answer calls of the reply by their ids", message.call_id)
        if message.pictures and message.role != "user":
            found.add("step", "pictures in messages of the user only", message.role)


def _look_at_distance(found: Findings, attempt: Attempt) -> None:
    distance = attempt.distance()
    if distance is None or not found.typed("distance", distance, Distance):
        return
    if not 0 <= distance.least <= distance.most:
        found.add("distance", "bounds from 0 on, the lower one first", asdict(distance))
    found.equal("distance", "the same when it is asked again", distance, attempt.distance())


def _look_at_fork(
    found: Findings, attempt: Attempt, replies: Sequence[Reply], told: Sequence[Any], verdict: Verdict
) -> None:
    """Fork an attempt after its first turn, and play the fork and the attempt to the end."""
    if len(replies) < 2:
        return
    attempt.step(replies[0])
    twin = attempt.fork()
    if twin is None:
        return
    if twin is attempt or not isinstance(twin, Attempt):
        found.add("fork", "another Attempt, or None", type(twin).__name__)
        return
    for each, how in ((attempt, "of the attempt beside its fork"), (twin, "of the fork")):
        rest = [None if news is None else list(news) for news in map(each.step, replies[1:])]
        found.equal("fork", f"the same messages {how}", list(told[2:]), rest)
        found.equal("fork", f"the same verdict {how}", verdict, each.grade())


def _replayed(attempt: Attempt, replies: Sequence[Reply]) -> list[Any]:
    told: list[Any] = [list(attempt.messages)]
    for reply in replies:
        news = attempt.step(reply)
        told.append(None if news is None else list(news))
    return told


def _is_sound(found: Findings, suite: Suite, task: TaskInfo, verdict: object) -> bool:
    """Look at a verdict and at what is asked about it. Return whether a sample could be made of it."""
    if not found.typed("grade", verdict, Verdict, "the verdict"):
        return False
    assert isinstance(verdict, Verdict)
    for name, value in (("score", verdict.score), ("progress", verdict.progress)):
        if value is not None and not (isfinite(value) and value >= 0):
            found.add("grade", f"a {name} of 0 or more, in percent", value)
    if verdict.won and verdict.failure is not None:
        found.add("grade", "no failure of a win", verdict.failure)
    if found.row("grade: details", verdict.details):
        found.equal("grade: details", "the columns of blank", sorted(suite.blank(task.id)), sorted(verdict.details))
    if verdict.events is not None and found.row("grade: events", verdict.events):
        found.typed("grade: events", verdict.events.get("schema"), int, "their schema")
    lane = type(suite).lane(verdict.details)
    if lane not in get_args(Lane):
        found.add("lane", f"one of {', '.join(get_args(Lane))}", lane)
    found.typed("explain_loss", type(suite).explain_loss(verdict), tuple[Any, ...] | None)
    return isinstance(verdict.details, Mapping)
