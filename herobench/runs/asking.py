"""One attempt's way to its model: every call waits its turn, is asked again after failures, and is kept before use.

Calls that an earlier session kept are given back without asking, as long as the agent asks the same: what was paid for
is never asked twice.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

from herobench.conversation import Message, Reply, Usage
from herobench.models.failure import Kind, ModelError
from herobench.models.model import Model
from herobench.models.pace import Pace
from herobench.models.patience import Patience, Retry
from herobench.runs.journal import Journal
from herobench.runs.ledger import Ledger
from herobench.runs.provenance import now
from herobench.runs.sample import Tolls
from herobench.runs.standing import Standing
from herobench.runs.stop import Stop

SCHEMA = 1
_CHARACTERS_A_TOKEN = 4
"""Roughly, for limits that have to be held before the server has counted."""


@dataclass(frozen=True, slots=True)
class Line:
    """What all attempts of a run share on their way to the model."""

    model: Model
    pace: Pace
    patience: Patience
    ledger: Ledger
    journal: Journal
    stop: Stop
    standing: Standing
    most_tokens: int | None
    """The most that a reply may have, where that is known."""


@dataclass(slots=True)
class Asking:
    """The function that an agent asks through, for one attempt; `kept` are the calls of earlier sessions, by number."""

    line: Line
    question: Question
    kept: Mapping[int, Mapping[str, Any]]
    tolls: Tolls = field(default_factory=Tolls)
    _begun: int = 0

    async def __call__(self, messages: Sequence[Message]) -> Reply:
        """The model's reply. Raises ModelError where there is none, Stopped where none is asked for any more."""
        number = self._begun
        self._begun += 1
        digest = _digest(messages)
        before = self.kept.get(number)
        if before is not None and before["request"] == digest:
            self.tolls.add(before)
            return Reply.from_row(before["reply"])
        return await self._ask(number, digest, messages)

    async def _ask(self, number: int, digest: str, messages: Sequence[Message]) -> Reply:
        guess = guess_of(sum(len(message.text) for message in messages), self.line.most_tokens)
        row: dict[str, Any] = {
            "schema": SCHEMA,
            "task_id": self.question.task_id,
            "epoch": self.question.epoch,
            "call": number,
            "request": digest,
            "messages": [message.as_row() for message in messages],
            "started": now(),
        }
        spent = _Spent()
        try:
            reply = await self.line.patience.ask(
                lambda: self._once(messages, guess, spent), lambda retry: self._note(retry, spent)
            )
        except ModelError as error:
            await self._keep(row | {"reply": None, "error": error.as_row(), "cost": None}, spent)
            raise
        cost = 0.0 if reply.from_cache else self.line.ledger.cost(reply.usage)
        self.line.ledger.spend(cost, guess)
        self.line.standing.cost = self.line.ledger.known
        self.line.standing.usage += reply.usage
        if reply.model:
            self.line.standing.served.add(reply.model)
        await self._keep(row | {"reply": reply.as_row(), "error": None, "cost": cost}, spent)
        return reply

    async def _once(self, messages: Sequence[Message], guess: Usage, spent: _Spent) -> Reply:
        """One request."""
        line = self.line
        line.stop.check()
        async with line.ledger.room(guess, line.stop), line.pace.turn(_total(guess)) as turn:
            line.stop.check()
            line.standing.in_flight += 1
            begun = monotonic()
            try:
                reply = await line.model.reply(self.question, messages)
            except ModelError:
                raise
            except Exception as error:
                raise ModelError(Kind.PLAYER, f"The model raised {type(error).__name__}: {error}") from error
            finally:
                spent.seconds += monotonic() - begun
                line.standing.in_flight -= 1
            turn.tokens = _total(reply.usage) or turn.tokens
            return reply

    def _note(self, retry: Retry, spent: _Spent) -> None:
        spent.retries.append(retry)
        self.line.standing.retries += 1
        told = {"event": "retry", "task_id": self.question.task_id, "epoch": self.question.epoch}
        self.line.standing.tell({**told, **retry.as_row()})

    async def _keep(self, row: dict[str, Any], spent: _Spent) -> None:
        row |= {
            "retries": [retry.as_row() for retry in spent.retries],
            "seconds": round(spent.seconds, 3),
            "finished": now(),
        }
        self.tolls.add(row)
        await self.line.journal.append(row)


def guess_of(characters: int, most_tokens: int | None) -> Usage:
    """What a call is taken to use as long as nobody has counted."""
    return Usage(input=characters // _CHARACTERS_A_TOKEN, output=most_tokens or 0)


@dataclass(slots=True)
class _Spent:
    """What the tries of one call took."""

    seconds: float = 0.0
    retries: list[Retry] = field(default_factory=list)


def _total(usage: Usage) -> int:
    return (usage.input or 0) + (usage.output or 0)


def _digest(messages: Sequence[Message]) -> str:
    text = json.dumps([message.as_row() for message in messages])
    return hashlib.sha256(text.encode()).hexdigest()
