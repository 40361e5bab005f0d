"""Served models are asked in each of the four ways, and what came of it is told, good or bad. Odd values of servers."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Literal, NamedTuple, TypeVar

import pytest
from hypothesis import strategies as st

from herobench.conversation import Message, Reply, Request
from herobench.models.model import Endpoint, ModelSpec, Sampling
from herobench.models.model_error import ModelError
from herobench.models.openai_api import ServedModel, build
from tests.loopback import Kind

KEY = "sk-loopback-secret"
MODEL = "some/model"

Outcome = Reply | ModelError
_Made = TypeVar("_Made")


class Way(NamedTuple):
    """One of the four ways to ask: an API, streamed or whole."""

    api: Literal["chat", "responses"]
    stream: bool

    def __str__(self) -> str:
        return f"{self.api}-{'stream' if self.stream else 'whole'}"


CHAT, CHAT_STREAM = Way("chat", False), Way("chat", True)
RESPONSE, RESPONSE_STREAM = Way("responses", False), Way("responses", True)
WAYS = [CHAT, CHAT_STREAM, RESPONSE, RESPONSE_STREAM]

PAID = [kind for kind in Kind if kind is Kind.NO_DONE or kind.endswith("_at_end")]
"""Misbehaviours that come after the whole reply."""

every_way = pytest.mark.parametrize("way", WAYS, ids=str)


def setting(
    url: str, way: Way, sampling: Sampling | None = None, connections: int = 10, timeout: float = 10.0
) -> ModelSpec:
    endpoint = Endpoint(url, api=way.api, stream=way.stream, timeout=timeout, connections=connections)
    return ModelSpec(MODEL, MODEL, sampling or Sampling(), endpoint)


Talk = str | Sequence[Message]
"""A conversation; a text is one of one message."""


async def once(model: ServedModel, talk: Talk, epoch: int = 0, **more: Any) -> Outcome:
    """Return the outcome of one request. Any exception but a ModelError fails the test."""
    messages = [Message("user", talk)] if isinstance(talk, str) else talk
    try:
        return await model.reply(Request("a task", epoch, messages, **more))
    except ModelError as error:
        return error


def with_model(made: ModelSpec, use: Callable[[ServedModel], Awaitable[_Made]]) -> _Made:
    """Make a model, use it, and close it."""

    async def work() -> _Made:
        model = build(made)
        try:
            return await use(model)
        finally:
            await model.close()

    return asyncio.run(work())


def ask(made: ModelSpec, talks: Sequence[Talk] = ("k",), **more: Any) -> list[Outcome]:
    """Ask one model one conversation after the other."""

    async def all_of_them(model: ServedModel) -> list[Outcome]:
        return [await once(model, talk, **more) for talk in talks]

    return with_model(made, all_of_them)


def expect_reply(outcome: Outcome) -> Reply:
    assert isinstance(outcome, Reply), outcome
    return outcome


def expect_failure(outcome: Outcome) -> ModelError:
    assert isinstance(outcome, ModelError), outcome
    return outcome


def told(error: ModelError) -> str:
    """All words of a failure, in every form that is printed or kept."""
    return " ".join((error.message, str(error), repr(error), repr(error.as_row())))


_LEAVES = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8)
JSON: st.SearchStrategy[Any] = st.recursive(
    _LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
"""Any value."""


def odd(usual: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Mostly what is usual, else anything."""
    return usual | usual | usual | JSON


def objects(**fields: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Objects that may have these fields, each of which may be odd, as may be the object."""
    return odd(st.fixed_dictionaries({}, optional={name: odd(value) for name, value in fields.items()}))


def lists(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return odd(st.lists(odd(inner), max_size=3))
