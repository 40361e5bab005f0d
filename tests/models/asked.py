"""For tests of served models: the model is asked in each of its four ways, and what came of it is told, good or bad."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Literal, NamedTuple, TypeVar

import pytest

from herobench.conversation import Message, Reply, Request
from herobench.models.model import Endpoint, ModelSpec
from herobench.models.model_error import ModelError
from herobench.models.openai_api import ServedModel, build
from herobench.models.sampling import Sampling

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

every_way = pytest.mark.parametrize("way", WAYS, ids=str)


def setting(url: str, way: Way, sampling: Sampling | None = None, connections: int = 10) -> ModelSpec:
    endpoint = Endpoint(url, api=way.api, stream=way.stream, timeout=10.0, connections=connections)
    return ModelSpec(MODEL, MODEL, sampling or Sampling(), endpoint)


def with_timeout(made: ModelSpec, seconds: float) -> ModelSpec:
    return replace(made, endpoint=replace(made.endpoint, timeout=seconds))


async def once(model: ServedModel, prompt: str, epoch: int = 0) -> Outcome:
    """Return the outcome of one request. Any exception but a ModelError fails the test."""
    try:
        return await model.reply(Request("a task", epoch, [Message("user", prompt)]))
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


def ask(made: ModelSpec, prompts: Sequence[str] = ("k",), epoch: int = 0) -> list[Outcome]:
    """Ask one model one prompt after the other."""

    async def all_of_them(model: ServedModel) -> list[Outcome]:
        return [await once(model, prompt, epoch) for prompt in prompts]

    return with_model(made, all_of_them)


def reply_of(outcome: Outcome) -> Reply:
    assert isinstance(outcome, Reply), outcome
    return outcome


def failure_of(outcome: Outcome) -> ModelError:
    assert isinstance(outcome, ModelError), outcome
    return outcome


def told(error: ModelError) -> str:
    """All words of a failure, in every form that is printed or kept."""
    return " ".join((error.message, str(error), repr(error), repr(error.as_row())))
