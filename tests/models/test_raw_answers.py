"""Answers that are hardly HTTP, or hardly JSON: whatever comes, it is a ModelError, and the key is not in it."""

import json

import pytest

from herobench.models.model_error import ErrorKind, ModelError
from tests.models.asked import (
    CHAT,
    CHAT_STREAM,
    KEY,
    RESPONSE,
    RESPONSE_STREAM,
    WAYS,
    Outcome,
    Way,
    every_way,
    failure_of,
    reply_of,
    told,
)
from tests.models.raw import answered, events, http
from tests.sizes import for_each

DEEP = b"[" * 200_000
ZIPPED = "Content-Type: application/json\r\nContent-Encoding: gzip"

PART = {"type": "output_text", "text": "a plan"}
EVENTS = "Content-Type: text/event-stream"

BROKEN = {
    "no_http": b"hello\r\n\r\n",
    "half_a_head": b"HTTP/1.1 200 OK\r\nContent-",
    "a_body_that_breaks_off": http(200, b'{"choi', length=1000),
    "a_refusal_that_breaks_off": http(503, b'{"err', length=1000),
    "a_body_that_is_not_zipped": http(200, b"{}", headers=ZIPPED),
    "a_refusal_that_is_not_zipped": http(500, b"{}", headers=ZIPPED),
}
MALFORMED = {
    "nothing": http(200, b""),
    "null": http(200, b"null"),
    "a_text": http(200, b"hello", headers="Content-Type: text/plain"),
    "a_page": http(200, b"<html></html>", headers="Content-Type: text/html"),
    "a_deep_body": http(200, DEEP),
    "a_deep_event": events(DEEP),
    "an_event_that_is_no_text": events(b'{"id": "\xff"}'),
    "an_event_that_is_null": events(b"null"),
    "an_event_that_is_a_number_beyond_reading": events(b"9" * 5000),
}


@every_way
@pytest.mark.parametrize("answer", BROKEN.values(), ids=BROKEN.keys())
def test_what_breaks_off_is_a_connection_that_failed(way: Way, answer: bytes) -> None:
    error = failure_of(answered(way, answer))
    assert (error.kind, error.passing) == (ErrorKind.CONNECTION, True)


@every_way
@pytest.mark.parametrize("answer", MALFORMED.values(), ids=MALFORMED.keys())
def test_what_is_not_the_protocol_is_malformed(way: Way, answer: bytes) -> None:
    error = failure_of(answered(way, answer))
    assert (error.kind, error.passing) == (ErrorKind.MALFORMED, True)


@every_way
@pytest.mark.parametrize("error", [{}, [], "boo", 7, None, {"type": {}}, {"type": []}, {"code": {}, "message": {}}])
def test_a_refusal_may_be_of_any_shape(way: Way, error: object) -> None:
    refused = failure_of(answered(way, http(400, json.dumps({"error": error}).encode())))
    assert (refused.kind, refused.status) == (ErrorKind.REFUSED, 400)
    told_amid = failure_of(answered(way, events(json.dumps({"error": error}).encode())))
    assert told_amid.passing


@pytest.mark.parametrize(
    "body",
    [
        {"error": {"message": "The tokens ran out."}},
        {"message": "The tokens ran out.", "code": 400},
        {"error": "The tokens ran out."},
        {"detail": "The tokens ran out."},
    ],
)
def test_the_words_of_a_server_are_told_however_they_are_wrapped(body: object) -> None:
    assert failure_of(answered(CHAT, http(400, json.dumps(body).encode()))).message == "The tokens ran out."


@pytest.mark.parametrize(
    "told",
    [
        "Wed, 99999999999999999999 Oct 2015 07:28:00 GMT",
        "Wed, 21 Oct 2015 07:28:00 +99999999999999999999",
        "Wed, 21 Oct 99999 07:28:00 GMT",
        "soon",
        "-5",
        "1e3",
        "inf",
        "9" * 400,
    ],
)
def test_a_wait_that_cannot_be_understood_is_none(told: str) -> None:
    headers = f"Content-Type: application/json\r\nRetry-After: {told}"
    error = failure_of(answered(CHAT, http(429, b"{}", headers=headers)))
    assert (error.kind, error.retry_after) == (ErrorKind.RATE_LIMIT, None)


def test_a_date_that_has_passed_is_no_wait() -> None:
    headers = "Content-Type: application/json\r\nRetry-After: Wed, 21 Oct 2015 07:28:00 GMT"
    assert failure_of(answered(CHAT, http(503, b"{}", headers=headers))).retry_after == 0.0


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
        assert reply_of(answered(way, answer)).text == "a plan"


@every_way
def test_a_body_that_lacks_its_last_byte_did_not_come_whole(way: Way) -> None:
    error = failure_of(answered(way, chunked(document(way)[:-1])))
    assert (error.kind, error.passing) == (ErrorKind.CONNECTION, True)


@every_way
def test_a_document_in_place_of_a_stream_is_the_reply(way: Way) -> None:
    sent = http(200, document(way), headers="Content-Type: Application/JSON; charset=utf-8")
    assert reply_of(answered(way, sent)).text == "a plan"


FINISHED = json.dumps({"choices": [{"delta": {"content": "a plan"}, "finish_reason": "length"}]}).encode()
TEXT_DONE = b'{"type": "response.output_text.done", "text": "a plan"}'


@for_each(("way", "end"), [(CHAT_STREAM, FINISHED), (RESPONSE_STREAM, TEXT_DONE)])
@for_each("rest", [b"null", b"42", b"[]", b"{", b"\xff", b'{"error": "late"}', DEEP, b'{"error": {}}'])
def test_nothing_that_comes_after_the_end_loses_a_reply(way: Way, end: bytes, rest: bytes) -> None:
    assert reply_of(answered(way, events(end, rest))).text == "a plan"
    assert reply_of(answered(way, chunked(b"data: " + end + b"\n\ndata: " + rest, EVENTS))).text == "a plan"


def test_a_stream_that_says_it_stopped_with_an_error_is_no_reply() -> None:
    stopped = json.dumps({"choices": [{"delta": {"content": "a plan"}, "finish_reason": "error"}]}).encode()
    late = failure_of(answered(CHAT_STREAM, events(stopped, b'{"error": {"message": "The engine died."}}')))
    assert (late.kind, late.message) == (ErrorKind.SERVER, "The engine died.")


# -- the key ----------------------------------------------------------------------------------------------------------

ECHO = f"Who is {KEY}?"
FAILED = {"status": "failed", "error": {"code": "server_error", "message": ECHO}}
ECHOES = {
    "a_refusal": http(400, json.dumps({"error": {"message": ECHO}}).encode()),
    "a_bare_refusal": http(401, json.dumps(ECHO).encode()),
    "a_page": http(500, f"<html>{ECHO}</html>".encode(), headers="Content-Type: text/html"),
    "a_failed_response": http(200, json.dumps(FAILED).encode()),
    "an_error_for_a_body": http(200, json.dumps({"error": {"message": ECHO}}).encode()),
    "a_text_for_a_body": http(200, json.dumps(ECHO).encode()),
    "an_error_in_a_stream": events(json.dumps({"error": {"message": ECHO}}).encode()),
    "a_flat_error_in_a_stream": events(json.dumps({"type": "error", "message": ECHO}).encode()),
    "a_failure_in_a_stream": events(json.dumps({"type": "response.failed", "response": FAILED}).encode()),
    "a_text_in_a_stream": events(json.dumps(ECHO).encode()),
    "no_http": f"{ECHO}\r\n\r\n".encode(),
}


@every_way
@pytest.mark.parametrize("answer", ECHOES.values(), ids=ECHOES.keys())
def test_a_server_that_repeats_the_key_does_not_make_us_tell_it(way: Way, answer: bytes) -> None:
    assert KEY not in told(failure_of(answered(way, answer)))


@pytest.mark.parametrize("way", [RESPONSE, RESPONSE_STREAM], ids=str)
def test_the_rest_of_what_such_a_server_says_is_told(way: Way) -> None:
    answer = ECHOES["a_failed_response" if way is RESPONSE else "a_failure_in_a_stream"]
    assert "Who is [key]?" in failure_of(answered(way, answer)).message


def test_a_very_long_answer_is_told_in_short() -> None:
    def long(outcome: Outcome) -> int:
        return len(failure_of(outcome).message)

    words = ("no " * 10_000).encode()
    refusal = http(400, b'{"error": {"message": "%b"}}' % words)
    failed = json.dumps({"status": "failed", "error": {"message": words.decode()}}).encode()
    assert max(long(answered(way, refusal)) for way in WAYS) <= 600
    assert long(answered(RESPONSE, http(200, failed))) <= 600
    assert isinstance(answered(CHAT, http(200, b'"%b"' % words)), ModelError)
