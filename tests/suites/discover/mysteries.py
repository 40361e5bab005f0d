"""Mysteries for tests, and how a player's game goes through an attempt."""

import asyncio
import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache

from herobench.conversation import Message, Reply, Request, ToolCall
from herobench.suite.contract import Attempt, SuiteSetting, Verdict
from herobench.suites.discover.game.day import Call
from herobench.suites.discover.game.land import HiddenLand
from herobench.suites.discover.game.laws import Law, Laws, Truth
from herobench.suites.discover.game.mystery import Certificate, Mystery, shipped_mysteries
from herobench.suites.discover.making.generator import LANDS, draw_mystery
from herobench.suites.discover.suite import Discover

TINY = Laws(Law(3, "both"), Law(3, "each", True), Law(3, "each"))
"""Laws with 3, 3 and 3 secrets."""


def some(count: int) -> list[Mystery]:
    """Mysteries of the shipped set, spread over all of them."""
    every = list(shipped_mysteries().values())
    return every[:: max(1, len(every) // count)][:count]


@cache
def several(lands: int) -> Mystery:
    """A mystery with so many lands, whose laws are quickly weighed."""
    return draw_mystery((LANDS[0],) * lands, f"{lands} lands")


def with_truth(mystery: Mystery, number: int, truth: Truth) -> Mystery:
    """The mystery with other secrets in one of its lands."""
    lands = [*mystery.lands]
    lands[number] = lands[number]._replace(truth=truth)
    return replace(mystery, lands=tuple(lands))


def unproven(lands: Sequence[HiddenLand], days: int) -> Mystery:
    """A mystery without a certificate."""
    return Mystery("small", tuple(lands), days, Certificate("", 0, 0.0, 0.0, 0.0))


def as_reply(calls: Iterable[Call]) -> Reply:
    """A reply with some calls."""
    made = (ToolCall(f"c{number}", call.name, json.dumps(call.arguments)) for number, call in enumerate(calls))
    return Reply("", tuple(made))


def results(messages: Sequence[Message] | None) -> list[dict[str, object]]:
    """The answers of tools among messages."""
    return [json.loads(message.text) for message in messages or [] if message.role == "tool"]


def played(player: str, mystery: Mystery, **options: str) -> tuple[Attempt, list[Message], Verdict]:
    """The attempt of a player, all that it was told, and the verdict."""
    suite = Discover(SuiteSetting(options=options), {mystery.id: mystery})
    model, attempt = suite.player(player), suite.open(mystery.id, 0)
    conversation = list(attempt.messages)
    messages: Sequence[Message] | None = conversation
    while messages is not None:
        reply = asyncio.run(model.reply(Request(mystery.id, 0, conversation)))
        messages = attempt.step(reply)
        conversation += [reply.as_message(), *(messages or [])]
    return attempt, conversation, attempt.grade()
