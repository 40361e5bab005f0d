"""The server's replies are in the forms of the API, by the genuine SDK's own types.

What a client reads in them, and how it fails, is tested with the same SDK in tests/models.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from openai import AsyncOpenAI, DefaultAsyncHttpxClient
from openai.types.responses import ResponseStreamEvent
from pydantic import TypeAdapter

from tests.loopback import Behaviour, Kind, Loopback
from tests.sizes import for_each

pytestmark = pytest.mark.slow  # tests of what tests are made with

MODEL = "some/model"
Way = Callable[[AsyncOpenAI], Awaitable[list[Any]]]
"""Asks in one way, and returns the objects that the SDK made of the answer."""


def ask(server: Loopback, way: Way) -> list[Any]:
    """Ask once, with no retries."""

    async def one() -> list[Any]:
        plain = DefaultAsyncHttpxClient(verify=False)  # to load certificates takes longer than to ask
        async with AsyncOpenAI(
            base_url=server.url, api_key="k", max_retries=0, timeout=10, http_client=plain
        ) as client:
            return await way(client)

    return asyncio.run(one())


async def chat(client: AsyncOpenAI) -> list[Any]:
    return [await client.chat.completions.create(model=MODEL, messages=[{"role": "user", "content": "k"}])]


async def chat_stream(client: AsyncOpenAI) -> list[Any]:
    stream = await client.chat.completions.create(
        model=MODEL,
        messages=[{"role": "user", "content": [{"type": "text", "text": "k"}]}],
        stream=True,
        stream_options={"include_usage": True},
    )
    return [chunk async for chunk in stream]


async def response(client: AsyncOpenAI) -> list[Any]:
    return [await client.responses.create(model=MODEL, input="k")]


async def response_stream(client: AsyncOpenAI) -> list[Any]:
    asked: Any = [{"role": "user", "content": [{"type": "input_text", "text": "k"}]}]
    return [event async for event in await client.responses.create(model=MODEL, input=asked, stream=True)]


CALLS = [{"name": "move", "arguments": '{"x": 1, "note": "long enough for pieces"}'}, {"name": "look", "arguments": ""}]


@pytest.mark.parametrize("way", [chat, chat_stream, response, response_stream])
@for_each(
    "behaviour",
    [
        Behaviour(),
        Behaviour(reasoning="Let me think, ünd so on.", model="ft:other@2026 ☃"),
        Behaviour(usage=False),
        Behaviour(Kind.REFUSAL),
        Behaviour(Kind.LENGTH),
        Behaviour(Kind.CONTENT_FILTER),
        Behaviour(Kind.EMPTY_CONTENT),
        Behaviour(Kind.EMPTY_CHOICES),
        Behaviour(text="Go!", calls=CALLS, reasoning="hm"),
        Behaviour(Kind.LENGTH, calls=CALLS[:1]),
    ],
)
def test_replies_are_valid_in_the_types_of_the_client(way: Way, behaviour: Behaviour) -> None:
    with Loopback(lambda key, attempt: behaviour) as server:
        documents = ask(server, way)
    event: TypeAdapter[Any] | None = TypeAdapter(ResponseStreamEvent) if way is response_stream else None
    for number, document in enumerate(documents):
        if event:
            event.validate_python(document.to_dict())
            assert document.sequence_number == number
        else:
            type(document).model_validate(document.to_dict())
    if way in (chat_stream, response_stream) and (behaviour == Behaviour() or behaviour.calls is CALLS):
        assert len(documents) > 8, "texts and arguments come in pieces"
