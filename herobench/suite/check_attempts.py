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
from herobench.suite.contract import Attempt, Distance, Help, Suite, TaskInfo, Verdict

if TYPE_CHECKING:
    from herobench.suite.check import Findings

_MOST_TURNS = 40
"""An attempt is judged after this many turns, if it is not over."""
_MOST_DISTANCES = 2
"""A distance may take long to work out."""
_Next = Callable[[Sequence[Message], Sequence[Tool]], Reply]


def look_at_attempts(
    findings: Findings, suite: Suite, again: Suite, task: TaskInfo, players: Sequence[str]
) -> Iterator[dict[str, Any]]:
    """Play attempts at a task. `again` is the same suite, opened a second time. Yield what samples have of each."""
    for name in players:
        with findings.guard(f"player({name!r})"):
            try:
                player: object = suite.player(name)
            except UsageError:  # it needs an argument
                continue
            if not isinstance(player, Model):
                findings.add(f"player({name!r})", "a model, with reply and close", type(player).__name__)
                continue
            with asyncio.Runner() as runner:
                yield from _play_twice(findings, suite, again, task, name, _asking(runner, player, task))
                runner.run(player.close())
    texts = cycle(["", "I do not know."])
    yield from _play_twice(findings, suite, again, task, "canned", lambda messages, tools: Reply(next(texts)))
    yield from _play_twice(findings, suite, again, task, "calls", _calling())


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


def _play_twice(
    findings: Findings, suite: Suite, again: Suite, task: TaskInfo, who: str, next_reply: _Next
) -> Iterator[dict[str, Any]]:
    with findings.guard(f"attempt at {task.id} of {who}"):
        attempt = suite.open(task.id, 0)
        if not findings.check("open", attempt, Attempt):
            return
        replies: list[Reply] = []
        messages = _play(findings, attempt, next_reply, replies)
        verdict = attempt.grade()
        if not _is_sound(findings, suite, task, verdict):
            return
        findings.equal("grade", "the same verdict when it is asked again", verdict, attempt.grade())
        # samples keep no more of a reply
        short = [replace(Reply(each.text, each.tool_calls, each.answer, each.reasoning, each.stop)) for each in replies]
        for other, how in ((suite, "a replay"), (again, "a replay in a suite that was opened anew")):
            replay = other.open(task.id, 0)
            findings.equal("step", f"the same messages in {how}", messages, _replay(replay, short))
            findings.equal("grade", f"the same verdict in {how}", verdict, replay.grade())
        _look_at_fork(findings, suite.open(task.id, 0), replies, messages, verdict)
        yield {
            "suite": suite.name,
            "task_id": task.id,
            "group": task.group,
            **asdict(verdict),
            "details": dict(verdict.details),
            "events": verdict.events,
            "replies": [each.as_row() for each in short],
        }


def _play(findings: Findings, attempt: Attempt, next_reply: _Next, replies: list[Reply]) -> list[Any]:
    """Play an attempt to its end. Return the messages of each turn, the opening first."""
    messages: list[Any] = [list(attempt.messages)]
    findings.check("messages", attempt.messages, Sequence[Message])
    conversation = messages[0]
    for turn in range(_MOST_TURNS):
        tools = attempt.tools
        if findings.check("tools", tools, Sequence[Tool]):
            for tool in tools:
                findings.row("tools", tool.parameters)
        if turn < _MOST_DISTANCES:
            _look_at_distance(findings, attempt)
        replies.append(next_reply(conversation, tools))
        news = attempt.step(replies[-1])
        messages.append(None if news is None else list(news))
        if news is None:
            break
        _look_at_news(findings, messages[-1], replies[-1])
        window = attempt.conversation
        findings.check("conversation", window, Sequence[Message] | None)
        conversation = [*conversation, replies[-1].as_message(), *news] if window is None else list(window)
    return messages


def _look_at_news(findings: Findings, news: Sequence[Message], reply: Reply) -> None:
    if not findings.check("step", news, Sequence[Message]):
        return
    calls = {call.id for call in reply.tool_calls}
    for message in news:
        if message.role == "tool" and message.call_id not in calls:
            findings.add("step", "tool messages that answer calls of the reply by their ids", message.call_id)
        if message.pictures and message.role != "user":
            findings.add("step", "pictures in messages of the user only", message.role)


def _look_at_distance(findings: Findings, attempt: Attempt) -> None:
    distance = attempt.distance()
    if distance is None or not findings.check("distance", distance, Distance):
        return
    if not 0 <= distance.least <= distance.most:
        findings.add("distance", "bounds from 0 on, the lower one first", asdict(distance))
    findings.equal("distance", "the same when it is asked again", distance, attempt.distance())


def _look_at_fork(
    findings: Findings, attempt: Attempt, replies: Sequence[Reply], messages: Sequence[Any], verdict: Verdict
) -> None:
    """Fork an attempt after its first turn, and play the fork and the attempt to the end."""
    if len(replies) < 2:
        return
    attempt.step(replies[0])
    twin = attempt.fork()
    if twin is None:
        return
    if twin is attempt or not isinstance(twin, Attempt):
        findings.add("fork", "another Attempt, or None", type(twin).__name__)
        return
    for each, how in ((attempt, "of the attempt beside its fork"), (twin, "of the fork")):
        rest = [None if news is None else list(news) for news in map(each.step, replies[1:])]
        findings.equal("fork", f"the same messages {how}", list(messages[2:]), rest)
        findings.equal("fork", f"the same verdict {how}", verdict, each.grade())


def _replay(attempt: Attempt, replies: Sequence[Reply]) -> list[Any]:
    messages: list[Any] = [list(attempt.messages)]
    for reply in replies:
        news = attempt.step(reply)
        messages.append(None if news is None else list(news))
    return messages


def _is_sound(findings: Findings, suite: Suite, task: TaskInfo, verdict: object) -> bool:
    """Look at a verdict and at what is asked about it. Return whether a sample could be made of it."""
    if not findings.check("grade", verdict, Verdict, "the verdict"):
        return False
    assert isinstance(verdict, Verdict)
    for name, value in (("score", verdict.score), ("progress", verdict.progress)):
        if value is not None and not (isfinite(value) and value >= 0):
            findings.add("grade", f"a {name} of 0 or more, in percent", value)
    if verdict.won and verdict.failure is not None:
        findings.add("grade", "no failure of a win", verdict.failure)
    if findings.row("grade: details", verdict.details):
        findings.equal("grade: details", "the columns of blank", sorted(suite.blank(task.id)), sorted(verdict.details))
    if verdict.events is not None and findings.row("grade: events", verdict.events):
        findings.check("grade: events", verdict.events.get("schema"), int, "their schema")
    help_had = type(suite).help(verdict.details)
    if help_had not in get_args(Help):
        findings.add("help", f"one of {', '.join(get_args(Help))}", help_had)
    findings.check("explain_loss", type(suite).explain_loss(verdict), tuple[Any, ...] | None)
    return isinstance(verdict.details, Mapping)
