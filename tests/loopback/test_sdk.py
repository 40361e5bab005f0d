"""The genuine SDK asks the server in each of its four ways, and what it saw is compared with what was meant."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import astuple, dataclass, field
from typing import Any

import openai
import pytest
from openai import AsyncOpenAI, DefaultAsyncHttpxClient
from openai.types import CompletionUsage
from openai.types.responses import Response, ResponseStreamEvent, ResponseUsage
from pydantic import TypeAdapter

from tests.loopback import Behaviour, Kind, Loopback, default_answer, usage_of
from tests.loopback.model_output import REFUSAL
from tests.sizes import for_each, many

pytestmark = pytest.mark.slow  # tests of what tests are made with

MODEL = "some/model"
KEY = "sk-loopback-secret"


@dataclass
class SdkView:
    text: str = ""
    reasoning: str = ""
    refusal: str = ""
    end: str | None = None
    """finish_reason, status or reason of incompleteness: stop and completed are the same."""
    usage: tuple[int, int, int, int] | None = None
    """Tokens of the prompt, cached, of the completion, and of reasoning."""
    model: str = ""
    calls: list[list[str]] = field(default_factory=list)
    """The id, the name and the arguments of each tool call."""
    documents: list[Any] = field(default_factory=list)
    """The objects that the SDK returned, in its own types."""


Way = Callable[[AsyncOpenAI, str], Awaitable[SdkView]]


def ask(server: Loopback, way: Way, prompt: str = "k1") -> SdkView:
    """Ask once, with no retries."""

    async def one() -> SdkView:
        async with client_of(server) as client:
            return await way(client, prompt)

    return asyncio.run(one())


def client_of(server: Loopback) -> AsyncOpenAI:
    plain = DefaultAsyncHttpxClient(verify=False)  # to load certificates takes longer than to ask
    return AsyncOpenAI(base_url=server.url, api_key=KEY, max_retries=0, timeout=10, http_client=plain)


async def chat(client: AsyncOpenAI, prompt: str) -> SdkView:
    whole = await client.chat.completions.create(model=MODEL, messages=[{"role": "user", "content": prompt}])
    seen = SdkView(model=whole.model, usage=_chat_usage(whole.usage), documents=[whole])
    for choice in whole.choices:
        seen.text = choice.message.content or ""
        seen.refusal = choice.message.refusal or ""
        seen.reasoning = getattr(choice.message, "reasoning_content", "")
        seen.end = choice.finish_reason
        for call in choice.message.tool_calls or []:
            if call.type == "function":
                seen.calls.append([call.id, call.function.name, call.function.arguments])
    return seen


async def chat_stream(client: AsyncOpenAI, prompt: str) -> SdkView:
    seen = SdkView()
    async for chunk in await client.chat.completions.create(
        model=MODEL,
        messages=[{"role": "user", "content": [{"type": "text", "text": prompt}]}],
        stream=True,
        stream_options={"include_usage": True},
    ):
        seen.documents.append(chunk)
        seen.model = chunk.model
        seen.usage = _chat_usage(chunk.usage) or seen.usage
        for choice in chunk.choices:
            seen.text += choice.delta.content or ""
            seen.refusal += choice.delta.refusal or ""
            seen.reasoning += getattr(choice.delta, "reasoning_content", "")
            seen.end = choice.finish_reason or seen.end
            for piece in choice.delta.tool_calls or []:
                if piece.index == len(seen.calls):
                    seen.calls.append(["", "", ""])
                call, function = seen.calls[piece.index], piece.function
                call[0] += piece.id or ""
                call[1] += (function.name if function else None) or ""
                call[2] += (function.arguments if function else None) or ""
    return seen


async def response(client: AsyncOpenAI, prompt: str) -> SdkView:
    whole = await client.responses.create(model=MODEL, input=prompt)
    seen = SdkView(model=whole.model, end=_end(whole), usage=_response_usage(whole.usage), documents=[whole])
    seen.text = whole.output_text
    for item in whole.output:
        if item.type == "reasoning":
            seen.reasoning = item.summary[0].text
        if item.type == "message" and item.content[0].type == "refusal":
            seen.refusal = item.content[0].refusal
        if item.type == "function_call":
            seen.calls.append([item.call_id, item.name, item.arguments])
    return seen


async def response_stream(client: AsyncOpenAI, prompt: str) -> SdkView:
    seen = SdkView()
    async for event in await client.responses.create(
        model=MODEL,
        input=[{"role": "user", "content": [{"type": "input_text", "text": prompt}]}],
        stream=True,
    ):
        seen.documents.append(event)
        if event.type == "response.output_text.delta":
            seen.text += event.delta
        elif event.type == "response.refusal.delta":
            seen.refusal += event.delta
        elif event.type == "response.reasoning_summary_text.delta":
            seen.reasoning += event.delta
        elif event.type == "response.function_call_arguments.delta":
            seen.calls[-1][2] += event.delta
        elif event.type == "response.output_item.added" and event.item.type == "function_call":
            seen.calls.append([event.item.call_id, event.item.name, event.item.arguments])
        elif event.type in ("response.completed", "response.incomplete", "response.failed"):
            seen.model, seen.end = event.response.model, _end(event.response)
            seen.usage = _response_usage(event.response.usage)
    return seen


def _end(whole: Response) -> str | None:
    if whole.incomplete_details:
        reason = whole.incomplete_details.reason
        return "length" if reason == "max_output_tokens" else reason
    return "stop" if whole.status == "completed" else whole.status


def _chat_usage(usage: CompletionUsage | None) -> tuple[int, int, int, int] | None:
    if usage is None or usage.prompt_tokens_details is None or usage.completion_tokens_details is None:
        return None
    cached = usage.prompt_tokens_details.cached_tokens or 0
    return usage.prompt_tokens, cached, usage.completion_tokens, usage.completion_tokens_details.reasoning_tokens or 0


def _response_usage(usage: ResponseUsage | None) -> tuple[int, int, int, int] | None:
    if usage is None:
        return None
    cached, reasoning = usage.input_tokens_details.cached_tokens, usage.output_tokens_details.reasoning_tokens
    return usage.input_tokens, cached, usage.output_tokens, reasoning


CHATS: list[Way] = [chat, chat_stream]
STREAMS: list[Way] = [chat_stream, response_stream]
every_way = pytest.mark.parametrize("way", [chat, chat_stream, response, response_stream])
every_stream = pytest.mark.parametrize("way", STREAMS)


def always(behaviour: Behaviour | Kind) -> Loopback:
    return Loopback(lambda key, attempt: behaviour)


def seen(behaviour: Behaviour | Kind, way: Way) -> SdkView:
    """What the client saw. Each document has to be valid in the client's own types."""
    with always(behaviour) as server:
        view = ask(server, way)
    for number, document in enumerate(view.documents):
        if way is response_stream:
            TypeAdapter[ResponseStreamEvent](ResponseStreamEvent).validate_python(document.to_dict())
            assert document.sequence_number == number
        else:
            type(document).model_validate(document.to_dict())
    return view


# -- replies ----------------------------------------------------------------------------------------------------------

ANSWER = default_answer("k1")
CALLS = [{"name": "move", "arguments": '{"x": 1, "note": "long enough for pieces"}'}, {"name": "look", "arguments": ""}]
HALF_CALL = CALLS[0]["arguments"][: len(CALLS[0]["arguments"]) // 2]
THOUGHT = "Let me think, ünd so on."


@every_way
@for_each(
    ("behaviour", "said"),
    [
        (Behaviour(), SdkView(ANSWER, end="stop")),
        (Behaviour(reasoning=THOUGHT), SdkView(ANSWER, reasoning=THOUGHT, end="stop")),
        (Behaviour(Kind.REFUSAL), SdkView(refusal=REFUSAL, end="stop")),
        (Behaviour(Kind.LENGTH), SdkView(ANSWER[: len(ANSWER) // 2], end="length")),
        (Behaviour(Kind.CONTENT_FILTER), SdkView(ANSWER[: len(ANSWER) // 2], end="content_filter")),
        (Behaviour(Kind.EMPTY_CONTENT), SdkView(end="stop")),
        (
            Behaviour(text="Go!", calls=CALLS, reasoning="hm"),
            SdkView("Go!", reasoning="hm", end="tool_calls", calls=[[*call.values()] for call in CALLS]),
        ),
        (Behaviour(Kind.LENGTH, calls=CALLS[:1]), SdkView(end="length", calls=[["move", HALF_CALL]])),
    ],
)
def test_the_client_reads_what_is_said_and_what_it_counts(way: Way, behaviour: Behaviour, said: SdkView) -> None:
    found = seen(behaviour, way)
    end = "stop" if said.end == "tool_calls" and way not in CHATS else said.end
    assert (found.text, found.reasoning, found.refusal, found.end) == (said.text, said.reasoning, said.refusal, end)
    assert [call[1:] for call in found.calls] == said.calls
    assert [call[0] for call in found.calls] == [f"call_00000000_{place}" for place in range(len(said.calls))]
    assert found.model == MODEL
    assert found.usage is not None
    arguments = "".join(call[-1] for call in said.calls)
    assert found.usage[2:] == astuple(usage_of("k1", (said.refusal or said.text) + arguments, said.reasoning))[2:]
    assert found.usage[0] > 0


@every_way
def test_the_model_named_may_be_another_and_the_usage_may_lack(way: Way) -> None:
    found = seen(Behaviour(model="ft:other@2026 ☃", usage=False), way)
    assert (found.model, found.usage, found.text) == ("ft:other@2026 ☃", None, ANSWER)


@every_way
def test_there_may_be_no_choice_and_no_output_at_all(way: Way) -> None:
    found = seen(Kind.EMPTY_CHOICES, way)
    assert (found.text, found.usage is None, found.end) == ("", False, None if way in CHATS else "stop")


@every_stream
def test_texts_and_arguments_of_a_stream_come_in_several_pieces(way: Way) -> None:
    assert len(seen(Kind.OK, way).documents) > 8
    assert len(seen(Behaviour(calls=CALLS[:1]), way).documents) > 9


def test_a_stream_of_a_chat_tells_its_usage_in_the_last_chunk_only_and_only_when_asked() -> None:
    async def unasked(server: Loopback) -> list[CompletionUsage | None]:
        async with client_of(server) as client:
            stream = await client.chat.completions.create(
                model=MODEL, messages=[{"role": "user", "content": "k"}], stream=True
            )
            return [chunk.usage async for chunk in stream]

    with Loopback() as server:
        *others, last = ask(server, chat_stream).documents
        assert set(asyncio.run(unasked(server))) == {None}
    assert (last.choices, last.usage is None) == ([], False)
    assert {chunk.usage for chunk in others} == {None}
    assert all("usage" in chunk.model_fields_set for chunk in others)


def test_models_are_listed() -> None:
    async def models(server: Loopback) -> list[str]:
        async with client_of(server) as client:
            return [model.id async for model in await client.models.list()]

    with Loopback() as server:
        assert asyncio.run(models(server)) == ["test-model"]
        assert [record.key for record in server.records()] == ["/v1/models"]


# -- broken streams and bodies ----------------------------------------------------------------------------------------


@every_stream
def test_a_truncated_stream_ends_as_http_without_a_finish(way: Way) -> None:
    found = seen(Kind.TRUNCATED, way)
    assert (found.end, found.usage) == (None, None)
    assert 0 < len(found.text) < len(ANSWER)
    call = seen(Behaviour(Kind.TRUNCATED, calls=CALLS[:1]), way)
    assert 0 < len(call.calls[0][2]) < len(CALLS[0]["arguments"])
    assert call.end is None


@every_stream
def test_a_stream_without_its_last_event_has_all_of_the_text(way: Way) -> None:
    found = seen(Kind.NO_DONE, way)
    assert (found.text, found.end) == (ANSWER, "stop" if way is chat_stream else None)


@every_way
@pytest.mark.parametrize("kind", [Kind.RESET, Kind.CUT, Kind.CLOSED, Kind.SILENCE])
def test_a_broken_connection_is_a_connection_error_and_no_answer_in_full(way: Way, kind: Kind) -> None:
    with always(Behaviour(kind, seconds=0.02)) as server:
        with pytest.raises((openai.APIConnectionError, openai.APIError)):
            ask(server, way)
        assert [(record.behaviour.kind, record.sent) for record in server.records()] == [(kind, False)]
        server.wait_until(lambda now: now.in_flight == now.connections == 0)


def test_an_error_in_mid_reply_is_an_error_object_or_makes_a_response_failed() -> None:
    with pytest.raises(openai.APIError, match="had an error"):
        seen(Kind.STREAM_ERROR, chat_stream)
    with always(Kind.STREAM_ERROR) as server, pytest.raises(TypeError):  # the client finds no choices
        ask(server, chat)
    found = seen(Kind.STREAM_ERROR, response_stream)
    assert [event.type for event in found.documents[-2:]] == ["error", "response.failed"]
    assert found.end == seen(Kind.STREAM_ERROR, response).end == "failed"


# -- many at once -----------------------------------------------------------------------------------------------------


AT_ONCE = many(200, 80)


@every_stream
def test_many_streams_at_once_all_get_their_own_answer(way: Way) -> None:
    async def views(server: Loopback) -> list[SdkView]:
        async with client_of(server) as client:
            asked = asyncio.gather(*(way(client, f"Task: {number}\nPlan!") for number in range(AT_ONCE)))
            await asyncio.to_thread(server.wait_until, lambda now: now.in_flight == AT_ONCE)
            server.release()
            return await asked

    with Loopback(answers=lambda key: f"plan {key}", key=r"Task: (\d+)") as server:
        server.hold()
        assert [one.text for one in asyncio.run(views(server))] == [f"plan {number}" for number in range(AT_ONCE)]
        counters = server.wait_until(lambda now: now.connections == 0)
        assert (counters.requests, counters.answered, counters.in_flight) == (AT_ONCE, AT_ONCE, 0)
        assert (counters.most_in_flight, counters.most_connections) == (AT_ONCE, AT_ONCE)
        assert {record.attempt for record in server.records()} == {1}
