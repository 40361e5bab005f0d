"""What a server sends is read up to a limit, in a reply as in a refusal."""

from __future__ import annotations

import json

import pytest

from herobench.models import chat_api, http_client
from herobench.models.model_error import ErrorKind
from tests.loopback import Behaviour, Kind, Loopback
from tests.models.asked import CHAT, CHAT_STREAM, RESPONSE, RESPONSE_STREAM, WAYS, ask, failure_of, reply_of, setting
from tests.models.raw import answered, events, http

SMALL = 100_000


@pytest.fixture(autouse=True)
def _limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_client, "LARGEST_BODY", SMALL)
    monkeypatch.setattr(chat_api, "MOST_CHARACTERS", SMALL)


@pytest.mark.parametrize("way", [CHAT, RESPONSE, RESPONSE_STREAM], ids=str)
def test_a_document_or_an_event_without_end_is_no_reply_and_not_asked_for_again(way: object) -> None:
    assert way in WAYS
    with Loopback(lambda key, attempt: Behaviour(text="x" * 2 * SMALL)) as server:
        error = failure_of(ask(setting(server.url, WAYS[WAYS.index(way)]))[0])  # type: ignore[arg-type]
        assert server.counters().requests == 1
    assert (error.kind, error.passing) == (ErrorKind.REFUSED, False)
    assert "more than" in error.message


def test_a_stream_of_any_length_is_read_and_its_text_up_to_a_limit() -> None:
    pieces = [json.dumps({"choices": [{"delta": {"content": "x" * 999}}]}).encode()] * 500
    with_arguments = {"tool_calls": [{"index": 0, "id": "a", "function": {"name": "look", "arguments": "x" * 999}}]}
    reply = reply_of(answered(CHAT_STREAM, events(*pieces)))
    assert (reply.stop, set(reply.text)) == ("length", {"x"})
    assert SMALL < len(reply.text) < SMALL + 1000, "the rest is not waited for"
    pieces = [json.dumps({"choices": [{"delta": with_arguments}]}).encode()] * 500
    (call,) = reply_of(answered(CHAT_STREAM, events(*pieces))).tool_calls
    assert SMALL - 1000 < len(call.arguments) < SMALL + 1000


def test_what_is_within_the_limit_is_a_reply_also_if_the_stream_is_longer() -> None:
    text = "x" * (SMALL // 2)
    with Loopback(lambda key, attempt: Behaviour(text=text)) as server:
        for way in WAYS:
            assert reply_of(ask(setting(server.url, way))[0]).text == text
    silence = [b'{"choices": [{"delta": {"role": "assistant"}}]}'] * 5000
    end = b'{"choices": [{"delta": {"content": "a"}, "finish_reason": "stop"}]}'
    assert reply_of(answered(CHAT_STREAM, events(*silence, end))).text == "a"


def test_a_refusal_without_end_is_one() -> None:
    body = b'{"error": {"message": "%b"}}' % (b"no " * SMALL)
    error = failure_of(answered(CHAT, http(400, body)))
    assert (error.kind, error.status) == (ErrorKind.REFUSED, 400)
    with Loopback(lambda key, attempt: Kind.SERVER_ERROR) as server:
        assert failure_of(ask(setting(server.url, CHAT))[0]).kind is ErrorKind.SERVER
