"""An attempt whose replies are recorded, so that the sample can keep them and the attempt can be scored again.

The runner wraps the suite's attempt before an agent plays it. An error of the suite stops the run: it must not be taken
for an error of the agent, which costs one attempt only.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from typing import Any

from herobench.conversation import Message, Reply, Tool
from herobench.data.call_rows import refuse_improper
from herobench.data.errors import HeroBenchError, SuiteError, abbreviate
from herobench.suite.checked import plugin_errors
from herobench.suite.contract import Attempt, Distance, Suite, Verdict

_MOST = 1e15
"""Beyond it the analysis refuses scores. They may be above 100: the RPG's reward counts every other monster beaten."""


class RecordedAttempt(Attempt):
    """Passes everything on to the suite's attempt, and keeps the replies."""

    def __init__(self, suite: Suite, task_id: str, epoch: int) -> None:
        self.replies: list[Reply] = []
        self.over = False
        self.checked: dict[int, Message] = {}
        """The messages that were checked, by their identity: most of them are sent again."""
        self._suite, self._task_id, self._epoch = suite, task_id, epoch
        self._by_suite = _BySuite(where(suite.name, task_id, epoch))
        with self._by_suite:
            self._attempt = suite.open(task_id, epoch)
            if not isinstance(self._attempt, Attempt):
                raise TypeError(f"it opened a {type(self._attempt).__name__}, not an Attempt")
            self.waits = self._attempt.waits

    @property
    def failure(self) -> HeroBenchError | None:
        """How the suite failed; the run cannot continue then."""
        return self._by_suite.failure

    @property
    def messages(self) -> Sequence[Message]:
        """The messages that open the conversation."""
        with self._by_suite:
            return self._messages(self._attempt.messages)

    @property
    def tools(self) -> Sequence[Tool]:
        """The tools that the model may call."""
        with self._by_suite:
            tools = tuple(self._attempt.tools)
            for tool in tools:
                refuse_improper(tool, Tool, "a tool")
            return tools

    @property
    def briefing(self) -> object:
        """The suite's own view of the task, for agents that are made for the suite; None where it has none."""
        with self._by_suite:
            return self._attempt.briefing

    @property
    def conversation(self) -> Sequence[Message] | None:
        """The messages of the next request, where the suite decides which ones; None where it sends them all."""
        with self._by_suite:
            messages = self._attempt.conversation
            return None if messages is None else self._messages(messages)

    def step(self, reply: Reply) -> Sequence[Message] | None:
        """Take in a reply. Raise TypeError when an agent gives something else, or gives one after the end."""
        if not isinstance(reply, Reply):
            raise TypeError(f"it gave a {type(reply).__name__} to the attempt, not a Reply")
        if self.over:
            raise TypeError("it gave a reply to an attempt that is over")
        self.replies.append(reply)
        with self._by_suite:
            messages = self._attempt.step(reply.named(reply.model))  # a copy: what the model said must stay as it was
            messages = None if messages is None else self._messages(messages)
        self.over = messages is None
        return messages

    @property
    def farewell(self) -> Sequence[Message]:
        """The messages that answer the last reply of an attempt that is over."""
        with self._by_suite:
            return self._messages(self._attempt.farewell)

    def grade(self) -> Verdict:
        """Judge the replies. Raise SuiteError when the suite fails, or when there is no reply to judge."""
        with self._by_suite:
            if not self.replies:
                raise SuiteError(f"The attempt at {self._task_id} was graded before it had a reply.")
            verdict = self._attempt.grade()
            _refuse_unfit(verdict)
            return verdict

    def distance(self) -> Distance | None:
        """Return how far the goal is; None where the suite cannot say."""
        with self._by_suite:
            distance = self._attempt.distance()
            if not (distance is None or (isinstance(distance, Distance) and 0 <= distance.least <= distance.most)):
                raise ValueError(f"its distance is {abbreviate(distance)}, not a Distance from 0 on, or None")
            return distance

    def _messages(self, iterable: Iterable[Message]) -> tuple[Message, ...]:
        """Return what a suite tells the model. Raise TypeError when it is something else than messages."""
        messages, checked = tuple(iterable), self.checked
        for message in messages:
            if id(message) not in checked:
                refuse_improper(message, Message, "a message")
                checked[id(message)] = message
        return messages

    def fork(self) -> RecordedAttempt:
        """Return a copy that goes on by itself. If the suite makes none, the replies are played again."""
        with self._by_suite:
            own_fork = self._attempt.fork()
            if own_fork is not None and (own_fork is self._attempt or not isinstance(own_fork, Attempt)):
                raise TypeError(f"its fork is {abbreviate(own_fork)}, and not another Attempt")
        if own_fork is None:
            return replay(self._suite, self._task_id, self._epoch, self.replies)
        twin = copy(self)
        twin.replies, twin._by_suite, twin._attempt = [*self.replies], self._by_suite.anew(), own_fork
        return twin


class _BySuite:
    """Notes a failure of the suite: the agent may catch what is raised here, and the run must stop all the same.

    It is a class because a generator would take longer than many a turn.
    """

    __slots__ = ("_where", "failure")

    def __init__(self, where: str) -> None:
        self._where = where
        self.failure: HeroBenchError | None = None

    def anew(self) -> _BySuite:
        """Return the same for another attempt, which has not failed."""
        return _BySuite(self._where)

    def __enter__(self) -> None: ...

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if error is None:
            return
        try:
            with plugin_errors(self._where):
                raise error
        except HeroBenchError as told:
            self.failure = told
            raise


def where(suite: str, task_id: str, epoch: int) -> str:
    """Return the words for a failure of a suite in an attempt."""
    return f"The suite {suite} failed at {task_id}, epoch {epoch}"


def _refuse_unfit(verdict: Verdict) -> None:
    """Raise TypeError or ValueError for a verdict whose common columns no sample could have.

    Whether JSON can say its details and events shows when the sample is written."""
    if not isinstance(verdict, Verdict):
        raise TypeError(f"its verdict is a {type(verdict).__name__}, not a Verdict")
    if type(verdict.won) is not bool:
        raise TypeError(f"the verdict's won is a {type(verdict.won).__name__}, not a bool")
    progress = 0 if verdict.progress is None else verdict.progress
    for name, value in (("score", verdict.score), ("progress", progress)):
        if type(value) not in (int, float) or not 0 <= value < _MOST:
            raise ValueError(f"the verdict's {name} is {value!r}, not a number from 0 to {_MOST:.0e}")
    for name, text in (("failure", verdict.failure), ("unfinished", verdict.unfinished)):
        if not isinstance(text, str | None):
            raise TypeError(f"the verdict's {name} is a {type(text).__name__}, not a text")
    if not isinstance(verdict.details, Mapping) or not isinstance(verdict.events, Mapping | None):
        raise TypeError("the verdict's details and events are not both mappings")


_REPLAYED = ("text", "tool_calls", "answer", "reasoning", "stop")


def reply_row(reply: Reply) -> dict[str, Any]:
    """Return the part of a reply that an attempt is scored again from. Usage and the like stand in calls.jsonl."""
    row = reply.as_row()
    return {name: row[name] for name in _REPLAYED}


def replay(suite: Suite, task_id: str, epoch: int, replies: Iterable[Reply]) -> RecordedAttempt:
    """Play kept replies into a fresh attempt, up to its end."""
    attempt = RecordedAttempt(suite, task_id, epoch)
    for reply in replies:
        if attempt.over:  # the suite may end attempts earlier now than when the replies were given
            break
        attempt.step(reply)
    return attempt
