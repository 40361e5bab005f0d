"""Bytes that no server of ours would send: what is read of them, and how much."""

from __future__ import annotations

import asyncio
import json
from contextlib import closing, suppress
from typing import Any

import pytest

from herobench.conversation import Reply, Usage
from herobench.models import chat_api, openai_api, server_errors
from herobench.models.model_error import ErrorKind, ModelError
from herobench.models.openai_api import build
from tests.loopback import Behaviour, Kind, Loopback
from tests.models.asked import (
    CHAT,
    CHAT_STREAM,
    KEY,
    RESPONSE,
    RESPONSE_STREAM,
    WAYS,
    Outcome,
    Way,
    ask,
    every_way,
    expect_failure,
    expect_reply,
    once,
    setting,
)
from tests.sizes import for_each


def http(
    status: int, body: bytes, *, headers: str = "Content-Type: application/json", length: int | None = None
) -> bytes:
    """An answer by HTTP; its length is that of the body, if not said to be another."""
    size = len(body) if length is None else length
    return f"HTTP/1.1 {status} Whatever\r\n{headers}\r\nContent-Length: {size}\r\n\r\n".encode() + body


def events(*data: bytes) -> bytes:
    """A stream of events, properly framed."""
    body = b"".join(b"data: " + one + b"\n\n" for one in data)
    return http(200, body, headers="Content-Type: text/event-stream")


def answered(way: Way, answer: bytes, drip: bytes = b"", **more: Any) -> Outcome:
    """Ask a server that sends these bytes and closes; return the outcome. With a drip it sends that again and again."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with closing(writer), suppress(ConnectionError, asyncio.IncompleteReadError):
            head = await reader.readuntil(b"\r\n\r\n")
            length = next(line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:"))
            await reader.readexactly(int(length.partition(b":")[2]))
            writer.write(answer)
            await writer.drain()
            while drip and not writer.is_closing():
                writer.write(drip)
                await asyncio.sleep(0.02)

    async def work() -> Outcome:
        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        model = build(setting(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1", way, **more))
        try:
            return await once(model, "k")
        finally:
            await model.close()
            server.close()

    return asyncio.run(work())


SMALL = 100_000


@pytest.fixture(autouse=True)
def _limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_errors, "LARGEST_BODY", SMALL)
    monkeypatch.setattr(chat_api, "MOST_CHARACTERS", SMALL)


@for_each("way", [CHAT, RESPONSE, RESPONSE_STREAM])
def test_a_document_or_an_event_without_end_is_no_reply_and_not_asked_for_again(way: Way) -> None:
    with Loopback(lambda key, attempt: Behaviour(text="x" * 2 * SMALL)) as server:
        error = expect_failure(ask(setting(server.url, way))[0])
        assert server.counters().requests == 1
    assert (error.kind, error.passing) == (ErrorKind.REFUSED, False)
    assert "more than" in error.message


def test_a_stream_of_any_length_is_read_and_its_text_up_to_a_limit() -> None:
    pieces = [json.dumps({"choices": [{"delta": {"content": "x" * 999}}]}).encode()] * 500
    with_arguments = {"tool_calls": [{"index": 0, "id": "a", "function": {"name": "look", "arguments": "x" * 999}}]}
    reply = expect_reply(answered(CHAT_STREAM, events(*pieces)))
    assert (reply.stop, set(reply.text)) == ("length", {"x"})
    assert SMALL < len(reply.text) < SMALL + 1000, "the rest is not waited for"
    pieces = [json.dumps({"choices": [{"delta": with_arguments}]}).encode()] * 500
    (call,) = expect_reply(answered(CHAT_STREAM, events(*pieces))).tool_calls
    assert SMALL - 1000 < len(call.arguments) < SMALL + 1000


def test_what_is_within_the_limit_is_a_reply_also_if_the_stream_is_longer() -> None:
    text = "x" * (SMALL // 2)
    with Loopback(lambda key, attempt: Behaviour(text=text)) as server:
        for way in WAYS:
            assert expect_reply(ask(setting(server.url, way))[0]).text == text
    silence = [b'{"choices": [{"delta": {"role": "assistant"}}]}'] * 5000
    end = b'{"choices": [{"delta": {"content": "a"}, "finish_reason": "stop"}]}'
    assert expect_reply(answered(CHAT_STREAM, events(*silence, end))).text == "a"


def test_a_refusal_without_end_is_one() -> None:
    body = b'{"error": {"message": "%b"}}' % (b"no " * SMALL)
    error = expect_failure(answered(CHAT, http(400, body)))
    assert (error.kind, error.status) == (ErrorKind.REFUSED, 400)
    with Loopback(lambda key, attempt: Kind.SERVER_ERROR) as server:
        assert expect_failure(ask(setting(server.url, CHAT))[0]).kind is ErrorKind.SERVER


DEEP = b"[" * (SMALL - 1000)
ZIPPED = "Content-Type: application/json\r\nContent-Encoding: gzip"

PART = {"type": "output_text", "text": "a plan"}
EVENTS = "Content-Type: text/event-stream"

BROKEN = {
    "no_http": b"hello\r\n\r\n",
    "a_body_that_breaks_off": http(200, b'{"choi', length=1000),
    "a_refusal_that_breaks_off": http(503, b'{"err', length=1000),
    "a_body_that_is_not_zipped": http(200, b"{}", headers=ZIPPED),
    "a_refusal_that_is_not_zipped": http(500, b"{}", headers=ZIPPED),
}
MALFORMED = {
    "null": http(200, b"null"),
    "a_text": http(200, b"hello", headers="Content-Type: text/plain"),
    "a_deep_body": http(200, DEEP),
    "a_deep_event": events(DEEP),
    "an_event_that_is_null": events(b"null"),
    "an_event_that_is_a_number_beyond_reading": events(b"9" * 5000),
}


@every_way
@for_each("answer", BROKEN.values())
def test_what_breaks_off_is_a_connection_that_failed(way: Way, answer: bytes) -> None:
    error = expect_failure(answered(way, answer))
    assert (error.kind, error.passing) == (ErrorKind.CONNECTION, True)


@every_way
@for_each("answer", MALFORMED.values())
def test_what_is_not_the_protocol_is_malformed(way: Way, answer: bytes) -> None:
    error = expect_failure(answered(way, answer))
    assert (error.kind, error.passing) == (ErrorKind.MALFORMED, True)


@every_way
@for_each("error", [{}, [], "boo", 7, None, {"type": {}}, {"type": []}, {"code": {}, "message": {}}])
def test_a_refusal_may_be_of_any_shape(way: Way, error: object) -> None:
    refused = expect_failure(answered(way, http(400, json.dumps({"error": error}).encode())))
    assert (refused.kind, refused.status) == (ErrorKind.REFUSED, 400)
    told_amid = expect_failure(answered(way, events(json.dumps({"error": error}).encode())))
    assert told_amid.passing


@for_each(
    "body",
    [
        {"error": {"message": "The tokens ran out."}},
        {"message": "The tokens ran out.", "code": 400},
        {"error": "The tokens ran out."},
        {"detail": "The tokens ran out."},
    ],
)
def test_the_words_of_a_server_are_told_however_they_are_wrapped(body: object) -> None:
    assert expect_failure(answered(CHAT, http(400, json.dumps(body).encode()))).message == "The tokens ran out."


# -- whole all the same ----------------------------------------------------------------------------------------------

SAID = {
    "chat": {"choices": [{"message": {"content": "a plan"}, "finish_reason": "stop"}]},
    "responses": {"status": "completed", "output": [{"type": "message", "content": [PART]}]},
}


def document(way: Way) -> bytes:
    return json.dumps(SAID[way.api]).encode()


def chunked(body: bytes, headers: str = "Content-Type: application/json") -> bytes:
    """A body in one chunk, after which the last one never comes."""
    head = f"HTTP/1.1 200 OK\r\n{headers}\r\nTransfer-Encoding: chunked\r\n\r\n"
    return b"%b%x\r\n%b\r\n" % (head.encode(), len(body), body)


@every_way
def test_a_body_that_is_json_came_whole_whatever_was_promised(way: Way) -> None:
    for answer in (http(200, document(way), length=9999), chunked(document(way))):
        assert expect_reply(answered(way, answer)).text == "a plan"


@every_way
def test_a_body_that_lacks_its_last_byte_did_not_come_whole(way: Way) -> None:
    error = expect_failure(answered(way, chunked(document(way)[:-1])))
    assert (error.kind, error.passing) == (ErrorKind.CONNECTION, True)


HEADERS = ["Content-Type: Application/JSON; charset=utf-8", "Content-Type: text/plain", EVENTS, "Server: x"]


@every_way
@for_each("headers", HEADERS)
@for_each("before", [b"", b" \r\n", b"\xef\xbb\xbf"])
def test_a_document_is_the_reply_under_any_content_type(way: Way, headers: str, before: bytes) -> None:
    assert expect_reply(answered(way, http(200, before + document(way), headers=headers))).text == "a plan"


@pytest.mark.slow
@every_way
@for_each("headers", HEADERS)
@for_each("before", [b"", b"\n", b": ping\n\n", b"id: 1\n", b"event: x\n", b"retry: 9\n"])
@for_each("end", [b"\n\n", b"\r\n\r\n", b"\r\r", b"\n", b""])
def test_a_stream_is_the_reply_under_any_content_type_also_if_none_was_asked_for(
    way: Way, headers: str, before: bytes, end: bytes
) -> None:
    last = FINISHED if way.api == "chat" else TEXT_DONE
    assert expect_reply(answered(way, http(200, before + b"data: " + last + end, headers=headers))).text == "a plan"


@every_way
@for_each("headers", HEADERS)
def test_a_page_of_html_is_told_as_one(way: Way, headers: str) -> None:
    page = b"\n<!doctype html><html><head><title>Sign in\n</title>"
    error = expect_failure(answered(way, http(200, page, headers=headers)))
    assert (error.kind, error.status) == (ErrorKind.MALFORMED, None)
    assert error.message.startswith("The server sent an HTML page (Sign in) in place of a reply.")


@for_each("status", [200, 400, 500])
def test_a_failure_with_usage_has_it_whatever_its_status(status: int) -> None:
    body = {"error": {"message": "No."}, "usage": {"prompt_tokens": 3, "completion_tokens": 4}}
    error = expect_failure(answered(CHAT, http(status, json.dumps(body).encode())))
    assert error.reply == Reply("", usage=Usage(3, 4))
    assert expect_failure(answered(CHAT, http(status, b'{"error": {"message": "No."}}'))).reply is None


def test_a_connection_that_breaks_leaves_what_had_come_without_the_key() -> None:
    pieces = json.dumps({"choices": [{"delta": {"content": f"a {KEY}"}}]}).encode()
    error = expect_failure(answered(CHAT_STREAM, chunked(b"data: " + pieces + b"\n\n", EVENTS)))
    assert (error.kind, error.reply) == (ErrorKind.CONNECTION, Reply("a [key]"))


@pytest.mark.slow
@every_way
def test_a_server_that_keeps_the_connection_busy_without_a_word_is_not_waited_for_for_ever(
    way: Way, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(openai_api, "_LONGEST_PAUSE", 0.1)
    behaviour = {"kind": "pings", "text": "a plan", "byte_delay": 0.05}
    with Loopback({"default": behaviour}) as server:
        error = expect_failure(ask(setting(server.url, way, timeout=0.2))[0])
    assert (error.kind, error.passing) == (ErrorKind.TIMEOUT, True)


def test_chunks_without_a_word_are_not_waited_for_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openai_api, "_LONGEST_PAUSE", 0.2)
    chunk = b'data: {"choices": [{"delta": {"content": ""}}]}\n\n'
    error = expect_failure(answered(CHAT_STREAM, http(200, b"", headers=EVENTS, length=10**9), chunk, timeout=0.2))
    assert (error.kind, error.passing) == (ErrorKind.TIMEOUT, True)


FINISHED = json.dumps({"choices": [{"delta": {"content": "a plan"}, "finish_reason": "length"}]}).encode()
TEXT_DONE = b'{"type": "response.output_text.done", "text": "a plan"}'


# -- the key ----------------------------------------------------------------------------------------------------------

ECHO = f"Who is {KEY}?"
FAILED = {"status": "failed", "error": {"code": "server_error", "message": ECHO}}
ECHOES = {
    RESPONSE: http(200, json.dumps(FAILED).encode()),
    RESPONSE_STREAM: events(json.dumps({"type": "response.failed", "response": FAILED}).encode()),
}


@for_each("way", ECHOES)
def test_a_server_that_repeats_the_key_does_not_make_us_tell_it_and_the_rest_is_told(way: Way) -> None:
    assert "Who is [key]?" in expect_failure(answered(way, ECHOES[way])).message


def test_a_very_long_answer_is_told_in_short() -> None:
    def long(outcome: Outcome) -> int:
        return len(expect_failure(outcome).message)

    words = ("no " * 10_000).encode()
    refusal = http(400, b'{"error": {"message": "%b"}}' % words)
    failed = json.dumps({"status": "failed", "error": {"message": words.decode()}}).encode()
    assert max(long(answered(way, refusal)) for way in WAYS) <= 600
    assert long(answered(RESPONSE, http(200, failed))) <= 600
    assert isinstance(answered(CHAT, http(200, b'"%b"' % words)), ModelError)
