"""The calls of one attempt: each is paced, retried after failures, and written to calls.jsonl before it is used.

The runner makes an `Asking` for each attempt and hands it to the agent as its `ask`. Calls that an earlier session kept
are returned without asking as long as the agent sends the same request, so nobody pays twice for one reply.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import monotonic
from typing import Any

from herobench.agents.agent import Unfinished
from herobench.conversation import Form, Message, Model, Reply, Request, Tool, Usage
from herobench.data.call_rows import (
    SCHEMA,
    SentPart,
    SentParts,
    last_lines,
    refuse_improper,
    replies_in,
    request_digest,
)
from herobench.data.errors import abbreviate
from herobench.data.rows import row_bytes
from herobench.models.model import ask_model, cut
from herobench.models.model_error import ErrorKind, ModelError, Retry, RetryPolicy
from herobench.models.pace import Pace
from herobench.runs.config import now
from herobench.runs.folder import Key
from herobench.runs.journal import CallTotals, Journal, read_journal, refuse_wrong_call
from herobench.runs.options import AttemptLimits
from herobench.runs.standing import Ledger, Standing, StopSignal

Row = Mapping[str, Any]

_MOST_BYTES = 16 << 20
"""An attempt ends when its replies take more: a sample has all of them in a line, and lines are read up to a limit."""
_MOST_REJECTED = 128 << 10
"""The longest reply of a failure that is kept, in characters: a call may have many failures, all in one line."""
_CHARACTERS_A_TOKEN = 4
"""A rough guess, for limits that must hold before the server has counted."""


@dataclass(frozen=True, slots=True)
class ModelChannel:
    """The way to the model, which all attempts of a run share."""

    model: Model
    pace: Pace
    retry_policy: RetryPolicy
    ledger: Ledger
    journal: Journal
    stop: StopSignal
    standing: Standing
    most_tokens: int | None
    """The limit of tokens of a reply; None for no limit."""
    limits: AttemptLimits = field(default_factory=AttemptLimits)


@dataclass(slots=True)
class Asking:
    """The function through which an agent asks the model, for one attempt."""

    line: ModelChannel
    task_id: str
    epoch: int
    kept: Mapping[int, Mapping[str, Any]]
    """The calls of earlier sessions, by their number in the attempt."""
    checked: Mapping[int, Message] = field(default_factory=dict)
    """The messages of the suite, which the attempt has checked, by their identity."""
    totals: CallTotals = field(default_factory=CallTotals)
    _begun: int = 0
    _replies: int = 0
    _tokens: int = 0
    _cost: float = 0.0
    """The cost of the calls, guessed where the server does not count."""
    _bytes: int = 0
    """The size of the replies as rows."""
    _asked: Counter[str] = field(default_factory=Counter)
    """How often each request was asked, by its digest."""
    _told: SentParts = field(default_factory=SentParts)
    _known: dict[type, dict[int, SentPart]] = field(default_factory=dict)
    """The messages and the tools of all requests by their identity: most of them are sent again."""

    async def __call__(
        self,
        messages: Sequence[Message],
        tools: Sequence[Tool] = (),
        *,
        role: str | None = None,
        form: Form | None = None,
        branch: Sequence[str] = (),
    ) -> Reply:
        """Return the model's reply. Raise ModelError when there is none, Stopped when the run is being stopped.

        Raise Unfinished when a limit of the attempt is reached, TypeError when an agent asks what cannot be asked.
        """
        # calls by their begin: an agent may ask several at a time
        if reached := self.line.limits.reached(self._begun, self._tokens, self._cost, self.totals.seconds):
            raise Unfinished(reached)
        if self._bytes > _MOST_BYTES:
            raise Unfinished(f"the replies of the attempt have more than {_MOST_BYTES >> 20} MiB")
        number = self._begun
        self._begun += 1
        if role is not None and not isinstance(role, str):
            raise TypeError(f"a role is of type {type(role).__name__}, not str")
        if isinstance(branch, str) or not all(isinstance(title, str) for title in branch):
            raise TypeError(f"a branch is {abbreviate(branch)}, not a sequence of texts")
        if form is not None:
            refuse_improper(form, Form, "a form")
        sent = _Sent.of(
            self._parts(messages := tuple(messages), Message, "a message"),
            self._parts(tools := tuple(tools), Tool, "a tool"),
            form,
        )
        digest = sent.digest()
        request = Request(self.task_id, self.epoch, messages, tools, role, form, self._asked[digest])
        self._asked[digest] += 1
        before = self.kept.get(number)
        # an agent that asks otherwise than before must not get the reply to another question
        if before is not None and before["request"] == digest:
            self.totals.add(before)
            row = before["reply"]
            reply = Reply.from_row(row)
        else:
            call = {"call": number, "request": digest, "role": role, "branch": list(branch)}
            reply, row = await self._ask(call, sent, request)
        self._count(sent.characters, reply, row)
        return reply

    def _parts(self, sent: Sequence[Message] | Sequence[Tool], kind: type[Message | Tool], what: str) -> list[SentPart]:
        """Return what a request sends. What an earlier request sent too is not looked at again."""
        known = self._known.setdefault(kind, {})
        for value in sent:
            if id(value) not in known:
                if kind is Tool or id(value) not in self.checked:
                    refuse_improper(value, kind, what)
                known[id(value)] = SentPart.of(value)
        return [*map(known.__getitem__, map(id, sent))]

    def _count(self, characters: int, reply: Reply, row: Row) -> None:
        """Count a reply towards the limits of the attempt. They must hold for a server that counts nothing too.

        A reply that came with a failure does not count: what the server fails at must not end the attempt.
        """
        ledger, usage = self.line.ledger, reply.usage
        self._replies += 1
        self._bytes += len(row_bytes(row))
        self._tokens += _total(usage) or (characters + characters_said(row)) // _CHARACTERS_A_TOKEN
        if not reply.from_cache:
            most, said = self.line.most_tokens, characters_said(row)
            self._cost += ledger.booked(ledger.cost(usage), lambda: guess_tokens(characters, most, said))

    def _book(self, characters: int, reply: Reply, spent: _Spent, most_tokens: int | None) -> None:
        """Book a reply that the server sent. `most_tokens` is for a guess where the server did not count."""
        ledger, standing = self.line.ledger, self.line.standing
        # a cached reply was paid for by the run that asked for it
        cost = 0.0 if reply.from_cache else ledger.cost(reply.usage)
        ledger.spend(cost, lambda: guess_tokens(characters, most_tokens, characters_said(reply.as_row())))
        if cost is not None:
            spent.cost = (spent.cost or 0.0) + cost
        standing.cost = ledger.known
        standing.usage += reply.usage

    async def _ask(self, call: Row, sent: _Sent, request: Request) -> tuple[Reply, Row]:
        """Ask the model and keep the call. Return its reply, also as a row."""
        row: dict[str, Any] = {
            "schema": SCHEMA,
            "task_id": self.task_id,
            "epoch": self.epoch,
            **call,
            "messages": sent.messages,
            "tools": sent.tools,
            "characters": sent.characters,
            "form": request.form and request.form.name,
            "started": now(),
        }
        spent, guess = _Spent(), guess_tokens(sent.characters, self.line.most_tokens)

        async def book_refusal(error: ModelError) -> None:
            if error.reply is not None:
                self._book(sent.characters, error.reply, spent, None)
            await self._note(Retry(error, 0.0), row, spent)

        request = replace(request, refused=book_refusal)
        try:
            reply = await self.line.retry_policy.ask(
                lambda: self._once(request, sent.characters, guess, spent), lambda retry: self._note(retry, row, spent)
            )
        except ModelError as error:
            await self._keep(row, spent, error=_failure_row(error, error.as_row()))
            if error.kind is ErrorKind.CONTEXT and self._replies:
                # what the model said made it longer: its own play, and no failure of the server
                told = f"the conversation has outgrown the context of the model: {error.message}"
                raise Unfinished(told) from None
            raise
        except Unfinished as end:
            await self._keep(row, spent, error=ModelError(ErrorKind.TIMEOUT, str(end)).as_row())
            raise
        standing = self.line.standing
        standing.replied = standing.replied or not reply.from_cache
        if reply.model:
            standing.served.add(reply.model)
        said = reply.as_row()
        await self._keep(row, spent, said)
        return reply, said

    async def _once(self, request: Request, characters: int, guess: Usage, spent: _Spent) -> Reply:
        """Send one request, once there is money and a turn for it."""
        line = self.line
        line.stop.check()
        # money before pace: a call that waits for money must not hold one of the connections
        async with line.ledger.room(guess, line.stop), line.pace.turn(_total(guess)) as turn:
            # once more, because both waits may have been long
            line.stop.check()
            line.standing.in_flight += 1
            begun = monotonic()
            try:
                seconds = line.limits.seconds_left(self.totals.seconds + spent.seconds)
                async with nullcontext() if seconds is None else asyncio.timeout(seconds):
                    reply = await ask_model(line.model, request)
            except ModelError as error:
                if error.reply is not None:
                    self._book(characters, error.reply, spent, None)
                    turn.tokens = _total(error.reply.usage) or turn.tokens
                raise
            except TimeoutError as error:
                raise Unfinished(line.limits.out_of_time) from error
            finally:
                spent.seconds += monotonic() - begun
                line.standing.in_flight -= 1
            # a server that counts nothing must not make the limit of tokens a minute useless: the guess
            # stays
            turn.tokens = _total(reply.usage) or turn.tokens
            self._book(characters, reply, spent, line.most_tokens)
            return reply

    async def _note(self, retry: Retry, row: dict[str, Any], spent: _Spent) -> None:
        """Note a retry. Raise its error if no retry can help, because no server of models is there.

        A try that the server may charge for is written before the next one: a kill must not lose its cost.
        """
        if retry.error.is_page and not self.line.standing.replied:
            raise retry.error
        spent.retries.append(retry)
        self.line.standing.retries += 1
        told = {"event": "retry", "task_id": self.task_id, "epoch": self.epoch}
        self.line.standing.tell({**told, **retry.as_row()})
        if retry.error.reply is not None:
            await self.line.journal.append(self._line(row, spent, error=retry.error.as_row()))

    async def _keep(
        self, row: dict[str, Any], spent: _Spent, reply: Row | None = None, *, error: Row | None = None
    ) -> None:
        """Keep a call that has ended."""
        line = self._line(row, spent, reply, error=error)
        self.totals.add(line)
        await self.line.journal.append(line)

    def _line(self, row: dict[str, Any], spent: _Spent, reply: Row | None = None, *, error: Row | None = None) -> Row:
        """Return the line of a call with its tries so far. It must be the next line of the attempt."""
        line = row | {
            "reply": reply,
            "error": error,
            "cost": spent.cost,
            "retries": [_failure_row(retry.error, retry.as_row()) for retry in spent.retries],
            "seconds": round(spent.seconds, 3),
            "finished": now(),
        }
        # now, and not when the call began: a line may refer only to lines that stand before it
        return line | self._told.columns(row["call"], row["messages"], row["tools"], reply)


@dataclass(slots=True)
class _Sent:
    """The content of a request: its messages, its tools and its form."""

    messages: Sequence[SentPart]
    tools: Sequence[SentPart]
    form: Form | None
    characters: int
    """The length of the messages and the tools."""

    @classmethod
    def of(cls, messages: Sequence[SentPart], tools: Sequence[SentPart], form: Form | None) -> _Sent:
        """Return the content of a request with its length."""
        return cls(messages, tools, form, sum([part.characters for part in (*messages, *tools)]))

    def digest(self) -> str:
        """Return the digest by which calls know a request."""
        return request_digest(self.messages, self.tools, self.form.as_row() if self.form else None)


def count_characters(request: Request) -> int:
    """Return the length of what a request sends: texts, pictures, tool calls and the tools on offer."""
    sent: list[Message | Tool] = [*request.messages, *request.tools]
    return sum(SentPart.of(each).characters for each in sent)


def guess_tokens(characters: int, most_tokens: int | None, said: int = 0) -> Usage:
    """Guess the tokens of a call that nobody has counted. `said` is the length of the reply, where it is known."""
    return Usage(input=characters // _CHARACTERS_A_TOKEN, output=most_tokens or said // _CHARACTERS_A_TOKEN)


def characters_said(reply: Row) -> int:
    """Return the length of a reply, given as a row: its text, its thoughts and its calls."""
    arguments = sum(len(call["arguments"]) for call in reply["tool_calls"])
    return len(reply["text"]) + len(reply["reasoning"] or "") + arguments


@dataclass(slots=True)
class _Spent:
    """Seconds, retries and known cost of one call."""

    seconds: float = 0.0
    retries: list[Retry] = field(default_factory=list)
    cost: float | None = None


def _failure_row(error: ModelError, row: Row) -> Row:
    """Return the row of a failure with the reply that came with it, if one did."""
    return row if error.reply is None else {**row, "reply": cut(error.reply, _MOST_REJECTED).as_row()}


def _is_counted(usage: Row) -> bool:
    return usage["input"] is not None and usage["output"] is not None


def _total(usage: Usage) -> int:
    return (usage.input or 0) + (usage.output or 0)


@dataclass(slots=True)
class SavedCalls:
    """Replies of attempts that have no sample yet, and the cost of all calls."""

    replies: dict[Key, dict[int, dict[str, Any]]] = field(default_factory=dict)
    """The kept calls of each attempt, by their numbers in it."""
    spent: float = 0.0
    dearest: float = 0.0
    """The cost of the dearest call."""
    uncounted: list[tuple[int, int, bool]] = field(default_factory=list)
    """For each reply of unknown cost, how many characters were sent and said, and whether the reply was taken."""
    served: set[str] = field(default_factory=set)
    """Models as the server named them."""


def read_kept(calls: Path, done: Collection[Key]) -> SavedCalls:
    """Read calls.jsonl. Of a call that was repeated, the last row counts. Raise InputError at a wrong row."""
    kept = SavedCalls()
    for row in last_lines(read_journal(calls, refuse_wrong_call)):
        # of every call, also of attempts that are done: the limit is for the whole run
        cost = row["cost"] or 0.0
        kept.spent += cost
        kept.dearest = max(kept.dearest, cost)
        replies = [*replies_in(row)]
        for reply in replies:
            # the cost of several is known as soon as one of them was counted
            if row["cost"] is None or (len(replies) > 1 and not _is_counted(reply["usage"])):
                kept.uncounted.append((int(row["characters"]), characters_said(reply), reply is row["reply"]))
        key = (row["task_id"], row["epoch"])
        # a failed call is asked again, under the same number
        if row["reply"] is None:
            continue
        if row["reply"]["model"]:
            kept.served.add(row["reply"]["model"])
        if key not in done:
            kept.replies.setdefault(key, {})[row["call"]] = row
    return kept
