import asyncio
import json
import time
from dataclasses import astuple
from email.utils import parsedate_to_datetime

import openai
import pytest
from openai.types import CompletionUsage
from openai.types.responses import ResponseStreamEvent, ResponseUsage
from pydantic import TypeAdapter

from tests.loopback import Behaviour, Kind, Loopback, default_answer, usage_of
from tests.loopback.model_output import REFUSAL
from tests.loopback.sdk_ways import (
    KEY,
    MODEL,
    SdkView,
    Way,
    ask,
    chat,
    chat_stream,
    client_of,
    response,
    response_stream,
)
from tests.sizes import many

pytestmark = pytest.mark.slow  # tests of what tests are made with

WAYS: list[Way] = [chat, chat_stream, response, response_stream]
STREAMS: list[Way] = [chat_stream, response_stream]

every_way = pytest.mark.parametrize("way", WAYS)
every_stream = pytest.mark.parametrize("way", STREAMS)


def always(behaviour: Behaviour | Kind) -> Loopback:
    return Loopback(lambda key, attempt: behaviour)


def seen(behaviour: Behaviour | Kind, way: Way) -> SdkView:
    with always(behaviour) as server:
        return ask(server, way)


# -- good answers -----------------------------------------------------------------------------------------------------


@every_way
def test_the_genuine_client_reads_the_answer_and_its_usage(way: Way) -> None:
    found = seen(Kind.OK, way)
    assert found.text == default_answer("k1")
    assert (found.end, found.model, found.reasoning, found.refusal) == ("stop", MODEL, "", "")
    assert found.usage is not None
    assert found.usage[2:] == (astuple(usage_of("k1", found.text)))[2:]
    assert found.usage[0] > 0


@every_way
@pytest.mark.parametrize("kind", [Kind.OK, Kind.REFUSAL, Kind.LENGTH, Kind.EMPTY_CHOICES])
def test_each_document_is_valid_in_the_types_of_the_genuine_client(way: Way, kind: Kind) -> None:
    for document in seen(Behaviour(kind, reasoning="Let me think…"), way).documents:
        if way is response_stream:
            TypeAdapter[ResponseStreamEvent](ResponseStreamEvent).validate_python(document.to_dict())
        else:
            type(document).model_validate(document.to_dict())


@every_stream
def test_the_text_of_a_stream_comes_in_several_pieces(way: Way) -> None:
    documents = seen(Kind.OK, way).documents
    assert len(documents) > 8
    if way is response_stream:
        assert [event.sequence_number for event in documents] == list(range(len(documents)))


@every_way
def test_reasoning_comes_apart_from_the_text_and_counts_as_tokens(way: Way) -> None:
    found = seen(Behaviour(reasoning="Let me think, ünd so on."), way)
    assert found.reasoning == "Let me think, ünd so on."
    assert found.text == default_answer("k1")
    assert found.usage is not None
    assert found.usage[3] == usage_of("", "", found.reasoning).reasoning == 6
    assert found.usage[2] == usage_of("", found.text, found.reasoning).completion


@every_way
def test_the_model_named_may_be_another_and_the_usage_may_lack(way: Way) -> None:
    found = seen(Behaviour(model="ft:other@2026 ☃", usage=False), way)
    assert (found.model, found.usage) == ("ft:other@2026 ☃", None)
    assert found.text == default_answer("k1")


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
    assert last.choices == []
    assert last.usage is not None
    assert {chunk.usage for chunk in others} == {None}
    assert all("usage" in chunk.model_fields_set for chunk in others)


def test_a_response_tells_its_usage_in_full() -> None:
    (document,) = seen(Kind.OK, response).documents
    assert ResponseUsage.model_validate(document.usage.to_dict()).total_tokens == sum(
        (document.usage.input_tokens, document.usage.output_tokens)
    )


def test_models_are_listed() -> None:
    async def models(server: Loopback) -> list[str]:
        async with client_of(server) as client:
            return [model.id async for model in await client.models.list()]

    with Loopback() as server:
        assert asyncio.run(models(server)) == ["test-model"]
        assert [record.key for record in server.records()] == ["/v1/models"]


# -- tool calls -------------------------------------------------------------------------------------------------------

CALLS = [{"name": "move", "arguments": '{"x": 1, "note": "long enough for pieces"}'}, {"name": "look", "arguments": ""}]


@every_way
def test_tool_calls_come_each_with_its_id_beside_the_text(way: Way) -> None:
    found = seen(Behaviour(text="Go!", calls=CALLS, reasoning="hm"), way)
    assert [call[1:] for call in found.calls] == [list(call.values()) for call in CALLS]
    assert [call[0] for call in found.calls] == ["call_00000000_0", "call_00000000_1"]
    assert (found.text, found.reasoning) == ("Go!", "hm")
    assert found.end == ("tool_calls" if way in (chat, chat_stream) else "stop")
    assert found.usage is not None
    assert found.usage[2] == usage_of("", "Go!" + CALLS[0]["arguments"], "hm").completion


@every_way
@pytest.mark.parametrize("kind", [Kind.OK, Kind.LENGTH])
def test_each_document_with_calls_is_valid_in_the_types_of_the_genuine_client(way: Way, kind: Kind) -> None:
    for document in seen(Behaviour(kind, calls=CALLS), way).documents:
        if way is response_stream:
            TypeAdapter[ResponseStreamEvent](ResponseStreamEvent).validate_python(document.to_dict())
        else:
            type(document).model_validate(document.to_dict())


@every_stream
def test_the_arguments_of_a_stream_come_in_several_pieces(way: Way) -> None:
    assert len(seen(Behaviour(calls=CALLS[:1]), way).documents) > 9


@every_way
def test_a_call_may_be_cut_by_the_length(way: Way) -> None:
    found = seen(Behaviour(Kind.LENGTH, calls=CALLS[:1]), way)
    whole = CALLS[0]["arguments"]
    assert (found.calls[0][2], found.end) == (whole[: len(whole) // 2], "length")


@every_stream
def test_a_stream_that_breaks_inside_a_call_has_part_of_its_arguments(way: Way) -> None:
    found = seen(Behaviour(Kind.TRUNCATED, calls=CALLS[:1]), way)
    assert 0 < len(found.calls[0][2]) < len(CALLS[0]["arguments"])
    assert found.end is None


# -- odd ends ---------------------------------------------------------------------------------------------------------


@every_way
def test_a_refusal_stands_in_place_of_a_text(way: Way) -> None:
    found = seen(Kind.REFUSAL, way)
    assert (found.text, found.refusal, found.end) == ("", REFUSAL, "stop")


@every_way
@pytest.mark.parametrize("kind", [Kind.LENGTH, Kind.CONTENT_FILTER])
def test_a_text_may_end_half_way_and_says_why(way: Way, kind: Kind) -> None:
    found = seen(kind, way)
    whole = default_answer("k1")
    assert (found.text, found.end) == (whole[: len(whole) // 2], kind.value)


@every_way
def test_a_text_may_be_empty_and_properly_finished(way: Way) -> None:
    found = seen(Kind.EMPTY_CONTENT, way)
    assert (found.text, found.refusal, found.end) == ("", "", "stop")
    assert found.usage is not None


@every_way
def test_there_may_be_no_choice_and_no_output_at_all(way: Way) -> None:
    found = seen(Kind.EMPTY_CHOICES, way)
    assert (found.text, found.usage is None) == ("", False)
    assert found.end == (None if way in (chat, chat_stream) else "stop")


# -- broken streams and bodies ----------------------------------------------------------------------------------------


@every_stream
def test_a_truncated_stream_ends_as_http_without_a_finish(way: Way) -> None:
    found = seen(Kind.TRUNCATED, way)
    assert found.end is None
    assert found.usage is None
    assert 0 < len(found.text) < len(default_answer("k1"))


@every_stream
def test_a_stream_without_its_last_event_has_all_of_the_text(way: Way) -> None:
    found = seen(Kind.NO_DONE, way)
    assert found.text == default_answer("k1")
    assert found.end == ("stop" if way is chat_stream else None)


@every_way
@pytest.mark.parametrize("kind", [Kind.MALFORMED_CHUNK, Kind.MALFORMED_BODY])
def test_torn_json_is_torn(way: Way, kind: Kind) -> None:
    if kind is Kind.MALFORMED_BODY and way in STREAMS:
        assert seen(kind, way).documents == []  # the client skips what is no event
    else:
        with pytest.raises(json.JSONDecodeError):
            seen(kind, way)


@every_way
@pytest.mark.parametrize("kind", [Kind.RESET, Kind.CUT, Kind.CLOSED, Kind.SILENCE])
def test_a_broken_connection_is_a_connection_error_and_no_answer_in_full(way: Way, kind: Kind) -> None:
    with always(Behaviour(kind, seconds=0.02)) as server:
        with pytest.raises((openai.APIConnectionError, openai.APIError)):
            ask(server, way)
        assert [(record.behaviour.kind, record.sent) for record in server.records()] == [(kind, False)]
        server.wait_until(lambda now: now.in_flight == now.connections == 0)


def test_an_error_in_a_chat_or_in_its_stream_is_an_error_object() -> None:
    with pytest.raises(openai.APIError, match="had an error"):
        seen(Kind.STREAM_ERROR, chat_stream)
    with always(Kind.STREAM_ERROR) as server, pytest.raises(TypeError):  # the client finds no choices
        ask(server, chat)


def test_an_error_in_a_response_makes_it_failed() -> None:
    found = seen(Kind.STREAM_ERROR, response_stream)
    assert found.end == "failed"
    assert [event.type for event in found.documents[-2:]] == ["error", "response.failed"]
    assert [event.sequence_number for event in found.documents] == list(range(len(found.documents)))
    for event in found.documents:
        TypeAdapter[ResponseStreamEvent](ResponseStreamEvent).validate_python(event.to_dict())
    assert seen(Kind.STREAM_ERROR, response).end == "failed"


# -- errors from the first line on ------------------------------------------------------------------------------------


ERRORS = [
    (Kind.RATE_LIMIT, openai.RateLimitError, 429, "rate_limit_exceeded", "Rate limit reached for some/model"),
    (Kind.RATE_LIMIT_SECONDS, openai.RateLimitError, 429, "rate_limit_exceeded", "Rate limit"),
    (Kind.RATE_LIMIT_DATE, openai.RateLimitError, 429, "rate_limit_exceeded", "Rate limit"),
    (Kind.RATE_LIMIT_MS, openai.RateLimitError, 429, "rate_limit_exceeded", "Rate limit"),
    (Kind.QUOTA, openai.RateLimitError, 429, "insufficient_quota", "exceeded your current quota"),
    (Kind.SERVER_ERROR, openai.InternalServerError, 500, None, "had an error"),
    (Kind.UNAVAILABLE, openai.InternalServerError, 503, None, "overloaded"),
    (Kind.HTML_502, openai.InternalServerError, 502, None, "<h1>502 Bad Gateway</h1>"),
    (Kind.TIMEOUT, openai.APIStatusError, 408, None, "timed out"),
    (Kind.CONTEXT, openai.BadRequestError, 400, "context_length_exceeded", "context"),
    (Kind.CONTEXT_VLLM, openai.BadRequestError, 400, "400", "maximum context length is 4096 tokens"),
    (Kind.CONTEXT_VLLM_OLD, openai.BadRequestError, 400, "400", "maximum context length is 4096 tokens"),
    (Kind.BAD_REQUEST, openai.BadRequestError, 400, "unsupported_parameter", "max_tokens"),
    (Kind.UNAUTHORIZED, openai.AuthenticationError, 401, "invalid_api_key", f"Incorrect API key provided: {KEY}"),
    (Kind.FORBIDDEN, openai.PermissionDeniedError, 403, "unsupported_country_region_territory", "not supported"),
    (Kind.NO_MODEL, openai.NotFoundError, 404, "model_not_found", "The model `some/model` does not exist"),
]


@every_way
def test_each_error_is_the_one_the_genuine_client_knows(way: Way) -> None:
    by_key = {str(number): kind for number, (kind, *_) in enumerate(ERRORS)}
    with Loopback(lambda key, attempt: by_key[key]) as server:
        for number, (_, error, status, code, told) in enumerate(ERRORS):
            with pytest.raises(error) as raised:
                ask(server, way, str(number))
            assert isinstance(raised.value, openai.APIStatusError)
            assert (raised.value.status_code, raised.value.code) == (status, code)
            assert told in raised.value.response.text
        assert all(record.sent for record in server.records())


@pytest.mark.parametrize("kind", [kind for kind in Kind if kind.startswith("rate_limit")])
def test_a_rate_limit_says_when_to_come_again_or_does_not(kind: Kind) -> None:
    with always(Behaviour(kind, seconds=2.5)) as server, pytest.raises(openai.RateLimitError) as raised:
        ask(server, chat)
    headers = raised.value.response.headers
    found = headers.get("retry-after"), headers.get("retry-after-ms")
    if kind is Kind.RATE_LIMIT_DATE:
        assert 0 < parsedate_to_datetime(str(found[0])).timestamp() - time.time() <= 3.5
    else:
        wanted = {Kind.RATE_LIMIT: (None, None), Kind.RATE_LIMIT_SECONDS: ("2.5", None)}
        wanted[Kind.RATE_LIMIT_ABSURD] = ("86400000", None)
        assert found == wanted.get(kind, (None, "2500"))


def test_a_page_of_html_may_come_with_status_200() -> None:
    found = seen(Kind.HTML, chat_stream)
    assert found.documents == []
    with pytest.raises(AttributeError):  # the client hands on the page as a text
        seen(Kind.HTML, chat)


# -- many at once -----------------------------------------------------------------------------------------------------


AT_ONCE = many(200, 80)


@pytest.mark.slow
@pytest.mark.parametrize("way", [chat_stream, response_stream])
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
